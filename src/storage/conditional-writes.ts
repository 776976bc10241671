/** Some stores ignore the headers of conditional writes, and some refuse them. */
import { UsageError } from '../errors/errors.ts';
import {
  type Bucket,
  BucketError,
  type Condition,
  ConditionFailed,
  type Limit,
  type Written,
} from './bucket.ts';
import { CONTROL_HEADERS } from './reserved-keys.ts';

export function noConditionalWrites(bucket: Bucket, why: string): UsageError {
  return new UsageError(
    'no-conditional-writes',
    `${bucket.name} does not honour conditional writes, which keep two publishers apart (${why}). If nothing else can publish at the same time, use --no-lock.`,
  );
}

/** @throws ConditionFailed; UsageError `no-conditional-writes` when the store refuses conditions */
export async function writeIf(
  bucket: Bucket,
  key: string,
  body: Buffer,
  condition: Condition,
  limit?: Limit,
): Promise<Written> {
  try {
    return await bucket.write(key, body, CONTROL_HEADERS, condition, limit);
  } catch (error) {
    if (!(error instanceof BucketError) || error.code !== 'condition-unsupported') throw error;
    throw noConditionalWrites(bucket, error.message);
  }
}

/** `body` differs from the object's, which tells repeated writes from foreign ones. @throws UsageError if one works */
export async function assertRefusals(bucket: Bucket, key: string, body: Buffer): Promise<void> {
  const refused: [what: string, condition: Condition][] = [
    ['a second write with If-None-Match: *', { absent: true }],
    ['a write with If-Match of another tag', { tag: '"00000000000000000000000000000000"' }],
  ];
  for (const [what, condition] of refused) {
    const isWritten = await writeIf(bucket, key, body, condition).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ConditionFailed) return false;
        throw error;
      },
    );
    if (isWritten) throw noConditionalWrites(bucket, `${what} was written`);
  }
}
