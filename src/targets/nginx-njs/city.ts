/**
 * The one thing that nginx's own configuration cannot do for a usual request: the folder of its city. Apart from the
 * router, since njs makes a copy of all that a file defines for each request that uses it.
 */

/** The part of njs's request object that is used. */
type NginxRequest = { variables: Record<string, string | undefined> };

/** The lower-case hexadecimal digits of the city of a usual request, which is well-formed and ASCII. */
function hexadecimal(request: NginxRequest): string {
  let text = request.variables.catalogue_plain_city!;
  if (text.indexOf('+') >= 0) text = text.split('+').join(' ');
  return Buffer.from(text.indexOf('%') < 0 ? text : decodeURIComponent(text)).toString('hex');
}

// biome-ignore lint/style/noDefaultExport: njs calls what is exported so
export default { hexadecimal };
