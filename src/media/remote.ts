/**
 * Photos that are links, downloaded once to make thumbnails of them.
 *
 * ```
 * <cache folder>/remote/<digest of the URL>.json   { url, digest }
 * <cache folder>/remote/<digest of the bytes>      the download, as it came
 * ```
 *
 * A download is kept until its link is no longer used; deleting the folder fetches it again.
 */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ifThere, makeFolder } from '../folder.ts';
import { type DownloadBounds, DownloadRefusal, downloadFile } from './download.ts';
import type { MediaProblem } from './problem.ts';
import { digestFile } from './source.ts';
import { listFolder, putFileFrom, temporaryName } from './temporary.ts';

/** Where downloads are kept, and their bounds. */
export type RemoteOptions = DownloadBounds & {
  /** Folder of the cache, the same as that of `makeMedia`; created when missing. */
  readonly cacheFolder: string;
};

/** A downloaded photo, ready to be a `MediaRequest`. */
export type RemotePhoto = {
  /** Path of the download. */
  readonly file: string;
  /** SHA-256 of its bytes, 64 lower-case hexadecimal digits. */
  readonly digest: string;
};

const DIGEST = /^[0-9a-f]{64}$/;
const INDEX_NAME = /^[0-9a-f]{64}\.json$/;

const indexName = (url: string): string => `${createHash('sha256').update(url).digest('hex')}.json`;

/** The digest that an index file names; undefined when it is missing or senseless. */
function readIndex(path: string): string | undefined {
  try {
    const { digest } = JSON.parse(readFileSync(path, 'utf8')) as { digest?: unknown };
    return typeof digest === 'string' && DIGEST.test(digest) ? digest : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || error instanceof TypeError || code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a download is there, byte for byte. */
function isIntact({ file, digest }: RemotePhoto): boolean {
  return ifThere(() => digestFile(file)) === digest;
}

/**
 * The SHA-256 of the photo at a link, as it was when it was first fetched or remembered; undefined when it never was.
 * The download itself may be gone.
 */
export const recallRemotePhoto = (url: string, cacheFolder: string): string | undefined =>
  readIndex(join(cacheFolder, 'remote', indexName(url)));

/** Remembers the SHA-256 of the photo at a link without its download, as another machine found it. */
export function rememberRemotePhoto(url: string, digest: string, cacheFolder: string): void {
  makeFolder(join(cacheFolder, 'remote'));
  writeIndex(url, digest, cacheFolder);
}

/** Deletes a download, and leaves what is known of its link. */
export function dropRemotePhoto(digest: string, cacheFolder: string): void {
  rmSync(downloadPath(digest, cacheFolder), { force: true });
}

/** Path of a download, whether it is there or not. */
export const downloadPath = (digest: string, cacheFolder: string): string =>
  join(cacheFolder, 'remote', digest);

function writeIndex(url: string, digest: string, cacheFolder: string): void {
  putFileFrom(join(cacheFolder, 'temporary'), join(cacheFolder, 'remote', indexName(url)), (path) =>
    writeFileSync(path, `${JSON.stringify({ url, digest })}\n`),
  );
}

/** The link without user name and password, to show. */
function shown(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (!parsed.username && !parsed.password) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

/**
 * Downloads a photo, or finds it in the cache. Only https, only from public hosts, and bounded in size and time; see
 * {@link DownloadBounds}. What the bytes are is for `makeMedia` to find.
 *
 * @returns the file, or the problem `remote-photo-failed`
 * @throws the file system's error when the cache cannot be read or written
 */
export async function fetchRemotePhoto(
  url: string,
  options: RemoteOptions,
): Promise<RemotePhoto | MediaProblem> {
  const digest = recallRemotePhoto(url, options.cacheFolder);
  const known = digest && { file: downloadPath(digest, options.cacheFolder), digest };
  if (known && isIntact(known)) return known;
  try {
    return await fetchInto(url, options);
  } catch (error) {
    if (!(error instanceof DownloadRefusal)) throw error;
    return { code: 'remote-photo-failed', args: { url: shown(url), reason: error.message } };
  }
}

async function fetchInto(url: string, options: RemoteOptions): Promise<RemotePhoto> {
  const folder = join(options.cacheFolder, 'remote');
  const temporary = join(options.cacheFolder, 'temporary');
  for (const needed of [folder, temporary]) makeFolder(needed);
  const partial = join(temporary, temporaryName());
  const hash = createHash('sha256');
  try {
    const descriptor = openSync(partial, 'wx');
    try {
      await downloadFile(url, options, (piece) => {
        hash.update(piece);
        for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
      });
    } finally {
      closeSync(descriptor);
    }
    const digest = hash.digest('hex');
    const file = downloadPath(digest, options.cacheFolder);
    renameSync(partial, file);
    writeIndex(url, digest, options.cacheFolder);
    return { file, digest };
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Deletes the downloads of links that are not used any more.
 *
 * @param used links in use, exactly as they were fetched
 * @returns the number of links forgotten
 */
export function pruneRemotePhotos(cacheFolder: string, used: Iterable<string>): number {
  const folder = join(cacheFolder, 'remote');
  const keep = new Set([...used].map(indexName));
  const files = listFolder(folder);
  const indexes = files.filter((name) => INDEX_NAME.test(name));
  const kept = indexes.filter((name) => keep.has(name));
  for (const name of indexes) if (!keep.has(name)) rmSync(join(folder, name), { force: true });
  const digests = new Set(kept.map((name) => readIndex(join(folder, name))));
  for (const name of files)
    if (DIGEST.test(name) && !digests.has(name)) rmSync(join(folder, name), { force: true });
  return indexes.length - kept.length;
}
