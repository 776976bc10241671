import { readmeFile } from '../shared/readme.ts';
import { replySettingsForLayout, targetCode } from '../shared/target-code.ts';
import { renderTemplate } from '../shared/template.ts';
import type { Target } from '../target.ts';

export const cloudflareAssets: Target = {
  title: 'Cloudflare Worker with static assets',
  about: {
    use: 'Cloudflare, without a bucket',
    runs: 'the router',
    needs: 'at most 20,000 files, 100,000 on a paid plan',
  },
  code: { 'cloudflare-assets': { entry: 'cloudflare-assets/worker.ts', isModern: true, cutsPages: true } },
  generate: (input) => {
    const { host, layout } = input.configuration;
    const isPages = host === 'cloudflare-pages';
    const code = targetCode('cloudflare-assets', replySettingsForLayout(input), layout === 'packed');
    return {
      files: [
        { path: 'worker.js', content: code },
        isPages
          ? { path: 'functions/[[path]].js', content: renderTemplate('cloudflare-assets/function.js', {}) }
          : { path: 'wrangler.jsonc', content: renderTemplate('cloudflare-assets/wrangler.jsonc', {}) },
        readmeFile(input, {
          target: 'cloudflare-assets',
          title: 'Cloudflare Worker with static assets',
          afterwards: [isPages ? PAGES_DEPLOY : WORKER_DEPLOY],
          view: { isPages },
        }),
      ],
    };
  },
};

const WORKER_DEPLOY =
  'npx wrangler deploy --config dist/edge/cloudflare-assets/wrangler.jsonc --name <worker>';
const PAGES_DEPLOY =
  'npx wrangler pages deploy ../../public --project-name <project> --cwd dist/edge/cloudflare-assets';
