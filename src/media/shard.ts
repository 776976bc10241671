/** Divides work between machines by digest, without a coordinator. */
import { UsageError } from '../errors/errors.ts';

export type PhotoShard = {
  /** Counted from 0. */
  readonly index: number;
  readonly count: number;
};

export type PhotoShardSetting = PhotoShard & {
  readonly source: string;
};

/** Maximum number of shards. More are surely a mistake, and leave some machines without work. */
const MAX_SHARDS = 10_000;

/** Number of leading hexadecimal digits that choose the shard. A double holds their 48 bits exactly. */
const DIGITS = 12;

/** Each digest (12 hexadecimal digits or more) belongs to one shard. Shards have about equal size. */
export function isInPhotoShard({ index, count }: PhotoShard, digest: string): boolean {
  return Math.floor((Number.parseInt(digest.slice(0, DIGITS), 16) * count) / 16 ** DIGITS) === index;
}

type Engine = {
  readonly name: string;
  readonly index: string;
  readonly count: string;
  /** Number from which the engine counts. */
  readonly first: 0 | 1;
};

/** Kubernetes has no variable for the count, so the manifest of the job sets one. */
const ENGINES: readonly Engine[] = [
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', count: 'CATALOGUE_SHARDS', first: 0 },
  { name: 'AWS Batch', index: 'AWS_BATCH_JOB_ARRAY_INDEX', count: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
];

/**
 * Parses `text`, such as `3/16` (the third of sixteen shards). Without `text`, reads the variables of a parallel job of
 * Kubernetes, AWS Batch or GitLab. Returns undefined if there are none: this machine then does all the work.
 * @throws UsageError `invalid-shard`
 */
export function findShard(
  text: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): PhotoShardSetting | undefined {
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

export const shardText = ({ index, count }: PhotoShard): string => `${index + 1}/${count}`;

function parseShard(text: string): PhotoShardSetting {
  const [, index, count] = /^([0-9]{1,9})\/([0-9]{1,9})$/.exec(text) ?? [];
  const shard = { index: Number(index) - 1, count: Number(count) };
  if (!isShard(shard)) {
    throw invalid(
      `--shard ${JSON.stringify(text)} is no share. Give one such as 3/16, the third of sixteen: from 1/16 to 16/16, of ${MAX_SHARDS} at most.`,
    );
  }
  return { ...shard, source: '--shard' };
}

function readEngine(
  { name, index, count, first }: Engine,
  environment: Readonly<Record<string, string | undefined>>,
): PhotoShardSetting | undefined {
  const [part, parts] = [environment[index] || undefined, environment[count] || undefined];
  // GitLab sets the number of parts even for a job that has a single part.
  if (part === undefined) return undefined;
  if (parts === undefined) {
    throw invalid(
      `${name} says in ${index} which part this is, but ${count} does not say of how many. Set it to the number of parts, or give --shard (1/1 is all).`,
    );
  }
  const shard = { index: wholeNumber(part) - first, count: wholeNumber(parts) };
  if (!isShard(shard)) {
    throw invalid(
      `${index}=${part} and ${count}=${parts} name no share: ${name} counts from ${first}, and ${MAX_SHARDS} parts are the most.`,
    );
  }
  return { ...shard, source: index };
}

function wholeNumber(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function isShard({ index, count }: PhotoShard): boolean {
  return index >= 0 && index < count && count <= MAX_SHARDS;
}

function invalid(message: string): UsageError {
  return new UsageError('invalid-shard', message);
}
