/**
 * Measures the packed layout: properties from a generator are serialised, put in order, and packed; then one title is
 * changed, and the writes of its publication are counted from the two manifests.
 *
 *     npm run bench:packed -- --properties 1000000
 *
 * Details go to one file, since a million small files measure the file system; YAML is neither written nor read: what
 * reading takes is in `npm run bench`. Everything else is what a build does.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { digestOf } from '../../src/catalogue/digest.ts';
import { releaseId } from '../../src/catalogue/release-id.ts';
import { type Entry, scopesOf, toSequence } from '../../src/catalogue/sequence.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { isPackedKey } from '../../src/contract/layout.ts';
import { sortKey } from '../../src/contract/order.ts';
import { manifestBytes, sequenceBytes } from '../../src/emit/manifest.ts';
import { planPacked } from '../../src/emit/packed-objects.ts';
import { joinSummaries } from '../../src/emit/page-files.ts';
import { writePacked } from '../../src/pipeline/packed-files.ts';
import { allWrites, planFromManifests } from '../../src/publish/plan.ts';
import { parseRelease } from '../../src/publish/release.ts';
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
const place = makePlace(properties * 1_500);
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

const changed = sequence[Math.floor(sequence.length / 2)]!;
const { title, ...rest } = JSON.parse(changed.summary) as {
  id: string;
  title: string;
  city: string;
  country: string;
};
const renamed = entryOf({ ...rest, title: `${title} by the lake` }, digestOf('another detail'));
const again = performance.now();
const second = writeRelease(
  toSequence([...sequence.filter((entry) => entry !== changed), renamed]),
  first.documents,
);
const changeSeconds = (performance.now() - again) / 1000;
const before = parseRelease(first.manifest);
const after = parseRelease(second.manifest);
if (!before || !after) throw new Error('A manifest is not one.');
const writes = [...allWrites(planFromManifests(before, after))].length + 1;

if (place.warning) console.log(place.warning);
console.log(`${properties} properties, ${CITIES} cities, ${first.documents.size} packed objects`);
console.log(
  `made, put in order and packed in ${packedSeconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of CPU (goal: 60 s for 1000000)`,
);
console.log(`largest resident set ${(peak / 1e9).toFixed(2)} GB (goal: 2 GB for 1000000)`);
console.log(`one title changed: ${second.written} packed objects in ${changeSeconds.toFixed(1)} s`);
console.log(
  `${writes} writes of objects with the manifest, 4 more for the lock and the kept release (goal: 10)`,
);

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
    const detail = Buffer.from(JSON.stringify({ title, city, country, address: 'x'.repeat(600) }));
    writeSync(file, detail);
    made.push(entryOf({ id, title, city, country }, digestOf(detail)));
  }
  closeSync(file);
  return made;
}

function entryOf(
  about: { id: string; title: string; city: string; country: string },
  detailDigest: string,
): Entry {
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
    detailDigest,
  };
}

function writeRelease(list: readonly Entry[], last: ReadonlyMap<string, string> | undefined) {
  const summaries = joinSummaries(list);
  const packed = planPacked(list, scopesOf(list));
  const { documents, written } = writePacked(
    root,
    { sequence: list, summaries, packed },
    last && Object.fromEntries(last),
  );
  const build = { commit: null, time: null };
  // The one small document that tells the number of properties and the release.
  const all = new Map([...documents, ['index.json', releaseId(list)]]);
  if (![...documents.keys()].every(isPackedKey)) throw new Error('Something else was packed.');
  return {
    documents,
    written,
    manifest: Buffer.concat(
      manifestBytes({ build, configuration, documents: all, media: [], sequence: sequenceBytes(list) }),
    ),
  };
}
