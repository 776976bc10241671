/** Links and paths of photos. */

/** A link to a name of plain words. It needs no parser, which takes three times as long. */
const USUAL_LINK = /^https:\/\/(?:[a-z]+(?:-[a-z]+)*\.)+[a-z]+\/[\w./-]*$/;

/**
 * Whether a text is an address by https.
 *
 * @example
 * isHttpsUrl('https://photos.example/front.jpg') // true
 */
export function isHttpsUrl(value: string): boolean {
  return USUAL_LINK.test(value) || (/^https:\/\/[^\s\\/][^\s\\]*$/i.test(value) && URL.canParse(value));
}

/**
 * Whether a text is a path as editors write it, relative to the YAML file.
 *
 * @example
 * isRelativePath('../photos/front.jpg') // true
 */
export function isRelativePath(value: string): boolean {
  return !/^[/~]|^[A-Za-z]:|\\/.test(value) && !value.endsWith('/');
}
