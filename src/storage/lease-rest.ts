import { EnvironmentError } from '../errors/errors.ts';
import type { Bucket } from './bucket.ts';
import { quietTime } from './challenge.ts';
import type { LeaseOptions } from './lease.ts';
import { readLease } from './lease-record.ts';
import { elapsedAtLeast, thisMachine } from './machine.ts';

/** Milliseconds between reads. */
const POLL_INTERVAL = 2000;
/** Milliseconds after which a lease that is held all the time counts as never given back. */
const PATIENCE = 15 * 60_000;

/** Writes nothing, so that it delays no publisher. @throws EnvironmentError `bucket-locked` after {@link PATIENCE} */
export async function untilAtRest(
  bucket: Bucket,
  { host = thisMachine(), note = () => {} }: LeaseOptions = {},
): Promise<void> {
  const began = host.instant();
  let seen = { tag: '', at: began };
  for (;;) {
    const found = await readLease(bucket);
    if (!found) return;
    const { held, owner } = found.record;
    if (found.tag !== seen.tag) {
      if (held && seen.tag === '') note(`Waiting for ${owner}, who is publishing to ${bucket.name}.`);
      seen = { tag: found.tag, at: host.instant() };
    }
    const age = found.age ?? elapsedAtLeast(host, seen.at);
    // A silent holder may renew its lease and continue, unless another one has taken it (seed 3214739).
    if (held) {
      if (elapsedAtLeast(host, began) >= PATIENCE) throw heldError(bucket, owner);
      await host.sleep(POLL_INTERVAL);
      continue;
    }
    const rest = bucket.fence ? 0 : quietTime({ ...found, age }, false);
    if (rest <= 0) return;
    await host.sleep(Math.min(rest, POLL_INTERVAL));
  }
}

function heldError({ name }: Bucket, owner: string): EnvironmentError {
  return new EnvironmentError(
    'bucket-locked',
    `${owner} has held the lock of ${name} for a quarter of an hour. Run the command again when that publish has ended, or after the next one.`,
  );
}
