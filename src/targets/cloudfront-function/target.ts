import { PAGES_FOLDER } from '../../contract/keys.ts';
import { problemReplies, replySettings } from '../runtime/reply-settings.ts';
import { targetCode } from '../shared/bundle.ts';
import { CLOUDFRONT_PUBLISH, cloudfrontSteps } from '../shared/cloudfront-steps.ts';
import { instructions } from '../shared/readme.ts';
import { layoutRefusal } from '../shared/refusal.ts';
import type { Target, TargetInput, TargetResult } from '../target.ts';

/** The most that CloudFront takes as the code of a function, in bytes. */
export const MAX_CODE_BYTES = 10_240;
/** The most that a key value store holds, in bytes. */
export const MAX_STORE_BYTES = 5 * 1024 * 1024;

/** Name of the problem of a store that cannot be read. */
const BROKEN = 'list-unavailable';

/** CloudFront, with a function for viewer requests and a key value store. */
export const cloudfrontFunction: Target = {
  name: 'cloudfront-function',
  title: 'CloudFront Function',
  generate: (input): TargetResult => {
    const layout = layoutRefusal(input.configuration.layout, 'A CloudFront Function');
    if (layout) return layout;
    const { base, sizes, cache, digests, problems } = replySettings(input);
    // The other problems are in the store; this one is for when it cannot be read.
    const broken = { [BROKEN]: problems[BROKEN]! };
    const code = targetCode('cloudfront-function', { base, sizes, cache, digests, problems: broken });
    if (code.length > MAX_CODE_BYTES) {
      return refuse(
        'target-code-size',
        `The CloudFront Function has ${code.length} bytes; CloudFront takes ${MAX_CODE_BYTES}. Configure fewer API keys, or use the target lambda-edge.`,
      );
    }
    const store = storeImport(input);
    const bytes = Buffer.byteLength(store);
    if (bytes > MAX_STORE_BYTES) {
      return refuse(
        'target-store-size',
        `The totals of the catalogue's scopes take ${bytes} bytes; a CloudFront key value store takes ${MAX_STORE_BYTES}. Use the target lambda-edge or cloudflare-worker, which need no store.`,
      );
    }
    return {
      files: [
        { path: 'function.js', content: code },
        { path: 'key-value-store.json', content: store },
        instructions(input, {
          title: 'CloudFront Function',
          steps: [...STEPS, ...cloudfrontSteps(input)],
          publish: CLOUDFRONT_PUBLISH,
        }),
      ],
    };
  },
};

/** What the README says of the function; the rest is said of Lambda@Edge too. */
const STEPS = [
  'Create a key value store from `key-value-store.json`: put the file into a bucket, then `aws cloudfront create-key-value-store --name catalogue --import-source SourceType=S3,SourceARN=arn:aws:s3:::<bucket>/key-value-store.json`. It holds the total of every scope and the problem documents, and changes with the catalogue: after each build, and after the files, bring it up to date with `aws cloudfront-keyvaluestore update-keys`.',
  'Create a function of the runtime `cloudfront-js-2.0` from `function.js`, associate the store with it, and publish it. It changes only with the configuration of the catalogue.',
  'Associate the function with the *viewer request* of the behaviour, and let the origin be the bucket that has the files of `dist/public` at its root, with an origin access control.',
];

function refuse(code: 'target-code-size' | 'target-store-size', message: string): TargetResult {
  return { refusal: { code, message } };
}

/** The import file of the store: the total of each scope by its folder, and the problems by name, status first. */
function storeImport({ scopes, problems }: TargetInput): string {
  const data: { key: string; value: string }[] = [];
  for (const [name, [status, body]] of Object.entries(problemReplies(problems))) {
    data.push({ key: name, value: `${status} ${body}` });
  }
  for (const { folder, total } of scopes) {
    data.push({ key: folder.slice(PAGES_FOLDER.length + 1), value: String(total) });
  }
  return JSON.stringify({ data });
}
