import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { lambdaServer } from './servers/lambda.ts';

it('answers every request as decided, in Lambda@Edge', async () => {
  const outcome = await runConformance(lambdaServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
