/** Checks signed releases: each live release has a statement; numbers increase and name one release each. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import type { SigningOptions } from '../../src/publish/sign.ts';
import { json } from './reading.ts';
import type { Effect, Stored } from './store.ts';

export const SIGNING: SigningOptions = { keys: [generateKeyPairSync('ed25519').privateKey], days: 90 };
export const STATEMENTS = '_catalogue/statements/';

const keyOf = ({ body }: Stored) => `${STATEMENTS}${createHash('sha256').update(body).digest('hex')}.ndjson`;

export function createNumbers(complain: (text: string) => void) {
  const numbers = new Map<string, number>();
  let last = 0;
  return {
    /** A statement was written or removed. */
    signed({ key, after }: Effect): void {
      if (!after) {
        numbers.delete(key);
        return;
      }
      const line = after.body.subarray(0, after.body.indexOf('\n'));
      const { number } = json<{ number: number }>({ ...after, body: line });
      if (number < (numbers.get(key) ?? 0)) complain(`number ${number} replaces a greater one`);
      for (const [other, one] of numbers)
        if (one === number && other !== key) complain(`number ${number} names two releases`);
      numbers.set(key, number);
    },
    /** A release became live. */
    live(root: Stored): void {
      const number = numbers.get(keyOf(root));
      if (number === undefined) complain('a release is live without a statement');
      else if (number < last) complain(`number ${number} is live after number ${last}`);
      last = number ?? last;
    },
    rest(root: Stored): void {
      if (last > 0 && !numbers.has(keyOf(root))) complain('at rest, the live release has no statement');
    },
  };
}
