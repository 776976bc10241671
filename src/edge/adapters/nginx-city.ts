/**
 * The one thing that nginx's own configuration cannot do for a usual request: the folder of its city. Apart from the
 * router, since njs makes a copy of all that a file defines for each request that uses it.
 */

/** The part of njs's request object that is used. */
type NginxRequest = {
  variables: Record<string, string | undefined>;
  rawVariables: Record<string, Buffer | undefined>;
};

/** The lower-case hexadecimal digits of the city of a usual request, which is well-formed. */
export function hexadecimal(request: NginxRequest): string {
  const bytes = request.rawVariables.catalogue_plain_city!;
  if (bytes.indexOf('%') < 0 && bytes.indexOf('+') < 0) return bytes.toString('hex');
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    text += byte === 43 ? ' ' : byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16)}`;
  }
  return Buffer.from(decodeURIComponent(text)).toString('hex');
}
