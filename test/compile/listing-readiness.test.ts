/** Advice for services, from the files of a catalogue. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toSchemaOrg } from '../../src/client/schema-org.ts';
import { build } from '../../src/compile/build.ts';
import { checkListingReadiness } from '../../src/compile/listing-readiness.ts';
import { temporaryFolder } from '../support/temporary.ts';

const file = (more: string) =>
  `id: 0b7b4b9c-1f43-4d7a-9a56-0a6d2c1c7e01\ntitle: Rose\ncountry: IE\ncity: Galway\ncurrency: EUR\npayment_method: []\n${more}`;
const PHOTOS = Array.from(
  { length: 8 },
  (_, index) => `  - { url: "https://photos.example/${index}.jpg" }\n`,
).join('');
const FULL = `address: Quay Road 4\nlatitude: 53.27194\nlongitude: -9.06000\nmax_guests: 6\nwebsite: "https://rose.example/"\n`;

it('names the properties that lack what a service wants, each with its source', () => {
  const content = temporaryFolder();
  mkdirSync(join(content, 'properties'));
  writeFileSync(join(content, 'catalogue.yaml'), 'fields:\n  max_guests: {}\n  website: {}\n');
  const files = {
    full: `${FULL}photo:\n${PHOTOS}`,
    few: `${FULL}photo:\n${PHOTOS.split('\n').slice(1).join('\n')}`,
    bare: 'latitude: 53.2719\nlongitude: -9.06\n',
    broken: 'country: Nowhere\n',
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(content, `properties/${name}.yaml`), file(text));
  const { properties, ready, wants } = checkListingReadiness('google-vacation-rentals', content);
  expect({ properties, ready }).toEqual({ properties: 3, ready: 1 });
  const bare = ['properties/bare.yaml'];
  expect(wants.map(({ what, missing }) => [what.slice(0, 10), missing])).toEqual([
    ['max_guests', bare],
    ['website', bare],
    ['address', bare],
    ['8 photos o', ['properties/bare.yaml', 'properties/few.yaml']],
    ['latitude a', bare],
  ]);
  for (const { source } of wants) expect(new URL(source).host).toBe('developers.google.com');
  expect(
    checkListingReadiness('google-vacation-rentals', content, (one) => one.includes('full')).properties,
  ).toBe(1);
});

/** What the page of Google on structured data of vacation rentals requires. */
const REQUIRED: Readonly<Record<string, (value: unknown) => boolean>> = {
  'containsPlace.@type': (value) => value === 'Accommodation',
  'containsPlace.occupancy.value': (value) => Number.isInteger(value) && Number(value) > 0,
  identifier: (value) => typeof value === 'string' && value !== '',
  image: (value) => Array.isArray(value) && value.length >= 8 && value.every((one) => /^https:/.test(one)),
  latitude: (value) => /^-?\d+\.\d{5,}$/.test(String(value)),
  longitude: (value) => /^-?\d+\.\d{5,}$/.test(String(value)),
  name: (value) => typeof value === 'string' && value !== '',
};

it.each([
  ['all', `${FULL}photo:\n${PHOTOS}`, []],
  ['no guests', `${FULL.replace(/max_guests.*\n/, '')}photo:\n${PHOTOS}`, ['containsPlace.occupancy.value']],
  ['seven photos', `${FULL}photo:\n${PHOTOS.split('\n').slice(1).join('\n')}`, ['image']],
  ['four decimals', `${FULL.replace('53.27194', '53.2719')}photo:\n${PHOTOS}`, ['latitude']],
])(
  'a property with %s has what Google requires of structured data exactly if it is ready',
  async (_name, more, missing) => {
    const root = temporaryFolder();
    const content = join(root, 'content');
    mkdirSync(content);
    const settings = 'targets: []\ndocs: false\nexplorer: { enabled: false }\npage_sizes: [25]\n';
    writeFileSync(join(content, 'catalogue.yaml'), `${settings}fields:\n  max_guests: {}\n  website: {}\n`);
    writeFileSync(join(content, 'rose.yaml'), file(more));
    await build({ content, out: join(root, 'dist'), jobs: 1 });
    const line = readFileSync(join(root, 'dist/public/properties.ndjson'), 'utf8').trim();
    const thing: unknown = toSchemaOrg(JSON.parse(line));
    const at = (path: string) => path.split('.').reduce((value, key) => Object(value)[key] as unknown, thing);
    const lacking = Object.keys(REQUIRED).filter((path) => !REQUIRED[path]!(at(path)));
    expect(lacking).toEqual(missing);
    expect(checkListingReadiness('google-vacation-rentals', content).ready).toBe(
      missing.length === 0 ? 1 : 0,
    );
  },
);
