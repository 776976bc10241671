/** What can be read of a file that breaks a rule of YAML: every field, and every entry of a list, that does not. */
import type { Document } from 'yaml';
import { parseWithinBounds } from './bounded-yaml.ts';
import { blanked, entrySections, fieldSections, type TextSection } from './section.ts';
import {
  type Breach,
  findBreaches,
  findConflicts,
  MAX_BREACHES,
  type TextRange,
  toLineEnd,
} from './yaml-errors.ts';

/** A path to a value that cannot be read: a field, or an entry of its list. */
export type UnreadPath = readonly [field: string] | readonly [field: string, index: number];

/** What is left of a file when the broken parts are taken out. */
export type Recovery = {
  /** The text with spaces in place of what is broken: every other place is the same. */
  readonly text: string;
  readonly unread: readonly UnreadPath[];
  /** Words at the beginnings of lines that were taken out: fields that are there, and cannot be read. */
  readonly mentioned: ReadonlySet<string>;
  /** Whether there is a line in the first column that names no field, and may have been meant to be any. */
  readonly hasStrayLine: boolean;
  readonly findings: readonly Finding[];
};

/** What breaks a rule, or is beyond a bound. */
type Finding =
  | ({ readonly kind: 'breach' } & Breach)
  | {
      readonly kind: 'excess';
      readonly code: 'nested-too-deep' | 'too-many-tokens';
      readonly limit: number;
      readonly range: TextRange;
    };

/** Tokens of files that are taken apart: several times more than a property has, and read up to four times. */
const MAX_RECOVERED_TOKENS = 5000;

/**
 * Takes a file apart.
 *
 * @param whole the same text as one document.
 * @returns undefined when it is too long for that, or what is broken is nowhere in particular.
 */
export function recover(text: string, whole: Document): Recovery | undefined {
  const budget = { left: MAX_RECOVERED_TOKENS };
  const findings: Finding[] = [];
  const unread: UnreadPath[] = [];
  const out: TextRange[] = [];
  for (const conflict of findConflicts(text)) {
    out.push(conflict.range);
    findings.push({ kind: 'breach', ...conflict.breach });
  }
  const rest = blanked(text, out);
  for (const section of fieldSections(rest)) {
    const found = findingsOf(rest, section, budget);
    if (budget.left < 0) return undefined;
    if (found.length === 0) continue;
    findings.push(...found);
    const entries = section.name === undefined ? [] : brokenEntries(rest, section, found, budget);
    for (const { entry, index, more } of entries) {
      findings.push(...more);
      unread.push([section.name!, index]);
      out.push([entry.value, entry.end]);
    }
    if (entries.length === 0) takeOut(section);
  }
  if (findings.length === 0) {
    // Each field is sound, so that something stands between them.
    for (const breach of findBreaches(whole, text)) {
      findings.push({ kind: 'breach', ...breach });
      const [place] = breach.range;
      for (const section of fieldSections(rest))
        if (section.start <= place && place < section.end) takeOut(section);
    }
  }
  if (findings.length === 0 || budget.left < 0) return undefined;
  return {
    text: blanked(text, out),
    unread,
    mentioned: wordsIn(text, out),
    hasStrayLine: out.some(([start, end]) => STRAY_LINE.test(text.slice(start, end))),
    findings: findings.slice(0, MAX_BREACHES),
  };

  function takeOut({ name, value, end }: TextSection): void {
    if (name !== undefined) unread.push([name]);
    out.push([value, end]);
  }
}

type Budget = { left: number };

/** What is wrong with a section alone. */
function findingsOf(text: string, { start, end }: TextSection, budget: Budget): Finding[] {
  const part = text.slice(start, end);
  const { document, excess, tokens } = parseWithinBounds(part, Math.max(0, budget.left));
  budget.left -= tokens;
  if (excess) {
    const place = start + excess.offset;
    return [{ kind: 'excess', code: excess.code, limit: excess.limit, range: [place, place + 1] }];
  }
  return findBreaches(document, part).map(({ args, range: [from, to] }) => ({
    kind: 'breach',
    args,
    range: from < part.length ? [start + from, start + to] : toLineEnd(text, start + from),
  }));
}

/**
 * The entries of a broken list that are broken themselves: those with a finding of the list in them, and those that are
 * no sound list alone. `more`: what is wrong with the latter.
 */
function brokenEntries(text: string, section: TextSection, found: readonly Finding[], budget: Budget) {
  return entrySections(text, section).flatMap((entry, index) => {
    if (found.some(({ range: [place] }) => entry.start <= place && place < entry.end)) {
      return [{ entry, index, more: [] }];
    }
    const more = findingsOf(text, entry, budget);
    return more.length === 0 ? [] : [{ entry, index, more }];
  });
}

/** What is neither indented, nor a comment, nor the entry of a list. */
const STRAY_LINE = /\n(?![ \t\r\n#-]|["']?[A-Za-z_][\w-]*["']?[ \t]*:)[^\n]/;

function wordsIn(text: string, stretches: readonly TextRange[]): Set<string> {
  const words = new Set<string>();
  for (const [start, end] of stretches) {
    for (const [, , word = ''] of text.slice(start, end).matchAll(/^[ \t]*(["']?)([A-Za-z_]\w*)\1/gm))
      words.add(word);
  }
  return words;
}
