import { targetCode } from './bundle.ts';
import { replySettings } from './settings.ts';
import type { Target } from './target.ts';

/** Deno, Netlify and Vercel, over any HTTP server that has the files. */
export const fetchHandler: Target = {
  name: 'fetch-handler',
  title: 'Deno, Netlify Edge, Vercel Edge',
  generate: (input) => ({
    files: [
      { path: 'handler.js', content: targetCode('fetch-handler', replySettings(input)) },
      { path: 'deno.js', content: DENO },
      { path: 'netlify/edge-functions/catalogue.js', content: NETLIFY },
      { path: 'vercel/middleware.js', content: VERCEL },
    ],
  }),
};

const DENO = `import { handle } from './handler.js';

Deno.serve((request) => handle(request, Deno.env.get('CATALOGUE_ORIGIN')));
`;

const NETLIFY = `import { handle } from '../../handler.js';

export default (request) => handle(request, Netlify.env.get('CATALOGUE_ORIGIN'));

export const config = { path: '/*' };
`;

const VERCEL = `import { handle } from '../handler.js';

export default (request) => handle(request, process.env.CATALOGUE_ORIGIN);
`;
