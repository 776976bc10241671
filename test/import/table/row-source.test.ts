/** Import from tables: CSV, JSON and newline-delimited JSON, with a mapping. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Candidate } from '../../../src/import/candidate/candidate.ts';
import { validateProperty } from '../../../src/import/candidate/candidate.ts';
import { rowMapper } from '../../../src/import/candidate/row-property.ts';
import { importProperties } from '../../../src/import/files/import.ts';
import { readMapping, type TableMapping } from '../../../src/import/mapping/mapping.ts';
import { openRows } from '../../../src/import/table/row-source.ts';
import { createWorkspace, idOf, type Workspace } from '../../compile/workspace.ts';
import { plain } from '../../media/picture.ts';
import { termsFrom } from '../../support/terms.ts';

function mappingOf(text: string): TableMapping {
  const read = readMapping(text, 'mapping.yaml');
  if (!read.mapping) throw new Error(JSON.stringify(read.diagnostics));
  return read.mapping;
}

async function* candidates(path: string, mapping: TableMapping): AsyncGenerator<Candidate> {
  const { rows } = await openRows(path, mapping);
  for await (const { at, ...row } of rows()) {
    if (row.value) yield { at, raw: rowMapper(mapping, termsFrom())(row.value), findings: [] };
    else yield { at, raw: undefined, findings: [row.finding] };
  }
}

async function imported(workspace: Workspace, name: string, bytes: string | Buffer, mapping: TableMapping) {
  const path = join(workspace.root, name);
  writeFileSync(path, bytes);
  const { content, root } = workspace;
  const options = { content, force: false, photos: false, from: root };
  return importProperties(candidates(path, mapping), options);
}

const MAPPING = `
id: { from: ref, uuid: 6f1c1f0e-0b5e-4b7e-9f0e-2d6f0a8f3c11 }
title: name
currency: { value: EUR }
email: mail
phone: { from: phone, prefix: "+353 " }
zip_code: zip
city: town
address: { from: [street, number], join: " " }
country: { from: country, map: { Ireland: IE }, default: IE }
latitude: { from: lat, decimal: "," }
longitude: { from: lon, decimal: "," }
facilities:
  - { from: amenities, split: "|", map: { WLAN: wifi } }
  - { from: dogs, value: pets_allowed, true: [ja] }
photo:
  - { url: photo1, description: caption1 }
  - { url: photo2 }
hotel_policy:
  - policy_type: { value: check_in }
    detail: check in
payment_method:
  - is_enabled: card
    method_type: { value: direct }
`;
const JPEG = await plain(8, 8, '#336699').jpeg().toBuffer();
const HEADER =
  'ref;name;mail;phone;zip;town;street;number;country;lat;lon;amenities;dogs;photo1;caption1;photo2;check in;card';

describe('a table', () => {
  it('becomes files, and each row with an error is reported with its line', async () => {
    const workspace = createWorkspace();
    const rows = [
      HEADER,
      'a1;Rose Cottage;stay@rose.example;1 605 7700;01234;Galway;Quay Street;12;Ireland;53,27194;-9,04889;WLAN | parking;ja;https://p.example/a.jpg;"The ""garden""";;"From 15:00.\nNot before.";yes',
      'a2;;x@y.example;;;Cork;;;;1;2;;;;;;;',
      'a3;Lime House;nobody;;;Cork;;;Ireland;1;2;;;http://p.example/a.jpg;;;;0',
      'a4;Too;few',
      'a1;Again;x@y.example;;;Cork;;;;1;2;;;;;;;',
      'a5;東京の家;x@y.example;1 605 7700;;Cork;;;;1;2;;nein;;;;;',
    ];
    const result = await imported(workspace, 'hotels.csv', `\ufeff${rows.join('\n')}\n`, mappingOf(MAPPING));
    expect(result).toMatchObject({ written: 3, refused: 3, present: 0 });
    const errors = result.outcomes.flatMap(({ at, findings }) =>
      findings.filter(({ severity }) => severity === 'error').map(({ code, field }) => [at, code, field]),
    );
    expect(errors.sort()).toEqual([
      ['line 4 (row 3)', 'missing-key', 'title'],
      ['line 6 (row 5)', 'malformed-row', ''],
      ['line 7 (row 6)', 'duplicate-id', 'id'],
    ]);
    const text = readFileSync(join(workspace.content, 'properties/ie/rose-cottage.yaml'), 'utf8');
    expect(text.replace(/^id: .*\n/, '')).toBe(`title: Rose Cottage

currency: EUR
email: stay@rose.example
phone: +353 1 605 7700

zip_code: "01234"
city: Galway
address: Quay Street 12
country: IE
latitude: 53.27194
longitude: -9.04889

facilities:
  - wifi
  - parking
  - pets_allowed

photo:
  - url: https://p.example/a.jpg
    description: The "garden"

hotel_policy:
  - policy_type: check_in
    detail: |-
      From 15:00.
      Not before.

payment_method:
  - is_enabled: true
    method_type: direct
`);
    // The same rows again are the same properties.
    expect(await imported(workspace, 'hotels.csv', rows.join('\n'), mappingOf(MAPPING))).toMatchObject({
      written: 0,
      present: 3,
    });
    expect((await workspace.build()).outcome).toBe('published');
  });

  it('is read in the encoding of its mapping', async () => {
    const workspace = createWorkspace();
    const latin = Buffer.from(`${HEADER}\na1;Café;x@y.example;;;Cork;;;;1;2;;;;;;;\n`, 'latin1');
    expect(
      await imported(workspace, 'a.csv', latin, mappingOf(`encoding: windows-1252\n${MAPPING}`)),
    ).toMatchObject({ written: 1 });
    expect(readFileSync(join(workspace.content, 'properties/ie/cafe.yaml'), 'utf8')).toContain('title: Café');
  });
});

const NESTED = `
rows: data.hotels
id: id
title: name.en
currency: { from: prices.currency, default: EUR }
city: address.city
country: address.country
latitude: geo.lat
longitude: geo.lon
facilities: tags
photo:
  - { each: images, url: src, description: alt }
hotel_policy:
  - { each: rules, policy_type: kind, detail: text }
payment_method:
  - { each: payments, split: ",", method_type: ".", is_enabled: { value: "true" } }
`;
const hotel = (n: number) => ({
  id: idOf(n),
  name: { en: `House ${n}` },
  address: { city: 'Cork', country: 'IE' },
  geo: { lat: 51.9, lon: -8.5 },
  tags: ['wifi', 'parking'],
  images: [{ src: 'https://p.example/a.jpg', alt: 'A' }, { src: 'https://p.example/b.jpg' }],
  rules: [{ kind: 'check_in', text: 'From 15:00.' }, { kind: 'no_show' }],
  payments: 'direct,property',
});

describe('JSON', () => {
  it('is mapped by paths, with lists as lists, from one document or line by line', async () => {
    const workspace = createWorkspace();
    const mapping = mappingOf(NESTED);
    const document = JSON.stringify({ data: { hotels: [hotel(1), 'x', { ...hotel(2), geo: {} }] } });
    const result = await imported(workspace, 'a.json', document, mapping);
    expect(result).toMatchObject({ written: 2, drafts: 1, refused: 1 });
    expect(result.outcomes.map(({ at }) => at)).toEqual(expect.arrayContaining(['entry 2', 'entry 3']));
    const lines = [JSON.stringify(hotel(3)), '', '{"id":', JSON.stringify(hotel(4))].join('\r\n');
    const more = await imported(workspace, 'a.ndjson', lines, mapping);
    expect(more).toMatchObject({ written: 2, refused: 1 });
    expect(more.outcomes.map(({ at, findings }) => [at, findings[0]?.code])).toEqual(
      expect.arrayContaining([['line 3', 'malformed-row']]),
    );
    const text = readFileSync(join(workspace.content, 'properties/ie/house-3.yaml'), 'utf8');
    expect(text).toContain('facilities:\n  - wifi\n  - parking\n');
    expect(text).toContain('latitude: 51.9\n');
    expect(text.match(/ url: /g)).toHaveLength(2);
    expect(text.match(/policy_type/g)).toHaveLength(1);
    expect(text.match(/is_enabled: true/g)).toHaveLength(2);
    await expect(imported(workspace, 'b.json', '{}', mapping)).rejects.toMatchObject({ code: 'no-rows' });
    await expect(imported(workspace, 'b.json', '{', mapping)).rejects.toMatchObject({ code: 'not-json' });
  });
});

it('synonyms become the words of the vocabulary (E7)', () => {
  const mapping = mappingOf(NESTED);
  const row = {
    ...hotel(1),
    tags: ['Wi-Fi', 'WLAN', 'Air conditioning', 'Wine cellar'],
    rules: [
      { kind: 'Check-in time', text: 'x' },
      { kind: 'Own rule', text: 'y' },
    ],
  };
  expect(validateProperty(rowMapper(mapping, termsFrom())(row), termsFrom()).property).toMatchObject({
    facilities: ['wifi', 'air_conditioning', 'Wine cellar'],
    hotel_policy: [
      { policy_type: 'check_in', detail: 'x' },
      { policy_type: 'Own rule', detail: 'y' },
    ],
  });
});

it('a mistake in a mapping is reported with its place', () => {
  const read = readMapping(`${MAPPING}tittle: x\n`, 'mapping.yaml');
  expect(read.mapping).toBeUndefined();
  expect('diagnostics' in read && read.diagnostics).toMatchObject([
    { code: 'unknown-key', file: 'mapping.yaml' },
  ]);
  for (const text of ['- a\n', '', '# none\n']) {
    const { mapping, diagnostics } = readMapping(text, 'm.yaml') as Extract<
      ReturnType<typeof readMapping>,
      { diagnostics: unknown }
    >;
    expect(mapping).toBeUndefined();
    expect(diagnostics[0]?.help).toMatch(/^Write "field: column" lines/);
  }
  const own = readMapping(`${MAPPING}available_from: x\n`, 'mapping.yaml');
  expect('diagnostics' in own && own.diagnostics[0]!.help).toContain('below "fields" in catalogue.yaml');
  const inList = readMapping('facilities:\n  - { from: x, each: "/" }\n', 'mapping.yaml');
  const helps = 'diagnostics' in inList ? inList.diagnostics.map(({ help }) => help) : [];
  expect(helps).toContainEqual(expect.stringMatching(/^Known fields: from, join, /));
});

it('photos that a table names by path are copied from the folder of the table only', async () => {
  const workspace = createWorkspace();
  writeFileSync(join(workspace.root, 'front.JPG'), JPEG);
  const mapping = mappingOf(
    'id: id\ntitle: t\ncurrency: { value: EUR }\ncity: { value: Cork }\ncountry: { value: IE }\nlatitude: { value: "1" }\nlongitude: { value: "2" }\nphoto:\n  - { file: p }\n',
  );
  const csv = `id,t,p\n${idOf(1)},A,front.JPG\n${idOf(2)},B,../../../etc/passwd\n`;
  const result = await imported(workspace, 'a.csv', csv, mapping);
  expect(result).toMatchObject({ written: 2, refused: 0 });
  expect(readFileSync(join(workspace.content, 'properties/ie/photos/a-1.jpg'))).toEqual(JPEG);
  expect(readFileSync(join(workspace.content, 'properties/ie/a.yaml'), 'utf8')).toContain(
    'file: photos/a-1.jpg',
  );
  expect(readFileSync(join(workspace.content, 'properties/ie/b.yaml'), 'utf8')).not.toContain('photo');
  const codes = result.outcomes
    .filter(({ at }) => at === 'line 3')
    .flatMap(({ findings }) => findings.map(({ code }) => code));
  expect(codes).toContain('photo-not-received');
});
