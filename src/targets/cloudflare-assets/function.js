// Cloudflare Pages calls this function for every path. It runs the worker over the project's files.
import worker from '../worker.js';

export const onRequest = (context) => worker.fetch(context.request, context.env, context);
