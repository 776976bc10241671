/** Serves lists and details by cutting them out of the tree's chunks and parts (docs/release-format.md). */

import { partKey } from '../../contract/document-keys.ts';
import { JSON_TYPE, RELEASE_HEADER } from '../../contract/headers.ts';
import { chunkKey, citiesKey, parseScopeFolder, propertyIdOf } from '../../contract/object-keys.ts';
import { emptyPage, type Slice } from '../../contract/pagination.ts';
import { assemblePage, concatBytes, pageSlices } from '../../release/page.ts';
import {
  type ApiRequest,
  entityReply,
  type PageAnswer,
  type PageOrPropertyAnswer,
  problemReply,
  type Reply,
  textReply,
} from '../../targets/runtime/reply.ts';
import type { ReplySettings } from '../../targets/runtime/reply-settings.ts';
import { type Chunk, entryBytes, parseChunk } from '../format/chunk.ts';
import { type CityEntry, parseCityShard } from '../format/city-table.ts';
import { findDetail, findDetailPart, parsePart } from '../format/detail-part.ts';
import {
  chunkSlices,
  cityStart,
  countryRange,
  findChunkBefore,
  findCityShard,
  pageIdentity,
} from '../format/list-lookup.ts';
import type { Root } from '../format/root.ts';
import { createObjectCache, type ObjectCache } from './object-cache.ts';
import { hexadecimalDigest, type PlatformServices, readObject } from './read-object.ts';
import { createReleaseRoots } from './release-roots.ts';

export type { PlatformServices } from './read-object.ts';

/**
 * Undefined for a detail that neither the live release nor a replaced one has. Never rejects: after a failure, responds
 * with the problem `list-unavailable`.
 */
export type TreeResponder = (
  answer: PageOrPropertyAnswer,
  request: ApiRequest,
  platform: PlatformServices,
) => Promise<CutReply | undefined>;

type CutReply = Reply<Uint8Array<ArrayBuffer>>;

/** In bytes. A third of the memory of the smallest platform. */
const MEMORY = 40 * 1024 * 1024;

export type TreeResponderOptions = {
  /** Bytes of the object cache. @default 40 MB */
  readonly memory?: number;
  /** Returns the present time in milliseconds. @default Date.now */
  readonly now?: () => number;
};

/** The returned function caches objects in memory between requests. */
export function createTreeResponder(
  settings: ReplySettings,
  options: TreeResponderOptions = {},
): TreeResponder {
  const { memory = MEMORY, now = Date.now } = options;
  const objects = createObjectCache(memory, now);
  const releases = createReleaseRoots(settings.cache.release ?? '', objects, now);

  const answerPage = async (answer: PageAnswer, request: ApiRequest, platform: PlatformServices) => {
    const answerFrom = async (root: Root) => {
      const result = await pageReply(readerOf(root, objects, platform), answer, request, settings);
      result.headers.push([RELEASE_HEADER, root.release]);
      return result;
    };
    if (request.release !== undefined) {
      const root = await releases.kept(request.release, platform);
      return root ? answerFrom(root) : problemReply<Uint8Array<ArrayBuffer>>('release-gone', settings);
    }
    const { root } = await releases.current(platform);
    return answerFrom(root).catch(async (error: unknown) => {
      // The cached release may have been removed meanwhile.
      const latest = await releases.renewed(platform);
      if (latest.root.release === root.release) throw error;
      return answerFrom(latest.root);
    });
  };

  const answerDetail = async (key: string, request: ApiRequest, platform: PlatformServices) => {
    const answerFrom = (root: Root) => detailReply(readerOf(root, objects, platform), key, request, settings);
    const { root } = await releases.current(platform);
    const cached = await answerFrom(root).catch((error: unknown) => ({ error }));
    if (cached && !('error' in cached)) return cached;
    // The cached release may have been removed meanwhile, or may lack a property that a newer release lists.
    const latest = await releases.renewed(platform);
    const isNewer = latest.root.release !== root.release;
    if (cached && !isNewer) throw cached.error;
    const result = isNewer ? await answerFrom(latest.root) : undefined;
    if (result) return result;
    // A cached list may name a property that was removed.
    for (const name of latest.before) {
      const earlier = await releases.kept(name, platform);
      const found = earlier && (await answerFrom(earlier));
      if (found) return found;
    }
    return undefined;
  };

  return async (answer, request, platform) => {
    try {
      if (answer.kind === 'page') return await answerPage(answer, request, platform);
      return await answerDetail(answer.key, request, platform);
    } catch (error) {
      platform.report(error);
      return problemReply('list-unavailable', settings);
    }
  };
}

type Reader = {
  readonly root: Root;
  readonly chunk: (index: number) => Promise<Chunk>;
  /** Undefined if the city is unknown. */
  readonly city: (name: string) => Promise<CityEntry | undefined>;
  /** Undefined if the property is unknown. */
  readonly detail: (id: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
};

function readerOf(root: Root, objects: ObjectCache, platform: PlatformServices): Reader {
  return {
    root,
    async chunk(index) {
      const { digest, start, end } = root.chunks[index]!;
      const key = chunkKey(digest);
      const chunk = await objects.get(key, () => readObject(key, digest, parseChunk, platform));
      if (chunk.count !== end - start) throw new Error(`${key} has not ${end - start} records.`);
      return chunk;
    },
    async city(name) {
      const digest = findCityShard(root, name);
      if (digest === undefined) return undefined;
      const key = citiesKey(digest);
      const shard = await objects.get(key, () => readObject(key, digest, parseCityShard, platform));
      return shard.get(name);
    },
    async detail(id) {
      const part = findDetailPart(root.details, id);
      if (!part) return undefined;
      const key = partKey(part.digest);
      const details = await objects.get(key, () => readObject(key, part.digest, parsePart, platform));
      return findDetail(details, id);
    },
  };
}

async function detailReply(
  reader: Reader,
  key: string,
  request: ApiRequest,
  { cache }: ReplySettings,
): Promise<CutReply | undefined> {
  const body = await reader.detail(propertyIdOf(key));
  return body && entityReply({ tag: `"${await hexadecimalDigest(body)}"`, body }, key, request, cache);
}

async function pageReply(
  reader: Reader,
  answer: PageAnswer,
  request: ApiRequest,
  { cache }: ReplySettings,
): Promise<CutReply> {
  const { number, size } = answer;
  const { total, slices } = await locate(reader, answer);
  if (slices.length === 0) return textReply(JSON_TYPE, cache.api, emptyPage(number, size, total));
  const tag = await tagOf(pageIdentity(reader.root, slices, number, size, total), slices.length);
  // A 304 does not need the entries, so their chunks are not read for it.
  const empty: Uint8Array<ArrayBuffer> = new Uint8Array();
  const result = entityReply({ tag, body: empty }, answer.key, request, cache);
  if (result.status === 304) return result;
  const entries = slices.map(async ({ index, start, end }) =>
    entryBytes(await reader.chunk(index), start, end),
  );
  return { ...result, body: concatBytes(assemblePage(await Promise.all(entries), number, size, total)) };
}

async function locate(
  reader: Reader,
  { folder, number, size }: PageAnswer,
): Promise<{ total: number; slices: Slice[] }> {
  const { root } = reader;
  const scope = parseScopeFolder(folder);
  if (!scope) return { total: 0, slices: [] };
  const { country, city } = scope;
  if (city === '') {
    const { start, end } = countryRange(root, country) ?? { start: 0, end: 0 };
    const [slice] = pageSlices([end - start], number, size);
    const slices = slice ? chunkSlices(root, start + slice.start, start + slice.end) : [];
    return { total: end - start, slices };
  }
  const entry = await reader.city(city);
  const runs = (entry?.countries ?? []).filter((run) => country === '' || run.country === country);
  const counts = runs.map(({ count }) => count);
  const slices = pageSlices(counts, number, size).map(async ({ index: run, start, end }) => {
    const position = { country: runs[run]!.country, folded: entry!.folded, city };
    const before = findChunkBefore(root, position);
    const chunk = before < 0 ? undefined : await reader.chunk(before);
    const first = cityStart(root, position, before, chunk);
    if (first === undefined)
      throw new Error(`The city table does not say where ${city} in ${position.country} starts.`);
    return chunkSlices(root, first + start, first + end);
  });
  return { total: counts.reduce((sum, count) => sum + count, 0), slices: (await Promise.all(slices)).flat() };
}

/** Strong ETag. A short identity is not hashed: for a chunk in memory, hashing would be the slowest step. */
async function tagOf(identity: string, slices: number): Promise<string> {
  if (slices <= 2) return `"${identity.replace(/ /g, '-').replace(/\n/g, '.')}"`;
  return `"${await hexadecimalDigest(new TextEncoder().encode(identity))}"`;
}
