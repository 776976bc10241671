import { eitherSettings } from '../runtime/reply-settings.ts';
import { targetCode } from '../shared/bundle.ts';
import { instructions } from '../shared/readme.ts';
import type { Target } from '../target.ts';

/** Deno, Netlify and Vercel, over any HTTP server that has the files. */
export const fetchHandler: Target = {
  name: 'fetch-handler',
  title: 'Deno, Netlify Edge, Vercel Edge',
  generate: (input) => ({
    files: [
      {
        path: 'handler.js',
        content: targetCode('fetch-handler', {
          ...eitherSettings(input),
          origin: input.configuration.origin,
        }),
      },
      { path: 'deno.js', content: DENO },
      { path: 'netlify/edge-functions/catalogue.js', content: NETLIFY },
      { path: 'vercel/middleware.js', content: VERCEL },
      instructions(input, {
        title: 'Deno, Netlify Edge, Vercel Edge',
        steps: STEPS,
        publish: 's3://<bucket>',
      }),
    ],
  }),
};

/** What the README says. */
const STEPS = [
  'Serve `dist/public` as plain files, best with entity tags, from any HTTP server or bucket (the origin), to which `catalogue publish` brings them. It must be another host than the one of the handler, which would else ask itself.',
  'Where the origin is an object store that answers 403 or 410 for a key that it does not have, set `origin: bucket` in `catalogue.yaml` and build again. Every other answer than a file or a 404 is a failure of the origin: 502 `list-unavailable`.',
  'Set the environment variable `CATALOGUE_ORIGIN` to the URL of those files, without a trailing slash.',
  'Deno: deploy `deno.js` and `handler.js` (`deno run --allow-net --allow-env deno.js`, or Deno Deploy).',
  "Netlify: copy `handler.js` and `netlify/` into the site's folder; `netlify/edge-functions/catalogue.js` then answers every path.",
  'Vercel: copy `handler.js` to the root of the project, and `vercel/middleware.js` beside it as `middleware.js`, with its import changed to `./handler.js`.',
  'Anything else that has `Request` and `Response`: `handle(request, origin, context)` of `handler.js` answers a request; `context` has `waitUntil`, or is left out.',
];

const DENO = `import { handle } from './handler.js';

const context = { waitUntil: () => {} };

Deno.serve((request) => handle(request, Deno.env.get('CATALOGUE_ORIGIN'), context));
`;

const NETLIFY = `import { handle } from '../../handler.js';

export default (request, context) => handle(request, Netlify.env.get('CATALOGUE_ORIGIN'), context);

export const config = { path: '/*' };
`;

const VERCEL = `import { handle } from '../handler.js';

export default (request, context) => handle(request, process.env.CATALOGUE_ORIGIN, context);
`;
