import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { caddyServer } from './servers/caddy.ts';

it('answers every request as decided, in Caddy', { timeout: 300_000 }, async () => {
  const outcome = await runConformance(caddyServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
