/** Separate from the router: njs copies a file's definitions for each request that uses the file. */

type NginxRequest = { variables: Record<string, string | undefined> };

function hexadecimal(request: NginxRequest): string {
  let text = request.variables.catalogue_plain_city!;
  if (text.indexOf('+') >= 0) text = text.split('+').join(' ');
  return Buffer.from(text.indexOf('%') < 0 ? text : decodeURIComponent(text)).toString('hex');
}

// biome-ignore lint/style/noDefaultExport: njs calls the default export
export default { hexadecimal };
