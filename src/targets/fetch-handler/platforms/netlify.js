import { handle } from '../../handler.js';

export default (request, context) => handle(request, Netlify.env.get('CATALOGUE_ORIGIN'), context);

export const config = { path: '/*' };
