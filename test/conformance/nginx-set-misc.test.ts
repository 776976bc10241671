import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { nginxServer } from './servers/nginx-set-misc.ts';

it('answers every request as decided, in nginx with set-misc', { timeout: 300_000 }, async () => {
  const outcome = await runConformance(nginxServer, { keys: false, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
