/** Advice for services, from the files of a catalogue. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adviseFor } from '../../src/build/advice.ts';
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
  const { properties, ready, wants } = adviseFor('google-vacation-rentals', content);
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
  expect(adviseFor('google-vacation-rentals', content, (one) => one.includes('full')).properties).toBe(1);
});
