import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { varnishServer } from './servers/varnish.ts';

it('answers every request as decided, in Varnish', { timeout: 300_000 }, async () => {
  const outcome = await runConformance(varnishServer, { keys: false, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
