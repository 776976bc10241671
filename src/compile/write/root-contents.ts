import { aboutCatalogue } from '../../contract/about.ts';
import { type Configuration, hasPages, routeSettings } from '../../contract/configuration.ts';
import { headerGroup, storedHeaders } from '../../contract/headers.ts';
import {
  CURRENT_KEY,
  copyKey,
  mediaKey,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  rootKey,
  totalKey,
} from '../../contract/object-keys.ts';
import { digestOf } from '../../release/digest.ts';
import { edgeConfigurationName } from '../../release/edge-configuration-name.ts';
import type { ReleaseSettings, RootContents } from '../../release/root-contents.ts';

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
  const keys = [rootKey(''), copyKey(''), CURRENT_KEY];
  if (hasPages(configuration))
    keys.push(propertyKey(''), pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER));
  const digests: Record<string, string> = {};
  for (const key of [...keys, ...documents, ...media.map(mediaKey)]) {
    digests[headerGroup(key)] ??= digestOf(JSON.stringify(storedHeaders(key, caching, isKeyed)));
  }
  return digests;
}

/**
 * @param documents digests by key, of all documents except those of the tree
 * @param images digests of `imageLists`
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
