// A function of Cloudflare Pages for every path: the worker, over the files of the project.
import worker from '../worker.js';

export const onRequest = (context) => worker.fetch(context.request, context.env, context);
