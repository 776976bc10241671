/** What a session knows, and answers from: the catalogue, and drafts beside it, which no release has. */
import { imagesOf, localRequests, mediaOptions } from '../build/images/images.ts';
import type { OutputFolder } from '../build/output-folder.ts';
import { sizesOf } from '../build/plan.ts';
import type { FileRecord } from '../build/read/files.ts';
import type { Configuration } from '../contract/configuration.ts';
import { COUNTRIES_KEY, cityListKey, INDEX_KEY, pointsKey } from '../contract/document-keys.ts';
import { MEDIA_FOLDER } from '../contract/keys.ts';
import { cityListText, countriesText, countryRuns } from '../documents/countries.ts';
import { type DownloadFiles, downloadsOf, indexText } from '../documents/index.ts';
import { pointsText } from '../documents/points.ts';
import { openMediaCache, readImage } from '../media/cache.ts';
import { type HeldRelease, holdRelease } from '../release/in-memory.ts';
import { sequenceLines } from '../release/manifest.ts';
import { releaseName } from '../release/name.ts';
import { type Entry, joinSummaries, scopesOf, toSequence } from '../release/sequence.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { PhotoFile } from '../source/photo-file.ts';

/** What is known. Nothing in it is ever changed: a change makes another one. */
export type Memory = {
  readonly content: string;
  readonly configuration: Configuration;
  readonly folder: OutputFolder;
  /** The instant that decides which dated properties are shown. */
  readonly instant: number;
  /** Every YAML file, by path, with what is wrong in it. */
  readonly records: ReadonlyMap<string, FileRecord>;
  /** The entries of all records that have one and are shown, in order. */
  readonly sequence: readonly Entry[];
  /** What is wrong across files. */
  readonly cross: readonly Diagnostic[];
  /** What is wrong with the dates of files at that instant. */
  readonly dated: readonly Diagnostic[];
  /** Photos in use, by path. */
  readonly photos: ReadonlyMap<string, PhotoFile>;
  /** Names of the images that the output has. */
  readonly media: ReadonlySet<string>;
  /** The downloads that the output has. */
  readonly parts: readonly DownloadFiles[] | undefined;
  /** Details by id: those of drafts, and those that may be newer than the output. */
  readonly details: ReadonlyMap<string, Buffer>;
};

/** A catalogue to answer from. */
export type Held = {
  /** Name of its release, which has no drafts; it takes a while to find. */
  readonly id: () => string;
  /** What is shown, in order: drafts are among it. */
  readonly sequence: readonly Entry[];
  /** Ids of the drafts. */
  readonly drafts: readonly string[];
  /** Names of the images of the release. */
  readonly media: ReadonlySet<string>;
  readonly read: HeldRelease;
  /** An image that a draft alone has, by its key: no build makes it. */
  readonly readDraftImage: (key: string) => Promise<Buffer | undefined>;
};

/** Holds what is known. `media`: names of the images of its release. */
export function hold(memory: Memory, media: ReadonlySet<string>): Held {
  const { details, configuration, parts } = memory;
  const drafts = draftsIn(memory);
  const sequence =
    drafts.length === 0
      ? memory.sequence
      : toSequence([...memory.sequence, ...drafts.map(({ entry }) => entry!)]);
  const scopes = scopesOf(sequence);
  const summaries = joinSummaries(sequence.map(({ summary }) => summary));
  const held = holdRelease({ sequence, scopes, sizes: sizesOf(configuration), summaries, details });
  const id = () => releaseName(sequenceLines(memory.sequence), configuration);
  const runs = countryRuns(scopes);
  return {
    id,
    sequence,
    drafts: drafts.map(({ entry }) => entry!.id),
    media,
    read(key) {
      if (key === COUNTRIES_KEY) return Buffer.from(countriesText(runs));
      for (const run of runs) {
        if (key === cityListKey(run.country)) return Buffer.from(cityListText(run));
        if (key === pointsKey(run.country))
          return Buffer.from(pointsText(run.country, sequence.slice(run.start, run.end)));
      }
      if (key === INDEX_KEY) {
        const about = { release: id(), properties: sequence.length, countries: runs.length };
        return Buffer.from(indexText(configuration, { ...about, downloads: parts && downloadsOf(parts) }));
      }
      return held(key);
    },
    readDraftImage: async (key) =>
      key.startsWith(`${MEDIA_FOLDER}/`)
        ? makeImage(memory, drafts, key.slice(MEDIA_FOLDER.length + 1))
        : undefined,
  };
}

/** Whether two catalogues have the same properties. */
export function isSameRelease({ sequence: one }: Held, { sequence: other }: Held): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, summaryDigest, detailDigest }, index) => {
      const same = other[index]!;
      return id === same.id && summaryDigest === same.summaryDigest && detailDigest === same.detailDigest;
    })
  );
}

/** The drafts that are whole enough to be shown. */
function draftsIn({ records, details }: Memory): FileRecord[] {
  return [...records.values()].filter(
    ({ visibility, entry }) => visibility?.draft && entry && details.has(entry.id),
  );
}

async function makeImage(
  { content, configuration, folder }: Memory,
  drafts: readonly FileRecord[],
  name: string,
): Promise<Buffer | undefined> {
  const draft = drafts.find((record) => imagesOf(record, configuration).includes(name));
  if (!draft) return undefined;
  const cache = openMediaCache(folder.mediaCache);
  const known = readImage(cache, name);
  if (known) return known.bytes;
  const stage = { content, configuration, cacheFolder: folder.mediaCache, listener: () => {} };
  const { makeMedia } = await import('../media/make.ts');
  await makeMedia(localRequests(stage, draft), mediaOptions(stage));
  return readImage(cache, name)?.bytes;
}
