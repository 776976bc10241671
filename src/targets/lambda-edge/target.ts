import { isPacked } from '../../contract/configuration.ts';
import { RELEASE_HEADER } from '../../contract/headers.ts';
import { eitherSettings } from '../runtime/reply-settings.ts';
import { targetCode } from '../shared/bundle.ts';
import { CLOUDFRONT_PUBLISH, cloudfrontSteps } from '../shared/cloudfront-steps.ts';
import { instructions } from '../shared/readme.ts';
import type { Target, TargetInput } from '../target.ts';

/** CloudFront over S3, with Lambda@Edge for origin requests. */
export const lambdaEdge: Target = {
  name: 'lambda-edge',
  title: 'Lambda@Edge',
  generate: (input) => ({
    files: [
      { path: 'index.mjs', content: targetCode('lambda-edge', eitherSettings(input)) },
      instructions(input, {
        title: 'Lambda@Edge',
        steps: [...steps(input), ...cloudfrontSteps(input)],
        publish: CLOUDFRONT_PUBLISH,
      }),
    ],
  }),
};

/** What the README says of the function. */
function steps({ configuration }: TargetInput): string[] {
  const packed = isPacked(configuration);
  const keys = 'the header `X-API-KEY` when the catalogue asks for keys';
  return [
    `Create a Lambda function in \`us-east-1\`, of the newest Node.js runtime, from \`index.mjs\` (handler \`index.handler\`), ${packed ? 256 : 128} MB, 10 s: it says by itself after 5 s that the bucket does not answer. Its role is one that \`lambda.amazonaws.com\` and \`edgelambda.amazonaws.com\` may assume, and may \`s3:GetObject\` in the bucket. It changes only with the configuration of the catalogue.`,
    'Publish a version, and associate it with the *origin request* of the behaviour. The origin is the bucket that has the files of `dist/public` at its root (an S3 origin, not a website), with an origin access control.',
    `Cache policy of the behaviour: the cache key holds *all* query strings, and ${packed ? `the header \`${RELEASE_HEADER}\`, and ${keys}` : keys}. Else one answer would be given to everybody.`,
  ];
}
