import { eitherSettings } from '../runtime/reply-settings.ts';
import { targetCode } from '../shared/bundle.ts';
import { instructions } from '../shared/readme.ts';
import type { Target, TargetInput } from '../target.ts';

/** The date of the runtime's behaviour that the worker was tested with. */
const COMPATIBILITY_DATE = '2026-01-01';

/** A Cloudflare Worker over an R2 bucket. */
export const cloudflareWorker: Target = {
  name: 'cloudflare-worker',
  title: 'Cloudflare Worker',
  generate: (input) => ({
    files: [
      { path: 'worker.js', content: targetCode('cloudflare-worker', eitherSettings(input)) },
      { path: 'wrangler.jsonc', content: WRANGLER },
      instructions(input, { title: 'Cloudflare Worker', steps: steps(input), publish: publish(input) }),
    ],
  }),
};

/** How the files come to R2; the purge concerns the zone of the route. */
function publish({ configuration }: TargetInput): string {
  return `s3://<bucket> --endpoint https://<account>.r2.cloudflarestorage.com --cloudflare <zone> --base-url ${configuration.base_url}`;
}

/** What the README says. */
function steps({ configuration }: TargetInput): string[] {
  return [
    'Create an R2 bucket; `catalogue publish`, below, brings the files there. A catalogue has more files than static assets of a worker may be. Do not make the bucket public.',
    'Set the name of the worker and of the bucket in `wrangler.jsonc`, and the route or custom domain of the base URL.',
    '`npx wrangler deploy` in this folder. The worker changes only with the configuration of the catalogue.',
    configuration.layout === 'pages'
      ? 'Answers are kept in the cache of each data centre, under one key for every spelling of a page, for as long as their `Cache-Control` says; purge it, or wait, after an upload.'
      : 'The parts of the list are kept in memory and in the cache of each data centre; none of them ever changes but `_catalogue/current.json`, which is kept as `cache_control.release` says. Nothing has to be purged after an upload.',
  ];
}

const WRANGLER = `{
  // The name of the worker, and of the bucket that has the files of dist/public: set both.
  "name": "property-catalogue",
  "main": "worker.js",
  "compatibility_date": "${COMPATIBILITY_DATE}",
  "r2_buckets": [{ "binding": "CATALOGUE", "bucket_name": "property-catalogue" }]
}
`;
