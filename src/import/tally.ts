/** Counts what an import has to report: causes with examples, repairs and unknown words. All of it is bounded. */
import { detached } from '../values/remember.ts';
import type { ImportFinding, ImportRepair } from './candidate.ts';

export type Cause = Pick<ImportFinding, 'code' | 'severity' | 'field' | 'help'> & {
  /** Number of candidates. */
  readonly count: number;
  readonly examples: readonly { readonly at: string; readonly message: string }[];
};

export type RepairCount = {
  readonly field: string;
  readonly count: number;
  /** Different ones, the most frequent first, each with the place of its first occurrence. */
  readonly examples: readonly RepairExample[];
};

type RepairExample = Pick<ImportRepair, 'from' | 'to'> & { readonly at: string; readonly count: number };

type WordCount = { readonly word: string; readonly count: number };

export type Counted = {
  /** Errors first, then by number of candidates. */
  readonly causes: readonly Cause[];
  readonly repairs: readonly RepairCount[];
  /** Facilities that the vocabulary lacks, the most frequent first. */
  readonly words: readonly WordCount[];
};

/** Something of a candidate that is counted. */
type Observation = {
  readonly at: string;
  readonly findings: readonly ImportFinding[];
  readonly repairs: readonly ImportRepair[];
  readonly words: readonly string[];
};

const EXAMPLES = 3;
/** Largest number of different words: free text in a column of facilities has no end. */
const MAX_WORDS = 10_000;

/** Largest number of different repairs of a field that are counted on their own. */
const MAX_PAIRS = 300;

type Group<Of, Example> = { of: Of; count: number; examples: Example[] };

export function createTally() {
  const causes = new Map<string, Group<ImportFinding, Cause['examples'][number]>>();
  const repairs = new Map<string, { count: number; pairs: Map<string, RepairExample> }>();
  const words = new Map<string, number>();
  return {
    add({ at, findings, repairs: made, words: unknown }: Observation): void {
      const seen = new Set<string>();
      for (const finding of findings) {
        const key = JSON.stringify([finding.code, finding.severity, finding.field]);
        if (seen.has(key)) continue;
        seen.add(key);
        count(causes, key, finding, { at, message: finding.message });
      }
      for (const { field, from, to } of made) {
        const group = repairs.get(field) ?? { count: 0, pairs: new Map() };
        repairs.set(field, group);
        group.count++;
        const key = JSON.stringify([from, to]);
        const pair = group.pairs.get(key) ?? { at, from, to, count: 0 };
        if (pair.count > 0 || group.pairs.size < MAX_PAIRS)
          group.pairs.set(key, { ...pair, count: pair.count + 1 });
      }
      for (const word of unknown) {
        const number = words.get(word);
        if (number !== undefined) words.set(word, number + 1);
        else if (words.size < MAX_WORDS) words.set(detached(word), 1);
      }
    },
    result: (): Counted => ({
      causes: [...causes.values()]
        .map(({ of, count: number, examples }) => {
          const { code, severity, field, help } = of;
          return { code, severity, field, help, count: number, examples };
        })
        .sort((a, b) => rank(a) - rank(b) || b.count - a.count),
      repairs: [...repairs].map(([field, { count: number, pairs }]) => ({
        field,
        count: number,
        examples: [...pairs.values()].sort((a, b) => b.count - a.count).slice(0, EXAMPLES),
      })),
      words: [...words].map(([word, number]) => ({ word, count: number })).sort((a, b) => b.count - a.count),
    }),
  };
}

function rank({ severity }: Cause): number {
  return severity === 'error' ? 0 : 1;
}

function count<Of, Example>(
  groups: Map<string, Group<Of, Example>>,
  key: string,
  of: Of,
  example: Example,
): void {
  const group = groups.get(key) ?? { of, count: 0, examples: [] };
  groups.set(key, group);
  group.count++;
  if (group.examples.length < EXAMPLES) group.examples.push(example);
}
