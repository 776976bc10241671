import { expect, it } from 'vitest';
import { failureText, runConformance } from './conformance.ts';
import { cloudfrontServer } from './servers/cloudfront.ts';

it('answers every request as decided, as a CloudFront Function', async () => {
  const outcome = await runConformance(cloudfrontServer, { keys: true, seed: 1, fuzz: 3000 });
  expect(failureText(outcome)).toBe('');
});
