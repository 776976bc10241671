import { targetCode } from './bundle.ts';
import { replySettings } from './settings.ts';
import type { Target } from './target.ts';

/** The date of the runtime's behaviour that the worker was tested with. */
const COMPATIBILITY_DATE = '2026-01-01';

/** A Cloudflare Worker over an R2 bucket. */
export const cloudflareWorker: Target = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Worker',
  generate: (input) => ({
    files: [
      { path: 'worker.js', content: targetCode('cloudflare-worker', replySettings(input)) },
      { path: 'wrangler.jsonc', content: WRANGLER },
    ],
  }),
};

const WRANGLER = `{
  // The name of the worker, and of the bucket that has the files of dist/public: set both.
  "name": "property-catalogue",
  "main": "worker.js",
  "compatibility_date": "${COMPATIBILITY_DATE}",
  "r2_buckets": [{ "binding": "CATALOGUE", "bucket_name": "property-catalogue" }]
}
`;
