import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagesOf } from '../build/images/images.ts';
import { scan } from '../build/inputs/scan.ts';
import { crossDiagnostics, withoutErrors } from '../build/read/catalogue.ts';
import { readStaged } from '../build/read/files.ts';
import { readFolder } from '../build/read/folder.ts';
import { visibleAt } from '../build/visible.ts';
import type { Configuration } from '../contract/configuration.ts';
import { hiddenBecause, type Reason } from '../contract/visibility.ts';
import { columnsOf } from '../release/columns.ts';
import { manifestBytes, sequenceLines } from '../release/manifest.ts';
import { releaseName } from '../release/name.ts';
import type { ReadableRelease } from '../release/open.ts';
import { parseRelease } from '../release/read.ts';
import { toSequence } from '../release/sequence.ts';
import { findLeftOut, type LeftOut } from './incomparable.ts';

/** In memory. Without documents, which only a build makes. */
export type CompiledRelease = ReadableRelease & {
  readonly paths: ReadonlyMap<string, string>;
  readonly hidden: ReadonlyMap<string, Reason>;
  /** Files and folders left out because of errors, sorted. */
  readonly leftOut: readonly LeftOut[];
  readonly imagesOf: (id: string) => readonly string[];
  readonly photos: ReadonlyMap<string, string>;
  /** Whether `release` has the name that a build would give: false if a photo is a stand-in, without its real file. */
  readonly isNamed: boolean;
  readonly close: () => void;
};

/** @param standIns photos' digests, by those of their stand-ins. @throws UsageError when the folder does not exist */
export async function compileContent(
  content: string,
  configuration: Configuration,
  instant: number,
  jobs: number | undefined,
  standIns?: ReadonlyMap<string, string>,
): Promise<CompiledRelease> {
  const { files, diagnostics: faults } = scan(content, configuration);
  const staging = mkdtempSync(join(tmpdir(), 'catalogue-diff-'));
  const close = () => rmSync(staging, { recursive: true, force: true });
  try {
    const records = await readFolder({ content, configuration, files, staging, jobs, standIns });
    const sound = withoutErrors(records, [...faults, ...crossDiagnostics(content, records)]);
    const isSound = new Set(sound.map(({ path }) => path));
    const published = visibleAt(sound, instant);
    const present = standIns && new Set(standIns.values());
    const sequence = toSequence(published.map(({ entry }) => entry!));
    const byId = new Map(published.map((record) => [record.entry!.id, record]));
    const text = Buffer.concat(
      manifestBytes({
        name: releaseName(columnsOf(sequence), configuration),
        build: { commit: null, time: null },
        configuration,
        documents: new Map(),
        media: [...new Set(published.flatMap((record) => imagesOf(record, configuration)))].sort(),
        sequence: [...sequenceLines(sequence)],
      }),
    );
    return {
      release: parseRelease(text)!,
      detail: async (id) => readStaged(staging, byId.get(id)!.entry!.staged!).toString('utf8'),
      summary: async (id) => byId.get(id)!.entry!.summary,
      paths: new Map(published.map(({ path, entry }) => [entry!.id, path])),
      hidden: new Map(
        sound.flatMap(({ entry, placed, visibility }) => {
          const id = (entry ?? placed)?.id;
          const reason = hiddenBecause(visibility, instant);
          return id !== undefined && reason ? [[id, reason] as const] : [];
        }),
      ),
      leftOut: findLeftOut(content, [
        ...records.map(({ path }) => path).filter((path) => !isSound.has(path)),
        ...faults.flatMap(({ severity, file }) => (severity === 'error' ? [file] : [])),
      ]),
      imagesOf: (id) => imagesOf(byId.get(id)!, configuration),
      photos: new Map(
        records.flatMap(({ media }) => media.map(({ path, digest }) => [path, digest] as const)),
      ),
      isNamed: published.every(({ media }) => media.every(({ digest }) => present?.has(digest) ?? true)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
