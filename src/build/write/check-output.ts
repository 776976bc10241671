/** Finds output files that changed since they were written. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MANIFEST_KEY, mediaKey, propertyKey, scopeFolder } from '../../contract/keys.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import { joinSummaries } from '../../release/sequence.ts';
import type { OutputFolder } from '../output-folder.ts';
import { filesOfScope, totalFile } from './pages.ts';
import { type ReleaseFiles, strayKeys } from './public-files.ts';
import type { RememberedEdge } from './targets.ts';

/** The last build's release, as written. */
export type WrittenRelease = Omit<ReleaseFiles, 'sequence' | 'documents'> & {
  /** In the order of the sequence. */
  readonly sequence: readonly (Comparable & { readonly summary: string })[];
  /** Digests of the images' bytes, in the order of `media`. */
  readonly mediaDigests: readonly string[];
  /** SHA-256 of the manifest, in 64 hexadecimal digits. */
  readonly manifest: string;
  /** Digest of `property.schema.json`. */
  readonly schema: string;
  /** Digests of the targets' files, by path. */
  readonly edge: Pick<RememberedEdge, 'files' | 'copies'>;
  readonly documents: Readonly<Record<string, string>>;
};

/**
 * Compares every output file with the state.
 *
 * @returns the damaged files, sorted: keys in `dist/public`, and paths in the output folder for others.
 */
export function findDamage(folder: OutputFolder, release: WrittenRelease): string[] {
  return [...findPublicDamage(folder.public, release), ...findOtherDamage(folder, release)].sort();
}

function* findPublicDamage(root: string, release: WrittenRelease): Generator<string> {
  const { sequence, pageScopes, sizes, media, mediaDigests, documents } = release;
  const read = (key: string) => readFileSync(join(root, key));
  const summaries = joinSummaries(sequence.map(({ summary }) => summary));
  for (const scope of pageScopes) {
    const all = { scope, folder: scopeFolder(scope.country, scope.city), before: 0, places: undefined };
    for (const files of [totalFile(all), filesOfScope(summaries, all, sizes)])
      for (const { key, pieces } of files)
        if (!holds(() => read(key).equals(Buffer.concat(pieces)))) yield key;
  }
  const digests = new Map(Object.entries(documents));
  for (const { id, detailDigest } of sequence) digests.set(propertyKey(id), detailDigest);
  for (const [index, name] of media.entries()) digests.set(mediaKey(name), mediaDigests[index]!);
  for (const [key, digest] of digests) if (!holds(() => digestOf(read(key)) === digest)) yield key;
  const manifest = () => createHash('sha256').update(read(MANIFEST_KEY)).digest('hex');
  if (!holds(() => manifest() === release.manifest)) yield MANIFEST_KEY;
  yield* strayKeys(root, { ...release, documents: Object.keys(documents) });
}

function findOtherDamage(folder: OutputFolder, { schema, edge }: WrittenRelease): string[] {
  const path = (file: string) => relative(folder.root, file).split(sep).join('/');
  const damaged: string[] = [];
  if (!holds(() => digestOf(readFileSync(folder.schema)) === schema)) damaged.push(path(folder.schema));
  const copies = edge.copies ?? [];
  const isCopy = (name: string) => copies.some((copy) => name === copy || name.startsWith(`${copy}/`));
  const found = new Set(filesBelow(folder.edge).filter((name) => !isCopy(name)));
  for (const [name, digest] of Object.entries(edge.files)) {
    // Copies are written by each build.
    if (isCopy(name)) continue;
    const file = join(folder.edge, name);
    const isThere = found.delete(name);
    if (!isThere || !holds(() => digestOf(readEntry(file)) === digest)) damaged.push(path(file));
  }
  for (const stray of found) damaged.push(path(join(folder.edge, stray)));
  return damaged;
}

/** Lists files and links in the targets' folders, by path below `edge`. */
function filesBelow(edge: string): string[] {
  const targets = TARGET_NAMES.filter((name) => existsSync(join(edge, name)));
  return targets.flatMap((name) =>
    readdirSync(join(edge, name), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(edge, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/** Returns a file's bytes, or a link's target. */
function readEntry(path: string): string | Buffer {
  return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
}

/** Whether a comparison succeeds; an unreadable file is damaged too. */
function holds(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}
