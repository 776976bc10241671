import { CLOUDFRONT_PUBLISH, cloudfrontTemplateView } from '../shared/cloudfront.ts';
import { readmeFile } from '../shared/readme.ts';
import { layoutRefusal } from '../shared/refusal.ts';
import { replySettings, targetCode } from '../shared/target-code.ts';
import type { Target, TargetInput, TargetResult } from '../target.ts';
import { keyValueEntries } from './key-value-entries.ts';

export const MAX_CODE_BYTES = 10_240;
/** CloudFront's limit for a key value store. */
export const MAX_STORE_BYTES = 5 * 1024 * 1024;

const BROKEN_LIST = 'list-unavailable';

export const cloudfrontFunction: Target = {
  title: 'CloudFront Function',
  about: {
    use: 'AWS, the cheapest',
    runs: 'the router at each edge location',
    needs: 'totals in a key value store, at most 5 MB: some 85,000 scopes',
  },
  code: { 'cloudfront-function': { entry: 'cloudfront-function/viewer-request.ts' } },
  generate: (input): TargetResult => {
    const layout = layoutRefusal(input.configuration.layout, 'A CloudFront Function');
    if (layout) return layout;
    const { base, sizes, cache, digests, problems, edge } = replySettings(input);
    // The code contains the problem that it sends if the store is unreadable. The store has all other problems.
    const broken = { [BROKEN_LIST]: problems[BROKEN_LIST]! };
    const code = targetCode('cloudfront-function', { base, sizes, cache, digests, edge, problems: broken });
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
        readmeFile(input, {
          target: 'cloudfront-function',
          title: 'CloudFront Function',
          publish: `${CLOUDFRONT_PUBLISH} --key-value-store <arn>`,
          view: cloudfrontTemplateView(input),
        }),
      ],
    };
  },
};

function refuse(code: 'target-code-size' | 'target-store-size', message: string): TargetResult {
  return { refusal: { code, message } };
}

function storeImport({ scopes, problems }: TargetInput): string {
  const data = Array.from(keyValueEntries(scopes, problems), ([key, value]) => ({ key, value }));
  return JSON.stringify({ data });
}
