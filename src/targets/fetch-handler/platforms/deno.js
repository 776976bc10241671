import { handle } from './handler.js';

const context = { waitUntil: () => {} };

Deno.serve((request) => handle(request, Deno.env.get('CATALOGUE_ORIGIN'), context));
