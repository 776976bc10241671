/**
 * Measures the packed layout: properties from a generator are serialised, put in order, and packed, and the release is
 * published to a folder; then one title is changed and published, and every write of that is counted.
 *
 *     npm run bench:packed -- --properties 1000000
 *
 * Details go to one file, since a million small files measure the file system, and what is published of them is only
 * counted; YAML is neither written nor read: what reading takes is in `npm run bench`. Everything else is what a build
 * does.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { isPackedKey, LOCK_KEY, PROPERTIES_FOLDER } from '../../src/contract/keys.ts';
import { sortKey } from '../../src/contract/order.ts';
import { planPacked } from '../../src/packed/pack.ts';
import { writePacked } from '../../src/packed/write.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Source } from '../../src/publish/source.ts';
import { digestOf } from '../../src/release/digest.ts';
import { manifestBytes, sequenceLines } from '../../src/release/manifest.ts';
import { releaseName } from '../../src/release/name.ts';
import { MAX_INLINE } from '../../src/release/pieces.ts';
import { readRelease } from '../../src/release/read.ts';
import { type Entry, joinSummaries, scopesOf, toSequence } from '../../src/release/sequence.ts';
import { openSummaries } from '../../src/release/summaries.ts';
import { type Bucket, tagOf } from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { createRandom, integerBetween, pick, randomUuid } from '../random.ts';
import { makePlace, removeAtExit } from './place.ts';

const { values } = parseArgs({ options: { properties: { type: 'string', default: '1000000' } } });
const properties = Number(values.properties);
if (!Number.isInteger(properties) || properties < 1)
  throw new Error('--properties takes a whole number from 1.');

const SEED = 20_261_121;
const CITIES = 60_000;
const COUNTRIES = [
  'AT',
  'BR',
  'CA',
  'DE',
  'ES',
  'FR',
  'GB',
  'GR',
  'IE',
  'IT',
  'JP',
  'MX',
  'NO',
  'PT',
  'SE',
  'US',
];
const KINDS = ['House', 'Cottage', 'Flat', 'Cabin', 'Villa', 'Loft', 'Château', 'Étage', 'Kleines Häuschen'];

const configuration = configurationSchema.parse({ layout: 'packed' });
const place = makePlace(properties * 2_500);
removeAtExit(place);
const root = join(place.folder, 'public');
mkdirSync(root);

const started = performance.now();
const entries = makeEntries();
const sequence = toSequence(entries);
const first = writeRelease(sequence, undefined);
const packedSeconds = (performance.now() - started) / 1000;
const peak = process.resourceUsage().maxRSS * 1024;
const { user, system } = process.cpuUsage();

if (place.warning) console.log(place.warning);
console.log(`${properties} properties, ${CITIES} cities, ${first.documents.size} packed objects`);
console.log(
  `made, put in order and packed in ${packedSeconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU (goal: 60 s for 1000000)`,
);
console.log(`largest resident set ${(peak / 1e9).toFixed(2)} GB (goal: 2 GB for 1000000)`);

// What a bucket has after the publication of the first release; details are counted there, and not kept.
const folder = openFolder(join(place.folder, 'bucket'));
const writes: string[] = [];
const bucket: Bucket = {
  ...folder,
  async write(key, body, headers, condition) {
    const isDetail = key.startsWith(`${PROPERTIES_FOLDER}/`);
    const written = isDetail ? { tag: tagOf(body) } : await folder.write(key, body, headers, condition);
    writes.push(key);
    // A store takes its time; timers, such as that of the lock, have theirs.
    if (writes.length % 1000 === 0) await setImmediate();
    return written;
  },
};
const publish = async (list: readonly Entry[], manifest: Buffer) => {
  const begun = performance.now();
  await publishRelease(bucket, await sourceOf(list, manifest));
  return (performance.now() - begun) / 1000;
};
console.log(`first publication in ${(await publish(sequence, first.manifest)).toFixed(1)} s`);

const chosen = sequence[Math.floor(sequence.length / 2)]!;
const renamed = renamedTo(chosen, (title) => `${title} by the lake`);
const again = performance.now();
const after = toSequence([...sequence.filter((entry) => entry !== chosen), renamed]);
const second = writeRelease(after, first.documents);
const changeSeconds = (performance.now() - again) / 1000;
writes.length = 0;
const publishSeconds = await publish(after, second.manifest);

console.log(
  `one title changed: ${second.written} packed objects in ${changeSeconds.toFixed(1)} s; published in ${publishSeconds.toFixed(1)} s`,
);
const leases = writes.filter((key) => key === LOCK_KEY).length;
console.log(`${writes.length - leases} objects (goal: 10), and ${leases} writes of the lease:`);
for (const key of writes) console.log(`  ${key}`);
console.log(`largest resident set with publications ${(process.resourceUsage().maxRSS / 1e6).toFixed(2)} GB`);

/** A release as `catalogue publish` finds it in `dist`, but for the details: they are made once more. */
async function sourceOf(list: readonly Entry[], manifest: Buffer): Promise<Source> {
  const read = async (key: string) => readFileSync(join(root, key));
  const release = await readRelease(manifest, { read });
  if (!release) throw new Error('The manifest cannot be read.');
  return {
    release,
    isKept: false,
    summary: openSummaries(release, { read, differs: (key) => new Error(`${key} is damaged.`) }),
    detail: async (id) => detailOf(JSON.parse(list[release.places.get(id)!]!.summary) as About).toString(),
    async body(object) {
      if (object.kind === 'index') return Buffer.from(release.name);
      if (object.kind !== 'detail') return read(object.key);
      return detailOf(JSON.parse(list[release.places.get(object.id)!]!.summary) as About);
    },
    check: async () => {},
  };
}

type About = { readonly id: string; readonly title: string; readonly city: string; readonly country: string };

function detailOf({ title, city, country }: About): Buffer {
  return Buffer.from(JSON.stringify({ title, city, country, address: 'x'.repeat(600) }));
}

function renamedTo({ summary }: Entry, rename: (title: string) => string): Entry {
  const { id, title, city, country } = JSON.parse(summary) as About;
  const about = { id, title: rename(title), city, country };
  return entryOf(about, detailOf(about));
}

/** Entries with details in one file. */
function makeEntries(): Entry[] {
  const random = createRandom(SEED);
  const cities = Array.from({ length: CITIES }, (_, index) => ({
    city: `${pick(random, ['Ober', 'Saint ', 'New ', 'Villa ', 'Łódź '])}${index.toString(36)}`,
    country: pick(random, COUNTRIES),
  }));
  const file = openSync(join(place.folder, 'details'), 'w');
  const made: Entry[] = [];
  for (let index = 0; index < properties; index++) {
    const id = randomUuid(random);
    // Few cities have most of the properties.
    const { city, country } = cities[Math.floor(random() ** 3 * CITIES)]!;
    const title = `${pick(random, KINDS)} ${integerBetween(random, 1, 99_999)}`;
    const about = { id, title, city, country };
    const detail = detailOf(about);
    writeSync(file, detail);
    made.push(entryOf(about, detail));
  }
  closeSync(file);
  return made;
}

function entryOf(about: About, detail: Buffer): Entry {
  const { id, title, city, country } = about;
  const thumbnail = `https://stays.example/media/${id.replaceAll('-', '')}.webp`;
  const summary = JSON.stringify({ id, title, city, country, thumbnail });
  return {
    id,
    country,
    city,
    sortKey: sortKey(about),
    summary,
    summaryDigest: digestOf(summary),
    detailDigest: digestOf(detail),
    detailBytes: detail.length,
  };
}

function writeRelease(list: readonly Entry[], last: ReadonlyMap<string, string> | undefined) {
  const summaries = joinSummaries(list.map(({ summary }) => summary));
  const packed = planPacked(list, scopesOf(list), list.length > MAX_INLINE);
  const lines = [...sequenceLines(list)];
  const name = releaseName(lines, configuration);
  const { documents, written } = writePacked(
    root,
    { release: name, sequence: list, summaries, packed },
    last && Object.fromEntries(last),
  );
  const build = { commit: null, time: null };
  // The one small document that holds the number of properties and the release.
  const all = new Map([...documents, ['index.json', digestOf(name)]]);
  if (![...documents.keys()].every(isPackedKey)) throw new Error('Something else was packed.');
  return {
    documents,
    written,
    manifest: Buffer.concat(
      manifestBytes({
        name,
        build,
        configuration,
        documents: all,
        media: [],
        sequence: packed.pieces.length > 0 ? list.length : lines,
      }),
    ),
  };
}
