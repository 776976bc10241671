import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { nodeServer } from './servers/node.ts';

it('answers every request as decided, in Node', async () => {
  const outcome = await runConformance(nodeServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
