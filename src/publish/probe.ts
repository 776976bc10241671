/** Finds out whether a store honours conditional writes: some ignore the headers, some refuse them. */
import { randomUUID } from 'node:crypto';
import { UsageError } from '../report/failure.ts';
import { type Bucket, BucketError, type Condition, ConditionFailed } from './bucket.ts';
import { CONTROL_HEADERS, PROBE_FOLDER } from './control.ts';

/**
 * Tries conditional writes on an object of its own, and removes it.
 *
 * @throws UsageError `no-conditional-writes` when the store cannot keep two publishers apart.
 */
export async function probeConditions(bucket: Bucket): Promise<void> {
  const key = `${PROBE_FOLDER}/${randomUUID()}`;
  let tag = '';
  const attempt = async (text: string, condition: Condition): Promise<string> => {
    try {
      tag = await bucket.write(key, Buffer.from(text), CONTROL_HEADERS, condition);
      return 'written';
    } catch (error) {
      if (error instanceof ConditionFailed) return 'refused';
      if (error instanceof BucketError && error.code === 'condition-unsupported') return error.message;
      throw error;
    }
  };
  const expect = (outcome: string, wanted: string, what: string) => {
    if (outcome === wanted) return;
    const why = outcome === 'written' || outcome === 'refused' ? `${what} was ${outcome}` : outcome;
    throw new UsageError(
      'no-conditional-writes',
      `${bucket.name} does not honour conditional writes, which keep two publishers apart (${why}). If nothing else can publish at the same time, use --no-lock.`,
    );
  };
  try {
    expect(await attempt('1', { absent: true }), 'written', 'a write of a new object with If-None-Match: *');
    expect(await attempt('2', { absent: true }), 'refused', 'a second write with If-None-Match: *');
    expect(
      await attempt('3', { tag: '"00000000000000000000000000000000"' }),
      'refused',
      'a write with If-Match of another tag',
    );
    expect(await attempt('4', { tag }), 'written', 'a write with If-Match of the tag');
  } finally {
    await bucket.remove([key]).catch(() => {});
  }
}
