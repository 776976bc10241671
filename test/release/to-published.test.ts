import fc from 'fast-check';
import { v5 as uuidv5 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type AuthoredProperty, authoredSchema } from '../../src/contract/authored.ts';
import { publishedPropertySchema, summarySchema } from '../../src/contract/property.ts';
import { thumbnailIndex, toProperty, toSummary } from '../../src/release/to-published.ts';

const ID = '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11';
const PHOTO_ID = '0b9b1a5e-7c1d-4b6e-9a53-6f0f5a1a2b3c';

function authored(fields: Record<string, unknown> = {}): AuthoredProperty {
  return authoredSchema.parse({
    longitude: '-9.04889',
    latitude: '53.27194',
    country: 'IE',
    city: 'Galway',
    currency: 'EUR',
    title: 'Rose Cottage',
    id: ID,
    ...fields,
  });
}

const links = (...photos: string[]) => ({ photos, thumbnail: 'https://p.example/t.webp' });
const photos = (...entries: Record<string, string>[]) => authored({ photo: entries });

describe('the detail', () => {
  it('has the fields of the specification, in its order', () => {
    expect(JSON.stringify(toProperty(authored(), links()))).toBe(
      '{"title":"Rose Cottage","currency":"EUR","email":"","phone":"","zip_code":"","city":"Galway","state":"","address":"","country":"IE","latitude":"53.27194","longitude":"-9.04889","facilities":[],"photo":[],"hotel_policy":[],"payment_method":[]}',
    );
    expect(Object.keys(toProperty(authored(), links()))).toEqual(Object.keys(publishedPropertySchema.shape));
  });

  it('has the keys of entries in the order of the specification, however they were written', () => {
    const property = toProperty(
      authored({
        photo: [{ position: '1', description: 'x', id: PHOTO_ID, url: 'https://p.example/a' }],
        hotel_policy: [{ detail: 'From 15:00.', policy_type: 'check_in' }],
        payment_method: [{ method_type: 'direct', is_enabled: 'false' }],
      }),
      links('https://p.example/a'),
    );
    expect(JSON.stringify([property.photo, property.hotel_policy, property.payment_method])).toBe(
      `[[{"id":"${PHOTO_ID}","url":"https://p.example/a","description":"x","position":1}],[{"policy_type":"check_in","detail":"From 15:00."}],[{"is_enabled":false,"method_type":"direct"}]]`,
    );
    expect(publishedPropertySchema.parse(property)).toEqual(property);
  });

  it('keeps the order of lists as it was written', () => {
    const fields = {
      facilities: ['b', 'a', 'b'],
      hotel_policy: ['z', 'a'].map((policy_type) => ({ policy_type, detail: 'x' })),
    };
    expect(toProperty(authored(fields), links())).toMatchObject(fields);
  });

  it('has photos by position, each with its own link', () => {
    const property = photos(
      { file: 'a.jpg', position: '30' },
      { file: 'b.jpg' },
      { url: 'https://p.example/c', position: '1' },
    );
    expect(
      toProperty(property, links('A', 'B', 'C')).photo.map(({ url, position }) => [url, position]),
    ).toEqual([
      ['C', 1],
      ['B', 2],
      ['A', 30],
    ]);
  });

  it('has null for a photo without a description, or with an empty one', () => {
    const property = photos(
      { file: 'a.jpg' },
      { file: 'b.jpg', description: ' ' },
      { file: 'c.jpg', description: 'x' },
    );
    expect(toProperty(property, links('A', 'B', 'C')).photo.map(({ description }) => description)).toEqual([
      null,
      null,
      'x',
    ]);
  });
});

describe('the id of a photo', () => {
  const ids = (property: AuthoredProperty) => toProperty(property, links('A', 'B')).photo.map(({ id }) => id);

  it('is the written one, or derived from the property and the file or link (UUIDv5)', () => {
    const property = photos({ file: 'ü.jpg' }, { url: 'https://p.example/b', id: PHOTO_ID });
    expect(ids(property)).toEqual([uuidv5('ü.jpg', ID), PHOTO_ID]);
    expect(ids(photos({ url: 'https://p.example/b' }))).toEqual([uuidv5('https://p.example/b', ID)]);
    expect(ids(photos({ file: 'a.jpg' }))).toEqual(['43654f2d-e43b-5bc5-a056-f4502f9424d6']);
  });

  it('stays the same when photos change places, and differs between properties', () => {
    const [a, b] = [{ file: 'a.jpg' }, { file: 'b.jpg' }];
    expect(ids(photos(b, a))).toEqual(ids(photos(a, b)).reverse());
    const other = authored({ id: PHOTO_ID, photo: [a] });
    expect(ids(other)).not.toEqual(ids(photos(a)));
  });
});

describe('the thumbnail', () => {
  it.each([
    [[], undefined],
    [[{}], 0],
    [[{}, {}], 0],
    [[{ position: '5' }, {}], 1],
    [[{ position: '3' }, { position: '1' }, { position: '2' }], 1],
    [[{ position: '9' }, { position: '8' }, {}], 2],
  ])('of %j is that of %s', (entries, index) => {
    const list = entries.map((each, place) => ({ file: `${place}.jpg`, ...each }));
    expect(thumbnailIndex(photos(...list).photo)).toBe(index);
  });

  it('is that of the first photo in the detail', () => {
    const positions = fc.uniqueArray(fc.integer({ min: 100, max: 200 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(positions, (list) => {
        const property = photos(
          ...list.map((position, index) => ({ file: `${index}.jpg`, position: String(position) })),
        );
        const urls = list.map((_, index) => `${index}`);
        const [first] = toProperty(property, { photos: urls, thumbnail: null }).photo;
        expect(String(thumbnailIndex(property.photo))).toBe(first?.url);
      }),
    );
  });
});

describe('the summary', () => {
  it('has the fields of the specification, in its order', () => {
    expect(JSON.stringify(toSummary(authored(), links()))).toBe(
      `{"id":"${ID}","title":"Rose Cottage","city":"Galway","country":"IE","thumbnail":"https://p.example/t.webp"}`,
    );
    const summary = toSummary(authored(), { thumbnail: null });
    expect(summarySchema.parse(summary)).toEqual(summary);
  });
});
