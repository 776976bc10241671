import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageNamesOf } from '../compile/images/record-images.ts';
import { crossFileDiagnostics, recordsWithoutErrors } from '../compile/read/catalogue.ts';
import { readFolder } from '../compile/read/folder.ts';
import { filterVisible } from '../compile/visible-at.ts';
import type { Configuration } from '../contract/configuration.ts';
import { type HiddenReason, hiddenReasonAt } from '../contract/visibility.ts';
import { openFileReader } from '../release/open-release.ts';
import { readRelease } from '../release/read-release.ts';
import type { Release } from '../release/release.ts';
import { UNKNOWN_BUILD } from '../release/root-contents.ts';
import { toSequence } from '../release/sequence.ts';
import { scanContent } from '../source/scan-content.ts';
import { type ExcludedFile, findExcludedFiles } from './left-out-files.ts';
import { writeReleaseTree } from './release-tree.ts';

/** A release made from the content without a build. The `documents` of `release` are empty. */
export type CompiledRelease = {
  readonly release: Release;
  readonly paths: ReadonlyMap<string, string>;
  readonly hidden: ReadonlyMap<string, HiddenReason>;
  /** Files and folders left out because of errors, sorted. */
  readonly leftOut: readonly ExcludedFile[];
  readonly imagesOf: (id: string) => readonly string[];
  readonly photos: ReadonlyMap<string, string>;
  /**
   * Whether `release` has the name that a build would give it. False if the digest of a photo is unknown, because only
   * the photo's stand-in is there (`revision.ts`).
   */
  readonly hasFinalName: boolean;
  /** Removes the temporary folder with the release's tree. */
  readonly close: () => void;
};

/**
 * @param standIns maps the digest of each photo's stand-in to the digest of the photo (`revision.ts`)
 * @throws UsageError if the folder does not exist
 */
export async function compileContent(
  content: string,
  configuration: Configuration,
  instant: number,
  jobs: number | undefined,
  standIns?: ReadonlyMap<string, string>,
): Promise<CompiledRelease> {
  const { files, diagnostics: faults } = scanContent(content, configuration);
  const staging = mkdtempSync(join(tmpdir(), 'catalogue-diff-'));
  const close = () => rmSync(staging, { recursive: true, force: true });
  try {
    const records = await readFolder({ content, configuration, files, staging, jobs, standIns });
    const sound = recordsWithoutErrors(records, [...faults, ...crossFileDiagnostics(content, records)]);
    const isSound = new Set(sound.map(({ path }) => path));
    const published = filterVisible(sound, instant);
    const present = standIns && new Set(standIns.values());
    const sequence = toSequence(published.map(({ entry }) => entry!));
    const byId = new Map(published.map((record) => [record.entry!.id, record]));
    const tree = join(staging, 'tree');
    const media = [...new Set(published.flatMap((record) => imageNamesOf(record, configuration)))].sort();
    const folders = { content, folder: { public: tree, staging } };
    const release = await writeReleaseTree(folders, configuration, sequence, media);
    const current = { release, build: UNKNOWN_BUILD };
    return {
      release: withoutDocuments((await readRelease(current, { read: openFileReader(tree) }))!),
      paths: new Map(published.map(({ path, entry }) => [entry!.id, path])),
      hidden: new Map(
        sound.flatMap(({ entry, crossFileValues, visibility }) => {
          const id = (entry ?? crossFileValues)?.id;
          const reason = hiddenReasonAt(visibility, instant);
          return id !== undefined && reason ? [[id, reason] as const] : [];
        }),
      ),
      leftOut: findExcludedFiles(content, [
        ...records.map(({ path }) => path).filter((path) => !isSound.has(path)),
        ...faults.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])),
      ]),
      imagesOf: (id) => imageNamesOf(byId.get(id)!, configuration),
      photos: new Map(
        records.flatMap(({ media }) => media.map(({ path, digest }) => [path, digest] as const)),
      ),
      hasFinalName: published.every(({ media }) => media.every(({ digest }) => present?.has(digest) ?? true)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A {@link CompiledRelease} does not have the documents of a build, so a diff ignores documents on both sides. */
export function withoutDocuments(release: Release): Release {
  return { ...release, documents: {} };
}
