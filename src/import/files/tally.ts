import { detachedCopy } from '../../values/memoize.ts';
import type { ImportFinding, ImportRepair, RepairCount, RepairExample } from '../finding.ts';

export type FindingCause = Pick<ImportFinding, 'code' | 'severity' | 'field' | 'help'> & {
  readonly count: number;
  /** Number of findings. `count` is the number of rows, and a row may have several findings. */
  readonly values: number;
  /** Number of rows whose findings are new since the last import. Examples of these come first. */
  readonly fresh: number;
  readonly examples: readonly { readonly at: string; readonly name: string; readonly message: string }[];
};

type Mutable<Counts> = { -readonly [Key in keyof Counts]: Counts[Key] };

export type TallyCounts = {
  readonly causes: readonly FindingCause[];
  readonly repairs: readonly RepairCount[];
  readonly words: readonly { readonly word: string; readonly count: number }[];
};

type Observation = {
  readonly at: string;
  readonly name: string;
  readonly findings: readonly ImportFinding[];
  readonly isFresh: (finding: ImportFinding) => boolean;
  readonly isChanged: (field: string) => boolean;
  readonly repairs: readonly ImportRepair[];
  readonly words: readonly string[];
};

/** Adds up the repairs of each field: the mapping and the validation may both have repaired the same field. */
export function mergedRepairs(repairs: readonly RepairCount[]): RepairCount[] {
  const merged = new Map<string, RepairCount>();
  const freshOf = ({ count, fresh = count }: RepairCount) => fresh;
  for (const one of repairs) {
    const key = keyOf(one);
    const before = merged.get(key);
    const sum = before && {
      ...one,
      ...{ count: before.count + one.count, fresh: freshOf(before) + freshOf(one) },
      examples: [...before.examples, ...one.examples],
    };
    merged.set(key, sum ?? one);
  }
  return [...merged.values()];
}

/** A swap changes the meaning, so it is counted separately from other repairs of its field. */
const keyOf = ({ field, swappedWith }: Pick<ImportRepair, 'field' | 'swappedWith'>) =>
  `${field} ${swappedWith ?? ''}`;

const EXAMPLES = 3;
/** Maximum number of distinct words that are counted, since a column of facilities may contain free text. */
const MAX_WORDS = 10_000;

const MAX_PAIRS = 300;
/** Fields whose repairs turn different words into one. Up to `MAX_PAIRS` examples are reported, not only `EXAMPLES`. */
const MERGED: ReadonlySet<string> = new Set(['property_type']);

export function createTally() {
  const causes = new Map<string, Mutable<FindingCause> & { examples: FindingCause['examples'][number][] }>();
  const repairs = new Map<
    string,
    Mutable<Omit<RepairCount, 'examples' | 'fresh'>> & {
      fresh: number;
      readonly pairs: Map<string, Mutable<RepairExample>>;
    }
  >();
  const words = new Map<string, number>();
  return {
    add({ at, name, findings, isFresh, isChanged, repairs: made, words: unknown }: Observation): void {
      const seen = new Set<string>();
      for (const finding of findings) {
        const key = JSON.stringify([finding.code, finding.severity, finding.field]);
        const { code, severity, field, help, message } = finding;
        const none = { count: 0, values: 0, fresh: 0, examples: [] };
        const cause = causes.get(key) ?? { code, severity, field, help, ...none };
        causes.set(key, cause);
        cause.values++;
        if (seen.has(key)) continue;
        seen.add(key);
        cause.count++;
        const place = isFresh(finding) ? cause.fresh++ : cause.examples.length;
        if (place >= EXAMPLES) continue;
        cause.examples.splice(place, 0, { at, name, message });
        cause.examples.splice(EXAMPLES);
      }
      for (const { from, to, ...kind } of made) {
        const { field } = kind;
        const group = repairs.get(keyOf(kind)) ?? { ...kind, count: 0, fresh: 0, pairs: new Map() };
        repairs.set(keyOf(kind), group);
        group.count++;
        if (!isChanged(field)) continue;
        group.fresh++;
        const key = `${from}\0${to}`;
        const pair = group.pairs.get(key);
        if (pair) pair.count++;
        else if (group.pairs.size < MAX_PAIRS) group.pairs.set(key, { at, from, to, count: 1 });
      }
      for (const word of unknown) {
        const number = words.get(word);
        if (number !== undefined) words.set(word, number + 1);
        else if (words.size < MAX_WORDS) words.set(detachedCopy(word), 1);
      }
    },
    result: (): TallyCounts => ({
      causes: [...causes.values()].sort((a, b) => a.severity.localeCompare(b.severity) || b.count - a.count),
      repairs: [...repairs.values()].map(({ pairs, ...group }) => ({
        ...group,
        examples: [...pairs.values()]
          .sort((a, b) => b.count - a.count)
          .slice(0, MERGED.has(group.field) ? MAX_PAIRS : EXAMPLES),
      })),
      words: [...words].map(([word, number]) => ({ word, count: number })).sort((a, b) => b.count - a.count),
    }),
  };
}
