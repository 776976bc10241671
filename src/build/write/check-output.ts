/** Finds what a person, a program or a disk changed in the output since it was written. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MANIFEST_KEY, mediaKey, propertyKey } from '../../contract/keys.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import { type Comparable, compareSequences } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import { joinSummaries, scopesOf } from '../../release/sequence.ts';
import type { OutputFolder } from '../output-folder.ts';
import { totalsOf } from '../size.ts';
import { findDifferences, toPieces } from './pages.ts';
import { findStrays } from './prune.ts';
import type { RememberedEdge } from './targets.ts';

/** What a release holds. */
export type WrittenRelease = {
  /** In the order of the sequence. */
  readonly sequence: readonly (Comparable & { readonly summary: string })[];
  readonly sizes: readonly number[];
  /** Whether lists are stored page by page. */
  readonly hasPages: boolean;
  readonly media: readonly string[];
  /** Digests of the bytes of each. */
  readonly mediaDigests: readonly string[];
  /** SHA-256 of the manifest, in 64 hexadecimal digits. */
  readonly manifest: string;
  /** Digest of the schema of property files. */
  readonly schema: string;
  /** Digests of the edge configurations, by path. */
  readonly edge: Pick<RememberedEdge, 'files' | 'copies'>;
  /** Digests of the documents, by key. */
  readonly documents: Readonly<Record<string, string>>;
};

/**
 * Compares every file that a build wrote with what it wrote.
 *
 * @returns what differs, sorted: keys below `dist/public`, and paths below the output folder of what stands beside it.
 */
export async function findDamage(folder: OutputFolder, release: WrittenRelease): Promise<string[]> {
  return [...(await findPublicDamage(folder.public, release)), ...findOtherDamage(folder, release)].sort();
}

async function findPublicDamage(root: string, release: WrittenRelease): Promise<string[]> {
  const { sequence, sizes, hasPages, media, mediaDigests, documents } = release;
  const { changed } = hasPages ? compareSequences([], sequence) : { changed: [] };
  const damaged = await findDifferences({
    root,
    summaries: joinSummaries(sequence.map(({ summary }) => summary)),
    scopes: changed,
    sizes,
    details: [],
    spools: [],
    pieces: toPieces(changed, sizes, 0),
    counter: new Int32Array(new SharedArrayBuffer(8)),
  });
  const expect = (key: string, digest: string, digestBytes: (bytes: Buffer) => string = digestOf) => {
    if (!hasDigest(() => digestBytes(readFileSync(join(root, key))), digest)) damaged.push(key);
  };
  for (const { id, detailDigest } of sequence) expect(propertyKey(id), detailDigest);
  for (const [key, digest] of Object.entries(documents)) expect(key, digest);
  media.forEach((name, index) => {
    expect(mediaKey(name), mediaDigests[index]!);
  });
  expect(MANIFEST_KEY, release.manifest, (bytes) => createHash('sha256').update(bytes).digest('hex'));
  const strays = findStrays(root, {
    totals: totalsOf(hasPages ? scopesOf(sequence) : []),
    sizes,
    ids: new Set(sequence.map(({ id }) => id)),
    media: new Set(media),
    documents: new Set(Object.keys(documents)),
  });
  return [...damaged, ...strays.files];
}

function findOtherDamage(folder: OutputFolder, { schema, edge }: WrittenRelease): string[] {
  const path = (file: string) => relative(folder.root, file).split(sep).join('/');
  const damaged: string[] = [];
  if (!hasDigest(() => digestOf(readFileSync(folder.schema)), schema)) damaged.push(path(folder.schema));
  const copies = edge.copies ?? [];
  const isCopy = (name: string) => copies.some((copy) => name === copy || name.startsWith(`${copy}/`));
  const found = new Set(filesBelow(folder.edge).filter((name) => !isCopy(name)));
  for (const [name, digest] of Object.entries(edge.files)) {
    // Copies are written at each build.
    if (isCopy(name)) continue;
    const file = join(folder.edge, name);
    const isThere = found.delete(name);
    if (!isThere || !hasDigest(() => digestOf(readEntry(file)), digest)) damaged.push(path(file));
  }
  for (const stray of found) damaged.push(path(join(folder.edge, stray)));
  return damaged;
}

/** Files and links in the folders of targets, by their path below the folder of all. */
function filesBelow(edge: string): string[] {
  const targets = TARGET_NAMES.filter((name) => existsSync(join(edge, name)));
  return targets.flatMap((name) =>
    readdirSync(join(edge, name), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(edge, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/** The bytes of a file, or what a link names. */
function readEntry(path: string): string | Buffer {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
}

function hasDigest(read: () => string, digest: string): boolean {
  try {
    return read() === digest;
  } catch {
    // A file that cannot be read is damaged too.
    return false;
  }
}
