import { readmeFile } from '../shared/readme.ts';
import { replySettingsForPageCutting, targetCode } from '../shared/target-code.ts';
import { renderTemplate } from '../shared/template.ts';
import type { Target, TargetInput } from '../target.ts';

export const cloudflareWorker: Target = {
  title: 'Cloudflare Worker',
  about: { use: 'Cloudflare, over an R2 bucket', runs: 'the router, with the Cache API' },
  code: {
    'cloudflare-worker': {
      entry: 'cloudflare-worker/worker.ts',
      isModern: true,
      cutsPages: true,
      servesPreviews: true,
    },
  },
  generate: (input) => ({
    files: [
      {
        path: 'worker.js',
        content: targetCode('cloudflare-worker', replySettingsForPageCutting(input), true),
      },
      { path: 'wrangler.jsonc', content: renderTemplate('cloudflare-worker/wrangler.jsonc', {}) },
      readmeFile(input, {
        target: 'cloudflare-worker',
        title: 'Cloudflare Worker',
        publish: publish(input),
        view: { isCut: input.configuration.layout !== 'pages' },
      }),
    ],
  }),
};

function publish({ configuration }: TargetInput): string {
  return `s3://<bucket> --endpoint https://<account>.r2.cloudflarestorage.com --cloudflare <zone> --base-url ${configuration.base_url}`;
}
