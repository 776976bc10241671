import { PAGES_FOLDER } from '../contract/layout.ts';
import { targetCode } from './bundle.ts';
import { problemReplies, replySettings } from './settings.ts';
import type { Target, TargetInput, TargetResult } from './target.ts';

/** The most that CloudFront takes as the code of a function, in bytes. */
export const MAX_CODE_BYTES = 10_240;
/** The most that a key value store holds, in bytes. */
export const MAX_STORE_BYTES = 5 * 1024 * 1024;

/** CloudFront, with a function for viewer requests and a key value store. */
export const cloudfrontFunction: Target = {
  name: 'cloudfront-function',
  title: 'CloudFront Function',
  generate: (input): TargetResult => {
    const { base, sizes, cache, digests } = replySettings(input);
    const code = targetCode('cloudfront-function', { base, sizes, cache, digests });
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
      ],
    };
  },
};

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
