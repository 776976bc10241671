/**
 * Undefined for an invalid URL. Does not use `URL.canParse`, which refuses letters such as "ü" once Node.js 20 or 22
 * has optimised it.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const USUAL_LINK = /^https?:\/\/(?:[a-z]+(?:-[a-z]+)*\.)+[a-z]+(?:\/[\w./-]*)?$/;

/** A quick test for links with a plain host name: parsing a URL takes three times as long. */
const isUsualLink = (value: string): boolean => USUAL_LINK.test(value);

export function isHttpsUrl(value: string): boolean {
  return isUsualLink(value)
    ? value.startsWith('https:')
    : /^https:\/\/[^\s\\/][^\s\\]*$/i.test(value) && !!parseUrl(value);
}

export function isRelativePath(value: string): boolean {
  return !/^[/~]|^[A-Za-z]:|\\/.test(value) && !value.endsWith('/');
}

/** A web link has http or https and a host, but no user name or password. */
export function isWebLink(value: string): boolean {
  if (isUsualLink(value)) return true;
  if (!/^https?:\/\/[^\s\\/]\S*$/i.test(value) || value.includes('\\')) return false;
  const url = parseUrl(value);
  return url !== undefined && url.hostname !== '' && url.username + url.password === '';
}
