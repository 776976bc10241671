import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { workerServer } from './servers/workerd.ts';

it('answers every request as decided, as a Cloudflare Worker', async () => {
  const outcome = await runConformance(workerServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
