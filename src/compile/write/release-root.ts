/** The root of a release, and the documents that depend on it. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { aboutCatalogue } from '../../contract/about-catalogue.ts';
import {
  type Configuration,
  hasPages,
  offersBulkDownloads,
  routeSettings,
} from '../../contract/configuration.ts';
import { DATA_PACKAGE_KEY, DOWNLOAD_KEYS, INDEX_KEY, partKey } from '../../contract/document-keys.ts';
import { headerGroup, storedHeaders } from '../../contract/headers.ts';
import {
  CURRENT_KEY,
  documentCopyKey,
  imageListKey,
  mediaKey,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  rootKey,
  totalKey,
} from '../../contract/object-keys.ts';
import { isSharedKey, objectKindOf } from '../../contract/object-kinds.ts';
import { catalogueIndexText, indexedDownloads } from '../../documents/catalogue-index.ts';
import { dataPackageText } from '../../documents/data-package.ts';
import { DIGEST_DIGITS, digestOf } from '../../release/digest.ts';
import { edgeConfigurationName } from '../../release/edge-configuration-name.ts';
import {
  type BuildIdentity,
  imageLists,
  indexFromTemplate,
  RELEASE_NAME_PLACEHOLDER,
  type ReleaseSettings,
  type RootContents,
  serializeCurrent,
} from '../../release/root-contents.ts';
import type { Scope } from '../../release/sequence.ts';
import type { RootFields } from '../../tree/format/root.ts';
import { rootObject, type TreeObject } from '../../tree/objects.ts';
import { damagedStateIfMissing } from '../state/damage.ts';
import type { WrittenBulkFiles } from '../state/written-files.ts';
import type { ChangedFilesWriter } from './changed-files-writer.ts';

/**
 * Documents that `documentsOfRelease` does not return: downloads, and documents that depend on downloads or on the name
 * of the release. The tree has copies of all of them.
 */
export function keysOfLaterDocuments(configuration: Configuration, hasDownloads: boolean): readonly string[] {
  const bulk = offersBulkDownloads(configuration) ? [DATA_PACKAGE_KEY] : [];
  return [INDEX_KEY, ...bulk, ...(hasDownloads ? DOWNLOAD_KEYS : [])];
}

type WrittenTree = Omit<RootFields, 'details' | 'contents'>;

export async function writeTree(
  files: ChangedFilesWriter,
  objects: Generator<TreeObject, WrittenTree>,
): Promise<WrittenTree> {
  for (;;) {
    const { done, value } = objects.next();
    if (done) return value;
    await files.write(value);
  }
}

type ReleaseToName = {
  readonly configuration: Configuration;
  readonly scopes: readonly Scope[];
  readonly sequence: { readonly length: number };
  readonly media: readonly string[];
  readonly build: BuildIdentity;
};

/**
 * Call this after all other documents are written. Writes the data package, the tree's copies of documents, the lists
 * of images and the root; then `index.json` and `current.json`, which name the release.
 * @returns the release's name
 */
export async function writeRoot(
  files: ChangedFilesWriter,
  publicFolder: string,
  { configuration, scopes, sequence, media, build }: ReleaseToName,
  written: WrittenBulkFiles,
  tree: WrittenTree,
): Promise<string> {
  const { digests } = files;
  for (const { digest } of written.parts) digests.set(partKey(digest), digest);
  for (const { key, sha256 } of written.downloads?.files ?? [])
    digests.set(key, sha256.slice(0, DIGEST_DIGITS));
  const downloads = offersBulkDownloads(configuration)
    ? indexedDownloads(written, RELEASE_NAME_PLACEHOLDER)
    : undefined;
  if (downloads)
    await files.write({ key: DATA_PACKAGE_KEY, content: () => dataPackageText(configuration, downloads) });
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const about = { release: RELEASE_NAME_PLACEHOLDER, properties: sequence.length, countries, downloads };
  const template = Buffer.from(catalogueIndexText(configuration, about));
  const rootDocuments = new Map(
    [...digests].filter(([key]) => !isSharedKey(key) || objectKindOf(key) === 'asset'),
  );
  for (const [key, digest] of rootDocuments) {
    if (isSharedKey(key)) continue;
    const copy = (path: string) => {
      damagedStateIfMissing(() => copyFileSync(join(publicFolder, key), path));
      return digest;
    };
    await files.write({ key: documentCopyKey(digest), digest, content: () => copy });
  }
  rootDocuments.set(INDEX_KEY, digestOf(template));
  await files.write({ key: documentCopyKey(digestOf(template)), content: () => template });
  const images: string[] = [];
  for (const { digest, bytes } of imageLists(media)) {
    images.push(digest);
    await files.write({ key: imageListKey(digest), digest, content: () => bytes });
  }
  const contents = rootContents(configuration, rootDocuments, media, images);
  const root = rootObject({ ...tree, details: written.parts, contents });
  await files.write(root);
  await files.write({ key: INDEX_KEY, content: () => indexFromTemplate(template, root.digest) });
  await files.write({ key: CURRENT_KEY, content: () => serializeCurrent({ release: root.digest, build }) });
  return root.digest;
}

/**
 * @param documents maps the key of every document to its digest, also for downloads and the assets of the explorer
 * @param images the digests of the lists of images (`imageLists`)
 */
export function rootContents(
  configuration: Configuration,
  documents: ReadonlyMap<string, string>,
  media: readonly string[],
  images: readonly string[],
): RootContents {
  return {
    settings: settingsOf(configuration),
    headers: headerDigests(configuration, documents.keys(), media),
    documents: Object.fromEntries([...documents].sort(([one], [other]) => (one < other ? -1 : 1))),
    images,
  };
}

function settingsOf(configuration: Configuration): ReleaseSettings {
  const { base, sizes } = routeSettings(configuration);
  return {
    about: aboutCatalogue(configuration),
    base,
    url: configuration.base_url,
    media_url: configuration.media_base_url ?? configuration.base_url,
    page_sizes: sizes,
    layout: configuration.layout,
    cache_control: configuration.cache_control,
    api_keys: configuration.api_keys.length > 0,
    edge: edgeConfigurationName(configuration),
  };
}

function headerDigests(
  configuration: Configuration,
  documents: Iterable<string>,
  media: readonly string[],
): RootContents['headers'] {
  const caching = configuration.cache_control;
  const isKeyed = configuration.api_keys.length > 0;
  // All keys of a group (`headerGroup`) have the same headers, so one key of each group is enough. There need not be a
  // file with this key.
  const keys = [rootKey(''), documentCopyKey(''), CURRENT_KEY];
  if (hasPages(configuration))
    keys.push(propertyKey(''), pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER));
  const digests: Record<string, string> = {};
  for (const key of [...keys, ...documents, ...media.map(mediaKey)]) {
    digests[headerGroup(key)] ??= digestOf(JSON.stringify(storedHeaders(key, caching, isKeyed)));
  }
  return digests;
}
