import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { BuildOptions } from '../compile/context.ts';
import { readAsOf } from '../compile/inputs/as-of.ts';
import { withBuildOptions } from '../compile/inputs/configuration-overrides.ts';
import { type Configuration, configurationSchema } from '../contract/configuration.ts';
import { type DetailValues, haveFieldDeclarationsChanged, valuesByField } from '../contract/detail-values.ts';
import { CURRENT_KEY, propertyIdOf } from '../contract/object-keys.ts';
import { objectKindOf } from '../contract/object-kinds.ts';
import { assertPreviewName, previewKeyPrefix } from '../contract/preview-keys.ts';
import type { Property } from '../contract/property.ts';
import { declaredTerms } from '../contract/terms.ts';
import type { HiddenReason } from '../contract/visibility.ts';
import { UsageError } from '../errors/errors.ts';
import { changesBetween } from '../history/changes.ts';
import { allWrites, planFromReleases } from '../publish/plan.ts';
import { openRelease } from '../release/open-release.ts';
import { detailText, type Release, readIds } from '../release/release.ts';
import { thumbnailIndex } from '../release/to-published.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { checkPropertyFile } from '../source/property-file.ts';
import { type CompiledRelease, compileContent, withoutDocuments } from './compile-content.ts';
import { type FieldChange, fieldChanges } from './field-change.ts';
import {
  type FieldDeclarationChange,
  fieldDeclarationChanges,
  fieldsWithoutRenamed,
} from './field-declaration-change.ts';
import { type ExcludedFile, propertiesPossiblyIn } from './left-out-files.ts';
import { withoutListEntries } from './release-tree.ts';
import { checkOut, photoDigestsOfStandIns } from './revision.ts';

/** `baseUrl` and `layout` override the configuration of both sides, as they do in a build. */
export type ContentDiffOptions = {
  readonly content: string;
  readonly base: string;
  readonly jobs?: number | undefined;
  /**
   * Both sides are compared as they would be published at this instant.
   * @default the time of the content's last commit; without Git, now
   */
  readonly asOf?: Date | undefined;
  readonly apiKey?: string | undefined;
  /** Name of a preview, whose URL is reported. @default no preview */
  readonly preview?: string | undefined;
} & Pick<BuildOptions, 'baseUrl' | 'layout'>;

export type NamedProperty = {
  readonly id: string;
  readonly title: string;
  readonly city: string;
  readonly country: string;
  /** Relative to the content folder. Empty if the property was read from a build, which has no content files. */
  readonly path: string;
  /** Path relative to the content folder, or an https URL. Only for properties from the content. */
  readonly photo?: string;
};

export type HiddenProperty = NamedProperty & { readonly reason: HiddenReason };

export type ContentDiff = {
  readonly base: string;
  readonly preview?: string;
  /**
   * Name of each side's release. Null if files with errors were left out, or if the base has a photo that the content
   * lacks: the name depends on that photo's digest, which is unknown.
   */
  readonly releases: { readonly before: string | null; readonly after: string | null };
  /** Files with errors. No other member includes their properties. */
  readonly incomparable: readonly IncomparableFile[];
  readonly added: readonly NamedProperty[];
  readonly removed: readonly NamedProperty[];
  /** Properties that the base shows, but that a draft or a date hides in the content. `shown` has the opposite case. */
  readonly hidden: readonly HiddenProperty[];
  readonly shown: readonly HiddenProperty[];
  readonly changed: readonly (NamedProperty & { readonly changes: readonly FieldChange[] })[];
  readonly settings: readonly string[];
  readonly declaration?: readonly FieldDeclarationChange[];
  /** Numbers of files that a publish would write and remove, without documents. */
  readonly files: Files;
};

export type IncomparableFile = {
  /** Relative to the content folder. */
  readonly path: string;
  readonly side: 'content' | 'base';
  /** Properties that only the other side has, and that this file may contain. */
  readonly properties: readonly NamedProperty[];
};

type Files = {
  readonly written: {
    readonly details: number;
    readonly pages: number;
    readonly totals: number;
    readonly photos: number;
  };
  readonly removed: number;
};

type Side = Omit<CompiledRelease, 'imagesOf' | 'photos'> & {
  /** Undefined for a build, which does not contain the settings that it was made with. */
  readonly configuration: Configuration | undefined;
};

/**
 * @throws UsageError if the base does not exist, the configuration has errors, or `preview` is not a valid name; and
 * what {@link openRelease} throws, if the base is a build
 */
export async function diffContent(options: ContentDiffOptions): Promise<ContentDiff> {
  const { content, jobs } = options;
  const configuration = configurationOf(options);
  if (options.preview !== undefined) assertPreviewName(options.preview);
  const { instant } = await readAsOf(content, options.asOf);
  const after = await compileContent(content, configuration, instant, jobs);
  try {
    const before = await openBase(options, instant, after.photos);
    try {
      return await compare(options, before, after, configuration);
    } finally {
      before.close();
    }
  } finally {
    after.close();
  }
}

async function compare(
  { base, content, preview }: ContentDiffOptions,
  before: Side,
  after: CompiledRelease,
  configuration: Configuration,
): Promise<ContentDiff> {
  const changes = await changesBetween(before, after, new Date().toISOString());
  const pictured = async (id: string) => withPhoto(await namedIn(after, id), content, configuration);
  const added = await Promise.all(changes.added.map(pictured));
  const removed = await Promise.all(changes.removed.map((id) => namedIn(before, id)));
  const incomparable = [
    ...after.leftOut.map((file) => incomparableOf('content', file, removed)),
    ...before.leftOut.map((file) => incomparableOf('base', file, added)),
  ];
  const unseen = new Set(incomparable.flatMap(({ properties }) => properties.map(({ id }) => id)));
  const isSeen = ({ id }: NamedProperty) => !unseen.has(id);
  const changed: ContentDiff['changed'][number][] = [];
  const table = declaredTerms(configuration).fields;
  let declared: readonly FieldDeclarationChange[] = [];
  for (const { id, fields } of changes.changed) {
    const [old, now] = [await detailOf(before, id), await detailOf(after, id)];
    if (haveFieldDeclarationsChanged(old, now)) declared = fieldDeclarationChanges(old, now, table);
    const [olds, nows] = [valuesByField(old), valuesByField(now)];
    const left = fieldsWithoutRenamed(
      fields,
      declared,
      (one, other) =>
        JSON.stringify(olds.get(`attributes.${one}`)) === JSON.stringify(nows.get(`attributes.${other}`)),
    );
    if (left.length === 0) continue;
    changed.push({ ...(await pictured(id)), changes: fieldChanges(old, now, left, table) });
  }
  return {
    base,
    ...(preview && { preview: `${configuration.base_url}/${previewKeyPrefix(preview)}` }),
    releases: { before: finalNameOf(before), after: finalNameOf(after) },
    incomparable,
    added: added.filter((named) => isSeen(named) && !before.hidden.has(named.id)),
    removed: removed.filter((named) => isSeen(named) && !after.hidden.has(named.id)),
    hidden: hiddenAmong(removed, after.hidden),
    shown: hiddenAmong(added, before.hidden),
    changed,
    settings: before.configuration ? settingsBetween(before.configuration, configuration) : [],
    ...(declared.length > 0 && { declaration: declared }),
    files: await countFiles(
      await withoutProperties(before.release, unseen),
      await withoutProperties(after.release, unseen, (id) => after.imagesOf(id)),
      unseen,
    ),
  };
}

function hiddenAmong(
  oneSided: readonly NamedProperty[],
  hidden: ReadonlyMap<string, HiddenReason>,
): HiddenProperty[] {
  return oneSided.flatMap((named) => {
    const reason = hidden.get(named.id);
    return reason ? [{ ...named, reason }] : [];
  });
}

function finalNameOf({
  release,
  leftOut,
  hasFinalName,
}: Pick<Side, 'release' | 'leftOut' | 'hasFinalName'>): string | null {
  return leftOut.length > 0 || !hasFinalName ? null : release.name;
}

function incomparableOf(
  side: IncomparableFile['side'],
  file: ExcludedFile,
  oneSided: readonly NamedProperty[],
): IncomparableFile {
  const ids = new Set(propertiesPossiblyIn(file, oneSided).map(({ id }) => id));
  return { path: file.path, side, properties: oneSided.filter(({ id }) => ids.has(id)) };
}

async function withoutProperties(
  release: Release,
  ids: ReadonlySet<string>,
  imagesOf?: (id: string) => readonly string[],
): Promise<Release> {
  if (ids.size === 0) return release;
  const left = await withoutListEntries(release, ids);
  // Without `imagesOf`, the images of each property are unknown, so no image counts as removed.
  return imagesOf ? { ...left, media: new Set((await readIds(left)).flatMap(imagesOf)) } : left;
}

async function openBase(
  options: ContentDiffOptions,
  instant: number,
  photos: ReadonlyMap<string, string>,
): Promise<Side> {
  const { content, base, jobs, apiKey } = options;
  const built = /^https?:\/\//.test(base) ? base : builtFolder(base);
  if (built !== undefined) {
    const opened = await openRelease(built, { apiKey });
    if (!opened) throw unreadable(base);
    const { release } = opened;
    return {
      release: withoutDocuments(release),
      paths: new Map(),
      hidden: new Map(),
      leftOut: [],
      hasFinalName: true,
      configuration: undefined,
      close: () => {},
    };
  }
  const out = checkOut(content, base);
  try {
    // If the configuration of the base is invalid, all settings have their defaults.
    const read = readConfiguration(out.content).configuration ?? configurationSchema.parse({});
    if (read.logo) out.fill(read.logo.file);
    const { configuration } = withBuildOptions(out.content, read, options);
    const standIns = photoDigestsOfStandIns(content, photos);
    const compiled = await compileContent(out.content, configuration, instant, jobs, standIns);
    const close = () => {
      compiled.close();
      out.close();
    };
    return { ...compiled, configuration, close };
  } catch (error) {
    out.close();
    throw error;
  }
}

function builtFolder(path: string): string | undefined {
  return [path, join(path, 'public')].find((folder) => existsSync(join(folder, CURRENT_KEY)));
}

function configurationOf(options: ContentDiffOptions): Configuration {
  const { configuration } = readConfiguration(options.content);
  const settings = configuration && withBuildOptions(options.content, configuration, options);
  if (settings?.diagnostics.length === 0) return settings.configuration;
  throw new UsageError(
    'invalid-configuration',
    'catalogue.yaml has errors. Run "catalogue check" to see them.',
  );
}

async function detailOf({ release }: Pick<Side, 'release'>, id: string): Promise<Property & DetailValues> {
  return JSON.parse(await detailText(release, id)) as Property & DetailValues;
}

async function namedIn(side: Pick<Side, 'paths' | 'release'>, id: string): Promise<NamedProperty> {
  const { title, city, country } = await detailOf(side, id);
  return { id, title, city, country, path: side.paths.get(id) ?? '' };
}

function withPhoto(named: NamedProperty, content: string, configuration: Configuration): NamedProperty {
  const bytes = readFileSync(join(content, named.path));
  const { property } = checkPropertyFile(bytes, named.path, declaredTerms(configuration));
  const photos = property?.photo ?? [];
  const first = photos[thumbnailIndex(photos) ?? -1];
  if (first?.url !== undefined) return { ...named, photo: first.thumbnail ?? first.url };
  return first?.file === undefined
    ? named
    : { ...named, photo: posix.join(posix.dirname(named.path), first.file) };
}

function settingsBetween(before: Configuration, after: Configuration): string[] {
  const names = Object.keys(configurationSchema.shape) as (keyof Configuration)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** @param unseen the ids of incomparable properties, whose details are not counted */
async function countFiles(before: Release, after: Release, unseen: ReadonlySet<string>): Promise<Files> {
  const plan = await planFromReleases(before, after);
  const isSeen = (key: string) => objectKindOf(key) !== 'detail' || !unseen.has(propertyIdOf(key));
  const written = { details: 0, pages: 0, totals: 0, photos: 0 };
  for (const { kind, key } of allWrites(plan)) {
    if (kind === 'detail') written.details += Number(isSeen(key));
    else if (kind === 'page') written.pages++;
    else if (kind === 'total') written.totals++;
    else if (kind === 'media') written.photos++;
  }
  let removed = 0;
  for (const key of plan.removals()) removed += Number(isSeen(key));
  return { written, removed };
}

function unreadable(base: string): UsageError {
  return new UsageError('nothing-built', `There is no catalogue at ${base} that this version can read.`);
}
