/**
 * Which paths beside the API may be read, as regular expressions, for platforms that have no code: PCRE without flags,
 * free of quotes and of line ends.
 */
import { ACCESS_RULES, type Access, type AccessRule } from '../../contract/access.ts';
import { literal } from './query-regex.ts';

const SEGMENT = '[0-9A-Za-z_~-][0-9A-Za-z_.~-]*';

/**
 * Matches a path below the base that can be a file's, percent-decoded once: every segment is plain, and none is empty or
 * begins with a dot. No key holds another character, or is longer, so a path that this does not match names nothing, whatever a server
 * behind would read in it.
 */
export const PLAIN_PATH = `^(?=.{1,1024}\\z)/(?:${SEGMENT}/)*(?:${SEGMENT})?\\z`;

/**
 * Matches such a path that is of this access, by the rules of the contract: the first that fits decides. Case does not
 * matter, since some file systems know none.
 *
 * @param before expression of what stands before the key.
 */
export function accessPattern(access: Exclude<Access, 'open'>, before = '/'): string {
  const alternatives = ACCESS_RULES.flatMap((rule, index) => {
    if (rule.access !== access) return [];
    const others = ACCESS_RULES.slice(0, index).filter((earlier) => earlier.access !== access);
    const unless = others.filter((other) => other.start.startsWith(rule.start)).map(beginning);
    return [`${unless.length > 0 ? `(?!${unless.join('|')})` : ''}${beginning(rule)}`];
  });
  return `(?i)^${before}(?:${alternatives.join('|')})`;
}

/** A folder is itself what is in it. */
function beginning({ start }: AccessRule): string {
  return start.endsWith('/') ? `${literal(start.slice(0, -1))}(?:/|$)` : literal(start);
}
