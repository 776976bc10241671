/** Every property of a catalogue, one after the other, out of the file that holds them all. */
import { AnswerError, ConnectionError, ProblemError, ReleaseChangedError } from './errors.ts';
import { createLineReader, type LineReader, parseLine } from './lines.ts';
import type { RequestOptions } from './options.ts';
import { failureOf, type Requester, type RequestHeaders, unexpected } from './request.ts';
import { beforeRepetition } from './retry.ts';
import type { PropertyRecord } from './types.ts';

/** How to go through the download. */
export type DownloadOptions = RequestOptions & {
  /**
   * Name of the release that the index names: what comes is of that one or of a later one, and no older copy of a cache
   * between. Needed to follow the changes from there. @default whatever is there
   */
  readonly release?: string | undefined;
  /**
   * Called when the connection broke and another release has gone live since: the download begins again, so drop what
   * came so far. Without it, the loop throws a `ReleaseChangedError` then.
   */
  readonly onRestart?: () => void;
};

/** A download on its way. */
type Progress = {
  /** Tag of what is being read; undefined when the server gives none, or one that does not stand for the bytes. */
  tag: string | undefined;
  /** Bytes that came. */
  bytes: number;
  reader: LineReader;
};

/**
 * Goes through the download. At most one piece of it is in memory. When the connection breaks, it goes on where it was
 * if the file is still the same: every record that comes after the last restart is of one release.
 */
export async function* download(
  { send, policy }: Requester,
  url: string,
  headers: RequestHeaders,
  { signal, onRestart }: DownloadOptions,
): AsyncGenerator<PropertyRecord, void, undefined> {
  let progress = begin();
  // One that breaks off at the same place again and again makes no progress.
  let furthest = 0;
  for (let failures = 0; ; ) {
    try {
      const response = await send(url, { ...headers, ...rangeOf(progress) }, signal);
      if (!isWanted(response, progress)) throw unexpected(url, response.status, '');
      let skip = continues(response, progress);
      if (skip === undefined) {
        if (!onRestart || response.status === 206) await response.body?.cancel();
        if (!onRestart) throw new ReleaseChangedError(url, response.status);
        onRestart();
        progress = begin();
        if (response.status === 206) continue;
        skip = 0;
      }
      if (progress.bytes === 0) progress.tag = tagOf(response);
      for await (const piece of pieces(response, skip, url, signal)) {
        progress.bytes += piece.length;
        if (progress.bytes > furthest) [failures, furthest] = [0, progress.bytes];
        yield* read(progress.reader, piece, url, response.status);
      }
      const rest = progress.reader.rest();
      if (rest === '') return;
      if (!rest.startsWith('{')) throw notTheFile(url, response.status, rest, 'the last line is no object');
      throw new ConnectionError(url, response.status, new Error('the last line is not whole'));
    } catch (error) {
      // Shorter than what came already: another file.
      if (error instanceof ProblemError && error.status === 416 && progress.bytes > 0)
        progress.tag = undefined;
      else if (failures >= policy.retries) throw error;
      else await beforeRepetition(error, failures++, policy.maxRetryDelay, signal);
    }
  }
}

function begin(): Progress {
  return { tag: undefined, bytes: 0, reader: createLineReader() };
}

/**
 * Asks for what is left. The tag of the answer shows whether it is of the same file: `If-Range` would say so too, but
 * a page of another host may not send it.
 */
function rangeOf({ bytes, tag }: Progress): RequestHeaders {
  return bytes > 0 && tag?.startsWith('"') ? { Range: `bytes=${bytes}-` } : {};
}

/** Whether an answer is the file, or the part of it that was asked for. */
function isWanted({ status }: Response, { bytes }: Progress): boolean {
  return status === 200 || (status === 206 && bytes > 0);
}

/** Bytes to pass over in an answer so that it goes on where another one broke off; undefined when it cannot. */
function continues(response: Response, { bytes, tag }: Progress): number | undefined {
  const isSame = tag !== undefined && tagOf(response) === tag;
  if (response.status === 206) return isSame && startsAt(response, bytes) ? 0 : undefined;
  return bytes === 0 || isSame ? bytes : undefined;
}

/** Whether a part begins where it was asked for, as far as a page of another host is shown. */
function startsAt(response: Response, bytes: number): boolean {
  return response.headers.get('Content-Range')?.startsWith(`bytes ${bytes}-`) ?? true;
}

/** The entity tag; a weak one of bytes that are compressed on the way, whose ranges would be of other bytes. */
function tagOf({ headers }: Response): string | undefined {
  const tag = headers.get('ETag');
  if (tag === null) return undefined;
  return headers.get('Content-Encoding') && !tag.startsWith('W/') ? `W/${tag}` : tag;
}

/** The pieces of a body, without its first bytes. @throws ConnectionError when it breaks off. */
async function* pieces(
  response: Response,
  skip: number,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  let left = skip;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw failureOf(url, response.status, error, signal);
      });
      if (done) return;
      const from = Math.min(left, value.length);
      left -= from;
      if (from < value.length) yield value.subarray(from);
    }
  } finally {
    // Ends the request when the loop is left early; afterwards it does nothing.
    reader.cancel().catch(() => {});
  }
}

function read(reader: LineReader, piece: Uint8Array, url: string, status: number): PropertyRecord[] {
  let line = '';
  try {
    return reader.push(piece).map((next) => {
      line = next;
      return parseLine<PropertyRecord>(line);
    });
  } catch (error) {
    throw notTheFile(url, status, line, error instanceof Error ? error.message : String(error));
  }
}

function notTheFile(url: string, status: number, body: string, reason: string): AnswerError {
  return new AnswerError(`${url} is not what the API gives: ${reason}.`, url, status, body);
}
