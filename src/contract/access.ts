/**
 * Access rules of paths: the only place that decides who may read a path (`docs/decisions.md`, "API keys"). Targets
 * that run code call {@link accessOf}; targets that are configuration are generated from {@link ACCESS_RULES}.
 */
import { CHANGES_FOLDER, DOWNLOAD_NAME } from './document-keys.ts';
import {
  DATA_FOLDER,
  INCOMING_FOLDER,
  LOCK_KEY,
  PREVIEWS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
  RELEASES_FOLDER,
} from './object-keys.ts';

/**
 * Access to a path. `internal`: served by no target; the answer is the problem `not-found`. `guarded`: with `api_keys`,
 * requests without a key get the problem `invalid-api-key`. `open`: needs no key.
 */
export type Access = 'internal' | 'guarded' | 'open';

export type AccessRule = {
  /** Prefix of keys, in lower case; a folder ends with `/`. */
  readonly start: string;
  readonly access: Access;
};

/**
 * The first rule with a matching prefix decides; a key without a rule is open. Below `_catalogue/`, everything else is
 * guarded, so that a new file is guarded until this table says otherwise.
 */
export const ACCESS_RULES: readonly AccessRule[] = [
  { start: `${RELEASES_FOLDER}/`, access: 'internal' },
  { start: LOCK_KEY, access: 'internal' },
  { start: `${INCOMING_FOLDER}/`, access: 'internal' },
  // Targets that serve previews take these paths first.
  { start: `${PREVIEWS_FOLDER}/`, access: 'internal' },
  { start: `${PROPERTIES_FOLDER}/`, access: 'open' },
  { start: `${PROBLEMS_FOLDER}/`, access: 'open' },
  { start: `${DATA_FOLDER}/`, access: 'guarded' },
  { start: `${DOWNLOAD_NAME}.`, access: 'guarded' },
  { start: `${CHANGES_FOLDER}/`, access: 'guarded' },
];

/** Number of times a path is decoded: once more than any server after a target does. */
const DECODINGS = 3;

/**
 * Determines the access to a path below the base URL. Interprets it as the most lenient server might: percent-decoded,
 * even repeatedly; dot segments, empty segments and backslashes resolved (RFC 3986, 5.2.4); in lower case, since some
 * file systems ignore case. Runs in every JavaScript platform, like the router.
 *
 * @param path a key, or the path of a URL below `base`, in any spelling; without query.
 * @param base path of the base URL that `path` starts with; none for a key.
 *
 * @example
 * accessOf('_catalogue/manifest.json') // 'guarded'
 * accessOf('/stays/media/%2e%2e/_Catalogue//%72eleases/x', '/stays') // 'internal'
 */
export function accessOf(path: string, base?: string): Access {
  // With a trailing slash, a folder's path matches its own prefix.
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
