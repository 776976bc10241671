import { readmeFile } from '../shared/readme.ts';
import { replySettingsForPageCutting, targetCode } from '../shared/target-code.ts';
import { renderTemplate } from '../shared/template.ts';
import type { Target } from '../target.ts';

export const fetchHandler: Target = {
  title: 'Deno, Netlify Edge, Vercel Edge',
  about: {
    use: 'Deno, Netlify Edge, Vercel Edge, anything with `Request` and `Response`',
    runs: 'the router, over any HTTP server that has the files',
  },
  code: {
    'fetch-handler': {
      entry: 'fetch-handler/handler.ts',
      isModern: true,
      cutsPages: true,
      servesPreviews: true,
    },
  },
  generate: (input) => {
    const settings = { ...replySettingsForPageCutting(input), origin: input.configuration.origin };
    return {
      files: [
        { path: 'handler.js', content: targetCode('fetch-handler', settings, true) },
        { path: 'deno.js', content: renderTemplate('fetch-handler/platforms/deno.js', {}) },
        {
          path: 'netlify/edge-functions/catalogue.js',
          content: renderTemplate('fetch-handler/platforms/netlify.js', {}),
        },
        { path: 'vercel/middleware.js', content: renderTemplate('fetch-handler/platforms/vercel.js', {}) },
        readmeFile(input, {
          target: 'fetch-handler',
          title: 'Deno, Netlify Edge, Vercel Edge',
          ...(input.configuration.host === 'netlify'
            ? { afterwards: ['npx netlify-cli@23 deploy --prod --no-build --dir dist/public --site <id>'] }
            : { publish: 's3://<bucket>' }),
        }),
      ],
    };
  },
};
