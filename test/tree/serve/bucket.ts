/** A bucket in memory with releases of made-up properties, which counts its reads. */
import { createHash } from 'node:crypto';
import { configurationSchema, routeSettings } from '../../../src/contract/configuration.ts';
import { problemDocuments } from '../../../src/contract/problem.ts';
import { reply } from '../../../src/targets/runtime/reply.ts';
import type { ReplySettings } from '../../../src/targets/runtime/reply-settings.ts';
import { replySettingsForLayout } from '../../../src/targets/shared/target-code.ts';
import {
  createTreeResponder,
  type PlatformServices,
  type TreeResponderOptions,
} from '../../../src/tree/serve/responder.ts';
import type { Summary } from '../../conformance/fixture.ts';
import { makeTree } from '../../conformance/tree.ts';

const CITIES = ['Ålesund', 'Cork', 'cork', 'Newport', 'Paris', 'Ulm', '東京', '-'];
const COUNTRIES = ['DE', 'FR', 'IE'];

/** A property whose place and name follow from a number. */
export function made(number: number, title = `Stay ${(number * 48_271) % 997}`): Summary {
  const hash = createHash('sha256').update(String(number)).digest('hex');
  return {
    id: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`,
    title,
    city: CITIES[Math.floor(number / 3) % CITIES.length]!,
    country: COUNTRIES[number % COUNTRIES.length]!,
    thumbnail: null,
  };
}

/** Summaries in the order of the sequence, computed independently. */
export function ordered(summaries: readonly Summary[]): Summary[] {
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const keyed = summaries.map((summary) => {
    const { country, city, title, id } = summary;
    const parts = [country, fold(city), city, fold(title), title, id];
    return { summary, key: Buffer.from(parts.join('\0')) };
  });
  return keyed.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ summary }) => summary);
}

export type TestBucket = PlatformServices & {
  readonly files: Map<string, Buffer>;
  /** Keys in the order in which they were read. */
  readonly reads: string[];
  /** The reported errors, as text. */
  readonly reports: string[];
  /** Stores a release, and makes it the current one. Returns its name. */
  readonly release: (summaries: readonly Summary[]) => string;
};

/** Makes a bucket without a release. */
export function createBucket(): TestBucket {
  const files = new Map<string, Buffer>();
  const reads: string[] = [];
  const reports: string[] = [];
  return {
    files,
    reads,
    reports,
    read: async (key) => {
      reads.push(key);
      const bytes = files.get(key);
      return bytes && new Uint8Array(bytes);
    },
    report: (error) => reports.push((error as Error).message),
    release: (summaries) => {
      const tree = makeTree(ordered(summaries));
      for (const [key, bytes] of tree.files) files.set(key, bytes);
      return tree.release;
    },
  };
}

/** Settings of a catalogue of the packed layout. `release` is its `cache_control.release`. */
function packedSettings(release?: string): ReplySettings {
  const configuration = configurationSchema.parse({
    layout: 'packed',
    ...(release === undefined ? {} : { cache_control: { release } }),
  });
  const settings = routeSettings(configuration);
  return replySettingsForLayout({
    configuration,
    settings,
    problems: problemDocuments(settings),
    scopes: [],
  });
}

/** Answers cut from a bucket, and a clock that the test sets. */
export function cutOver(bucket: PlatformServices, options: TreeResponderOptions & { caching?: string } = {}) {
  const settings = packedSettings(options.caching);
  const clock = { now: 1_000_000 };
  const cut = createTreeResponder(settings, { now: () => clock.now, ...options });
  const ask = (query: string, { release, ifNoneMatch }: { release?: string; ifNoneMatch?: string } = {}) =>
    reply<Uint8Array<ArrayBuffer>>(
      { method: 'GET', path: '/api/v1/public/properties', query, ifNoneMatch, authorized: true, release },
      settings,
      {
        read: async () => undefined,
        text: async () => undefined,
        file: async () => undefined,
        cut: (answer, request) => cut(answer, request, bucket),
      },
    );
  const detail = (id: string, { ifNoneMatch }: { ifNoneMatch?: string } = {}) => {
    const path = `/api/v1/public/properties/${id}`;
    const request = { method: 'GET', path, query: '', ifNoneMatch, authorized: true };
    const stored = async (key: string) => {
      const body = await bucket.read(key, false);
      return body && { tag: '"stored"', body };
    };
    return reply<Uint8Array<ArrayBuffer>>(request, settings, {
      read: stored,
      text: async () => 'there',
      file: async () => undefined,
      cut: (answer, asked) => cut(answer, asked, bucket),
    });
  };
  return { ask, detail, clock };
}
