/**
 * What a bucket keeps of a release so that it can be restored: its manifest, and one compressed file with the summary
 * and the detail of every property and the documents. Pages are not in it, since they follow from the summaries;
 * photos, what the explorer loads and what is packed stay where they are until `prune`.
 */
import { createGunzip, createGzip } from 'node:zlib';
import { digestOf } from '../catalogue/digest.ts';
import type { EarlierRelease } from '../changes/readable.ts';
import { MANIFEST_KEY, propertyKey } from '../contract/layout.ts';
import type { Summary } from '../contract/property.ts';
import { EnvironmentError, UsageError } from '../report/failure.ts';
import type { Bucket } from './bucket.ts';
import { ARCHIVE_HEADERS, releaseManifestKey, releaseObjectsKey } from './control.ts';
import {
  documentKeys,
  documentKind,
  isKept,
  type PublishedObject,
  parseRelease,
  type Release,
} from './release.ts';
import { createLists, type Source } from './source.ts';

/** Writes what a release is restored from, unless it is there. */
export async function writeArchive(bucket: Bucket, source: Source): Promise<void> {
  const key = releaseObjectsKey(source.release.name);
  if (await bucket.inspect(key)) return;
  await bucket.write(key, await archiveOf(source), ARCHIVE_HEADERS);
}

async function archiveOf({ release, body, summaries }: Source): Promise<Buffer> {
  const gzip = createGzip();
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => gzip.on('end', resolve).on('error', reject));
  const put = async (line: readonly string[]) => {
    if (!gzip.write(`${JSON.stringify(line)}\n`)) await new Promise((resolve) => gzip.once('drain', resolve));
  };
  for (const [index, { id }] of release.sequence.entries()) {
    const detail = await body({ kind: 'detail', key: propertyKey(id), id });
    await put(['property', id, summaries[index]!, detail.toString('utf8')]);
  }
  for (const key of documentKeys(release, { kept: false })) {
    await put(['document', key, (await body({ kind: documentKind(key), key })).toString('base64')]);
  }
  gzip.end();
  await ended;
  return Buffer.concat(chunks);
}

/** The release that is live; undefined when there is none, or its manifest is damaged. */
export async function readLive(
  bucket: Bucket,
): Promise<{ release: Release | undefined; tag: string | undefined }> {
  const object = await bucket.read(MANIFEST_KEY);
  return { release: object && parseRelease(object.body), tag: object?.tag };
}

/** A release of which the bucket keeps the manifest. */
export async function readKept(bucket: Bucket, name: string): Promise<Release | undefined> {
  const object = await bucket.read(releaseManifestKey(name));
  return object && parseRelease(object.body);
}

/**
 * Opens a release that the bucket keeps.
 *
 * @throws UsageError `unknown-release` or `release-pruned`; EnvironmentError `release-damaged`.
 */
export async function openArchive(bucket: Bucket, name: string): Promise<Source> {
  const release = await readKept(bucket, name);
  if (!release) {
    throw new UsageError(
      'unknown-release',
      `${bucket.name} keeps no release ${name}. "catalogue releases" lists those that it keeps.`,
    );
  }
  const archive = await bucket.read(releaseObjectsKey(name));
  if (!archive) {
    throw new UsageError(
      'release-pruned',
      `The objects of release ${name} were pruned, or never arrived: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  }
  const content = await parseArchive(archive.body, release);
  if (!content) {
    throw new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  }
  const listOf = createLists(content.summaries);
  const body = async (object: PublishedObject): Promise<Buffer> => {
    if (object.kind === 'page' || object.kind === 'total') return listOf(object);
    if (object.kind === 'detail') return content.details.get(object.id)!;
    if (!isKept(object)) return content.documents.get(object.key)!;
    const stored = await bucket.read(object.key);
    const digest = release.manifest.documents[object.key];
    if (!stored || (digest && digestOf(stored.body) !== digest))
      throw missingObject(bucket, object.key, name);
    return stored.body;
  };
  return {
    release,
    isKept: true,
    body,
    summaries: content.summaries,
    async check(objects) {
      for (const object of objects) {
        if (isKept(object) && !(await bucket.inspect(object.key)))
          throw missingObject(bucket, object.key, name);
      }
    },
  };
}

function missingObject(bucket: Bucket, key: string, name: string): EnvironmentError {
  return new EnvironmentError(
    'release-damaged',
    `${bucket.name} has no sound ${key} any more, which release ${name} needs: it cannot be restored. Build its commit and publish that with --allow-older.`,
  );
}

/**
 * A release of which the bucket keeps the content, one property after the other.
 *
 * @returns its `properties` throw EnvironmentError `release-damaged` when the bucket does not keep it whole.
 */
export function archivedRelease(bucket: Bucket, release: Release): EarlierRelease {
  const damaged = () =>
    new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${release.name} is missing or damaged.`,
    );
  return {
    manifest: release.manifest,
    async *properties(ids) {
      const archive = await bucket.read(releaseObjectsKey(release.name));
      if (!archive) throw damaged();
      let found = 0;
      const lines = linesOf(archive.body);
      for (;;) {
        const { done, value } = await lines.next().catch((cause: unknown) => {
          throw Object.assign(damaged(), { cause });
        });
        if (done) break;
        const [kind, id = '', summary = '', detail = ''] = value;
        if (kind !== 'property' || !ids.has(id)) continue;
        const entry = release.sequence[release.places.get(id) ?? -1];
        if (digestOf(summary) !== entry?.summaryDigest || digestOf(detail) !== entry.detailDigest)
          throw damaged();
        found++;
        yield [
          id,
          {
            detail: async () => JSON.parse(detail) as Record<string, unknown>,
            thumbnail: async () => (JSON.parse(summary) as Summary).thumbnail,
          },
        ];
      }
      if (found < ids.size) throw damaged();
    },
  };
}

/** The lines of an archive, one in memory at a time. Throws whatever is wrong with it. */
async function* linesOf(bytes: Buffer): AsyncGenerator<string[], undefined> {
  const gunzip = createGunzip();
  gunzip.end(bytes);
  let rest: Buffer[] = [];
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      yield JSON.parse(Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8')) as string[];
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  return undefined;
}

type Content = {
  summaries: string[];
  details: Map<string, Buffer>;
  documents: Map<string, Buffer>;
};

/** The content, checked against the manifest. */
async function parseArchive(bytes: Buffer, release: Release): Promise<Content | undefined> {
  const content: Content = { summaries: [], details: new Map(), documents: new Map() };
  try {
    for await (const [kind, name = '', first = '', second = ''] of linesOf(bytes)) {
      if (kind === 'document') {
        const body = Buffer.from(first, 'base64');
        if (digestOf(body) !== release.manifest.documents[name]) return undefined;
        content.documents.set(name, body);
        continue;
      }
      const entry = release.sequence[content.summaries.length];
      const isSound =
        entry?.id === name &&
        digestOf(first) === entry.summaryDigest &&
        digestOf(second) === entry.detailDigest;
      if (!isSound) return undefined;
      content.summaries.push(first);
      content.details.set(name, Buffer.from(second));
    }
  } catch {
    return undefined;
  }
  const isWhole =
    content.summaries.length === release.sequence.length &&
    content.documents.size === documentKeys(release, { kept: false }).length;
  return isWhole ? content : undefined;
}
