/** Patterns of restricted paths for platforms that run no code: PCRE without flags, quotes or line breaks. */
import { ACCESS_RULES, type Access, type AccessRule } from '../../contract/access.ts';
import { literalPattern } from './query-regex.ts';

/** Case-insensitive, as some file systems are. `before`: expression for what precedes the key. */
export function accessPattern(access: Exclude<Access, 'open'>, before = '/'): string {
  const alternatives = ACCESS_RULES.flatMap((rule, index) => {
    if (rule.access !== access) return [];
    const others = ACCESS_RULES.slice(0, index).filter((earlier) => earlier.access !== access);
    const unless = others.filter((other) => other.start.startsWith(rule.start)).map(beginning);
    return [`${unless.length > 0 ? `(?!${unless.join('|')})` : ''}${beginning(rule)}`];
  });
  return `(?i)^${before}(?:${alternatives.join('|')})`;
}

/** A folder's path has the same access as the files in the folder. */
function beginning({ start }: AccessRule): string {
  return start.endsWith('/') ? `${literalPattern(start.slice(0, -1))}(?:/|$)` : literalPattern(start);
}
