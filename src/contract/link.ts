/**
 * Parses a URL, which may be relative to a base; undefined when it is invalid. Stands in for `URL.canParse`, which Node.js
 * 20 and 22 optimise after some thousand calls: from then on it refuses letters such as "ü".
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const USUAL_LINK = /^https?:\/\/(?:[a-z]+(?:-[a-z]+)*\.)+[a-z]+(?:\/[\w./-]*)?$/;

/** Tells whether a link has a plain host name. Spares the URL parser, which takes three times as long. */
const isUsualLink = (value: string): boolean => USUAL_LINK.test(value);

export function isHttpsUrl(value: string): boolean {
  return isUsualLink(value)
    ? value.startsWith('https:')
    : /^https:\/\/[^\s\\/][^\s\\]*$/i.test(value) && !!parseUrl(value);
}

export function isRelativePath(value: string): boolean {
  return !/^[/~]|^[A-Za-z]:|\\/.test(value) && !value.endsWith('/');
}

/** Tells whether a text is a link that may be shown as one: http or https, a host, no user name or password. */
export function isWebLink(value: string): boolean {
  if (isUsualLink(value)) return true;
  if (!/^https?:\/\/[^\s\\/]\S*$/i.test(value) || value.includes('\\')) return false;
  const url = parseUrl(value);
  return url !== undefined && url.hostname !== '' && url.username + url.password === '';
}
