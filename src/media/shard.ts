/** A share of the work of several machines, derived from the work itself: no machine hands it out. */
import { UsageError } from '../errors.ts';

/** One of several shares. */
export type Shard = {
  /** Which one, from 0. */
  readonly index: number;
  /** How many there are, from 1. */
  readonly count: number;
};

/** A share, and who named it. */
export type NamedShard = Shard & {
  /** `--shard`, or the variable of the environment. */
  readonly source: string;
};

/** More would leave shares without work, and be a mistake. */
const MOST = 10_000;

/** Hexadecimal digits that decide; as many bits as a number holds exactly. */
const DIGITS = 12;

/**
 * Whether something belongs to a share. Digests are spread evenly, so shares are of about the same size, whatever the
 * order; each digest belongs to exactly one of them.
 *
 * @param digest hexadecimal, 12 digits or more.
 */
export function belongsTo({ index, count }: Shard, digest: string): boolean {
  return Math.floor((Number.parseInt(digest.slice(0, DIGITS), 16) * count) / 16 ** DIGITS) === index;
}

/** Variables in which an engine numbers the parts of a job. */
type Engine = {
  readonly name: string;
  readonly index: string;
  readonly count: string;
  /** The number of the first part. */
  readonly first: 0 | 1;
};

/**
 * The engines that are known: Kubernetes (Indexed Jobs; the count has no variable of its own, so the manifest sets
 * one), AWS Batch (array jobs), GitLab (`parallel`).
 */
const ENGINES: readonly Engine[] = [
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', count: 'CATALOGUE_SHARDS', first: 0 },
  { name: 'AWS Batch', index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
];

/**
 * The share that `--shard` names, else the one that the environment of an engine names.
 *
 * @param text value of `--shard`: `3/16` is the third of sixteen, the first is `1/16`.
 * @returns undefined when nothing names one: everything is to be done.
 * @throws UsageError `invalid-shard` when it cannot be, or when two engines name different ones.
 */
export function findShard(
  text: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): NamedShard | undefined {
  if (text !== undefined) return parseShard(text);
  const found = ENGINES.flatMap((engine) => readEngine(engine, environment) ?? []);
  const [first] = found;
  const other = found.find(({ index, count }) => index !== first?.index || count !== first.count);
  if (first && other) {
    throw invalid(
      `${first.source} says ${shardText(first)}, but ${other.source} says ${shardText(other)}. Say which with --shard.`,
    );
  }
  return first;
}

/** As `--shard` takes it, counted from 1. */
export const shardText = ({ index, count }: Shard): string => `${index + 1}/${count}`;

function parseShard(text: string): NamedShard {
  const [, index, count] = /^([0-9]{1,9})\/([0-9]{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index) - 1, count: Number(count) };
  if (!isShard(shard)) {
    throw invalid(
      `--shard ${JSON.stringify(text)} is no share. Give one such as 3/16, the third of sixteen: from 1/16 to 16/16, of ${MOST} at most.`,
    );
  }
  return { ...shard, source: '--shard' };
}

function readEngine(
  { name, index, count, first }: Engine,
  environment: Readonly<Record<string, string | undefined>>,
): NamedShard | undefined {
  const [part, parts] = [environment[index] || undefined, environment[count] || undefined];
  // GitLab sets the number of parts also for a job with only one.
  if (part === undefined) return undefined;
  if (parts === undefined) {
    throw invalid(
      `${name} says in ${index} which part this is, but ${count} does not say of how many. Set it to the number of parts, or give --shard (1/1 is all).`,
    );
  }
  const shard = { index: wholeNumber(part) - first, count: wholeNumber(parts) };
  if (!isShard(shard)) {
    throw invalid(
      `${index}=${part} and ${count}=${parts} name no share: ${name} counts from ${first}, and ${MOST} parts are the most.`,
    );
  }
  return { ...shard, source: index };
}

function wholeNumber(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function isShard({ index, count }: Shard): boolean {
  return index >= 0 && index < count && count <= MOST;
}

function invalid(message: string): UsageError {
  return new UsageError('invalid-shard', message);
}
