import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { nginxNjsServer } from './servers/nginx.ts';

it('answers every request as decided, in nginx with njs', async () => {
  const outcome = await runConformance(nginxNjsServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
