/** Decides who may read a path. Servers that run no code get {@link ACCESS_RULES} as part of their configuration. */
import { CHANGES_FOLDER, DOWNLOAD_BASENAME } from './document-keys.ts';
import {
  DATA_FOLDER,
  INCOMING_FOLDER,
  LOG_FOLDER,
  PREVIEWS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
} from './object-keys.ts';

/** `internal`: never served. `guarded`: needs an API key if the catalogue has `api_keys`. */
export type Access = 'internal' | 'guarded' | 'open';

export type AccessRule = {
  /** Lower-case prefix of the keys that the rule covers. The prefix of a folder ends with `/`. */
  readonly start: string;
  readonly access: Access;
};

/**
 * The first rule whose `start` matches a key decides. A key that matches no rule is open. The rule of the whole folder
 * `_catalogue/` guards every file in it that no earlier rule covers, so a new kind of file is guarded too.
 */
export const ACCESS_RULES: readonly AccessRule[] = [
  { start: `${LOG_FOLDER}/`, access: 'internal' },
  { start: `${INCOMING_FOLDER}/`, access: 'internal' },
  // A target that serves previews answers a request for a preview before it checks these rules.
  { start: `${PREVIEWS_FOLDER}/`, access: 'internal' },
  { start: `${PROPERTIES_FOLDER}/`, access: 'open' },
  { start: `${PROBLEMS_FOLDER}/`, access: 'open' },
  { start: `${DATA_FOLDER}/`, access: 'guarded' },
  { start: `${DOWNLOAD_BASENAME}.`, access: 'guarded' },
  { start: `${CHANGES_FOLDER}/`, access: 'guarded' },
];

/** Maximum rounds of percent-decoding. File servers decode a path at most twice, so this leaves a margin of one. */
const DECODINGS = 3;

/**
 * Interprets a path as the most lenient server might: percent-decoded, even repeatedly; dot segments, empty segments
 * and backslashes resolved (RFC 3986, 5.2.4); in lower case, since some file systems ignore case. Runs on every
 * JavaScript platform, like the router.
 * @param path a key, or the path of a URL below `base`, in any spelling, without query
 * @example
 * accessOf('/stays/media/%2e%2e/_Catalogue//%6cog/x', '/stays') // 'internal'
 */
export function accessOf(path: string, base?: string): Access {
  // A trailing slash, so that the path of a folder matches the folder's rule.
  let key = `${plain(path)}/`;
  const root = plain(base || '');
  if (root !== '') {
    if (key.slice(0, root.length + 1) !== `${root}/`) return 'open';
    key = key.slice(root.length + 1);
  }
  for (let index = 0; index < ACCESS_RULES.length; index++) {
    const rule = ACCESS_RULES[index]!;
    if (key.slice(0, rule.start.length) === rule.start) return rule.access;
  }
  return 'open';
}

function plain(path: string): string {
  let text = path;
  for (let round = 0; round < DECODINGS && text.indexOf('%') >= 0; round++) {
    text = text.replace(/%([0-9A-Fa-f]{2})/g, (_, byte: string) =>
      String.fromCharCode(Number.parseInt(byte, 16)),
    );
  }
  const segments: string[] = [];
  const sent = text.split(/[/\\]/);
  for (let index = 0; index < sent.length; index++) {
    if (sent[index] === '..') segments.pop();
    else if (sent[index] !== '' && sent[index] !== '.') segments.push(sent[index]!);
  }
  return segments.join('/').toLowerCase();
}
