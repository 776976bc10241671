import { isDeepStrictEqual } from 'node:util';
import { readYamlExactly } from '../source/yaml-document.ts';
import { CONFLICT_MARK } from '../source/yaml-errors.ts';
import { yamlComments } from './editable-text.ts';
import { refusalOf } from './set-fields.ts';

export type ConflictedVersions = {
  /** Includes comments that only `theirs` has. */
  readonly yours: string;
  readonly theirs: string;
  /** Undefined unless `merge.conflictStyle` of Git is `diff3` or `zdiff3`. */
  readonly base: string | undefined;
  /** Labels that Git writes after the conflict markers, such as `HEAD` and the name of a branch. */
  readonly names: readonly [yours: string, theirs: string];
};

const MARK = /^([<|=>])\1{6}(?: (.*?))?\r?\n?$/;

type ConflictRange = { readonly start: number; readonly end: number; readonly at: number };

/** Separates the versions in a text with conflict markers of Git. Undefined unless both versions can be edited. */
export function conflictedVersions(text: string): ConflictedVersions | undefined {
  if (!CONFLICT_MARK.test(text)) return undefined;
  const parts = { '<': '', '|': '', '>': '' };
  const names = { '<': '', '>': '' };
  const places: ConflictRange[] = [];
  let part: '' | '<' | '|' | '>' = '';
  let start = { yours: 0, theirs: 0 };
  let hasBase = true;
  for (const line of text.split(/(?<=\n)/)) {
    const [, mark, name = ''] = MARK.exec(line) ?? [];
    if (mark === '<' && part === '') {
      part = '<';
      start = { yours: parts['<'].length, theirs: parts['>'].length };
      names['<'] ||= name;
    } else if (mark === '|' && part === '<') part = '|';
    else if (mark === '=' && (part === '<' || part === '|')) {
      hasBase &&= part === '|';
      part = '>';
    } else if (mark === '>' && part === '>') {
      places.push({ start: start.theirs, end: parts['>'].length, at: start.yours });
      names['>'] ||= name;
      part = '';
    } else if (mark !== undefined && part !== '') return undefined;
    else if (part !== '') parts[part] += line;
    else for (const one of ['<', '|', '>'] as const) parts[one] += line;
  }
  const { '<': own, '|': base, '>': theirs } = parts;
  if (places.length === 0 || part !== '' || !isReadable(own) || !isReadable(theirs)) return undefined;
  const yours = withComments(own, theirs, places);
  const versions = { yours, theirs, base: hasBase ? base : undefined };
  return isSameValue(own, yours) ? { ...versions, names: [names['<'], names['>']] } : undefined;
}

function isReadable(text: string): boolean {
  return refusalOf(text) === undefined && readYamlExactly(text, '').diagnostics.length === 0;
}

function isSameValue(one: string, other: string): boolean {
  const [before, after] = [one, other].map((text) => readYamlExactly(text, ''));
  return after!.diagnostics.length === 0 && isDeepStrictEqual(before!.value, after!.value);
}

/** Inserts, above the lines of each conflict, the comments that only `theirs` has there. */
function withComments(yours: string, theirs: string, places: readonly ConflictRange[]): string {
  const known = yamlComments(yours).map(({ source }) => source.trimEnd());
  const missing = yamlComments(theirs).filter(({ source }) => {
    const place = known.indexOf(source.trimEnd());
    if (place >= 0) known.splice(place, 1);
    return place < 0;
  });
  const ending = yours.includes('\r\n') ? '\r\n' : '\n';
  return places.reduceRight((text, { start, end, at }) => {
    const own = missing.filter(({ offset }) => offset >= start && offset < end);
    const lines = own.map(({ source }) => source.trimEnd() + ending).join('');
    return text.slice(0, at) + lines + text.slice(at);
  }, yours);
}
