import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { haproxyServer } from './servers/haproxy.ts';

it('answers every request as decided, in HAProxy', { timeout: 300_000 }, async () => {
  const outcome = await runConformance(haproxyServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
