import { targetCode } from './bundle.ts';
import { replySettings } from './settings.ts';
import type { Target } from './target.ts';

/** CloudFront over S3, with Lambda@Edge for origin requests. */
export const lambdaEdge: Target = {
  name: 'lambda-edge',
  title: 'Lambda@Edge',
  generate: (input) => ({
    files: [{ path: 'index.mjs', content: targetCode('lambda-edge', replySettings(input)) }],
  }),
};
