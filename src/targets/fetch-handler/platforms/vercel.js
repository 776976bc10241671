import { handle } from '../handler.js';

export default (request, context) => handle(request, process.env.CATALOGUE_ORIGIN, context);
