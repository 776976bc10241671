/**
 * A second thread maps and checks the rows of a large table, while this one reads them and writes files. If the second
 * one has enough to do, this one maps rows too.
 */
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';
import { UsageError } from '../../errors/errors.ts';
import { readTerms } from '../../source/configuration-file.ts';
import { columnsOf, type TableMapping } from '../mapping/mapping.ts';
import { isFeature } from '../table/json-rows.ts';
import type { Row, UnreadableRow } from '../table/row.ts';
import type { RowSource } from '../table/row-source.ts';
import { withFacilityNames } from '../words/column-names.ts';
import {
  addSkippedRows,
  type CandidateMapperOptions,
  createCandidateMapper,
  createSkippedRows,
  type SkippedRows,
} from './candidate-mapper.ts';
import { type PreparationOptions, type PreparedCandidate, validateAndRenderCandidate } from './prepare.ts';

/** Has only plain data, since functions cannot be sent to a thread. */
export type RowThreadSettings = Omit<CandidateMapperOptions, 'skipped'> &
  Omit<PreparationOptions, 'isDownloaded'> & {
    readonly content: string;
    readonly mapping: TableMapping;
    /** Addresses of the photos downloaded by earlier imports; true if this import downloads all. */
    readonly downloaded: ReadonlySet<string> | true;
  };

type AnyRow = Omit<Row, 'cellIn'> | UnreadableRow;
type PreparedRows = { readonly candidates: PreparedCandidate[]; readonly skipped: SkippedRows };

// Workers cannot load TypeScript. When run from source, everything runs on this thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./import-worker.js', import.meta.url);
/** Minimum number of rows for a second thread. Starting one takes as long as mapping a few thousand rows. */
const MANY = 3_000;
/**
 * A message to the thread is sent when it has this many rows, or this many UTF-16 units in their cells. With 200 rows, an
 * import took 550 MB instead of 400, since rows that wait long survive a garbage collection.
 */
const MAX_ROWS = 25;
const MAX_LENGTH = 1_000_000;
/** Maximum number of messages that may wait for an answer. */
const AHEAD = 3;
/** These limits are five times what the thread uses. With lower ones, the engine would collect garbage more often. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 };

export async function* preparedRows(
  table: RowSource,
  task: RowThreadSettings,
  { rows, skipped }: { readonly rows: number; readonly skipped: SkippedRows },
): AsyncGenerator<PreparedCandidate> {
  const messages = inMessages(table.rows(columnsOf(task.mapping)));
  const isShared = WORKER && rows >= MANY && availableParallelism() > 1;
  for await (const prepared of isShared ? preparedInThread(WORKER, task, messages) : inTurn(task, messages)) {
    addSkippedRows(skipped, prepared.skipped);
    yield* prepared.candidates;
  }
}

async function* inMessages(rows: AsyncIterable<Row | UnreadableRow>): AsyncGenerator<AnyRow[]> {
  let message: AnyRow[] = [];
  let length = 0;
  for await (const row of rows) {
    if (row.value) {
      const { cellIn: _, ...plain } = row;
      const { properties, geometry } = row.value;
      // A feature's `properties` and `geometry` are not enumerable, so a message would lack them.
      const more = isFeature(row.value) && { value: { ...row.value, properties, geometry } };
      message.push({ ...plain, ...more });
      length += lengthOf(row.value);
    } else message.push(row);
    if (message.length < MAX_ROWS && length < MAX_LENGTH) continue;
    yield message;
    message = [];
    length = 0;
  }
  yield message;
}

function lengthOf(value: object): number {
  let length = 0;
  for (const one of Object.values(value))
    length += typeof one === 'string' ? one.length : typeof one === 'object' && one ? lengthOf(one) : 1;
  return length;
}

async function* inTurn(
  task: RowThreadSettings,
  messages: AsyncIterable<AnyRow[]>,
): AsyncGenerator<PreparedRows> {
  const prepare = createRowPreparation(task);
  for await (const message of messages) yield prepare(message);
}

const TOO_LARGE = 'The rows take too much memory. Divide the table, and import its parts.';

export async function* preparedInThread(
  url: URL,
  task: RowThreadSettings,
  messages: AsyncIterable<AnyRow[]>,
): AsyncGenerator<PreparedRows> {
  let prepare: ReturnType<typeof createRowPreparation> | undefined;
  const onThisThread = (message: readonly AnyRow[]) => {
    prepare ??= createRowPreparation(task);
    return prepare(message);
  };
  const worker = new Worker(url, { workerData: task, resourceLimits: MEMORY });
  // This iterator rejects if the thread fails.
  const answers = on(worker, 'message', { close: ['exit'] });
  const next = async (): Promise<PreparedRows> => {
    const { value, done } = await answers.next().catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new UsageError('source-too-large', TOO_LARGE) : error;
    });
    if (done) throw new Error('The thread that maps rows ended without an answer.');
    return value[0];
  };
  /** In the order of the messages. */
  const pending: (Promise<PreparedRows> | PreparedRows)[] = [];
  let inThread = 0;
  const toThread = (message: AnyRow[]) => {
    worker.postMessage(message);
    inThread++;
    const answer = next().finally(() => inThread--);
    // The answer is awaited later, or never if another one fails.
    answer.catch(() => {});
    return answer;
  };
  try {
    for await (const message of messages) {
      // Lets answers arrive.
      await setImmediate();
      pending.push(inThread < AHEAD ? toThread(message) : onThisThread(message));
      if (pending.length > 2 * AHEAD) yield await pending.shift()!;
    }
    while (pending.length > 0) yield await pending.shift()!;
  } finally {
    await worker.terminate();
  }
}

/** Runs in the second thread: answers each message of rows with the prepared candidates. */
export function answerRowMessages(task: RowThreadSettings): void {
  const prepare = createRowPreparation(task);
  parentPort?.on('message', (rows: AnyRow[]) => parentPort?.postMessage(prepare(rows)));
}

function createRowPreparation({ content, mapping, downloaded, ...options }: RowThreadSettings) {
  const terms = withFacilityNames(readTerms(content));
  const isDownloaded = (link: string) => downloaded === true || downloaded.has(link);
  return (rows: readonly AnyRow[]): PreparedRows => {
    const skipped = createSkippedRows();
    const candidateOf = createCandidateMapper(mapping, terms, { ...options, skipped });
    const candidates = rows.flatMap((row) => {
      const candidate = candidateOf(row);
      return candidate ? [validateAndRenderCandidate(candidate, terms, { ...options, isDownloaded })] : [];
    });
    return { candidates, skipped };
  };
}
