import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { fetchServer } from './servers/workerd.ts';

it('answers every request as decided, as a handler of Request and Response', async () => {
  const outcome = await runConformance(fetchServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
