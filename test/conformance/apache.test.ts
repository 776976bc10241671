import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { apacheServer } from './servers/apache.ts';

it('answers every request as decided, in Apache', { timeout: 300_000 }, async () => {
  const outcome = await runConformance(apacheServer, { keys: false, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
