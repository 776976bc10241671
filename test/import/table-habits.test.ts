/** Habits of programs and people that make tables, each in several formats, languages and orders. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importSource } from '../../src/import/import-source.ts';
import type { Proposal } from '../../src/import/mapping.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { imported } from './imported.ts';

const MAPPING = `id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }
title: name
currency: { value: EUR }
city: town
country: { value: IE }
latitude: lat
longitude: lon
`;
const POLICY = 'hotel_policy:\n  - { policy_type: { value: check_in }, detail: check in }\n';
const HEADER = 'ref,name,town,lat,lon';
const ROSE = 'h-1,Rose,Cork,51.9,-8.4';
/** Columns of a German table with decimal commas. */
const GERMAN = `title: Objekt
city: Ort
country: { value: DE }
latitude: { from: Breite, decimal: "," }
longitude: { from: Länge, decimal: "," }
`;
const tabs = (text: string) => text.replaceAll(',', '\t');
const semicolons = (text: string) => text.replaceAll(',', ';');
const json = (value: object) => JSON.stringify(value);
const object = { ref: 'a', name: 'Rose', town: 'Cork', lat: 51.9, lon: -8.4 };

type Habit = {
  readonly name: string;
  readonly file: string;
  readonly text: string | Uint8Array;
  /** Lines of the mapping, of which those of the same field replace the usual ones. */
  readonly mapping?: string;
  /** Texts that the written files have. */
  readonly holds?: readonly (string | RegExp)[];
  /** Number of written files. @default 1 */
  readonly written?: number;
  /** Code and message of the error, before which nothing is written. */
  readonly refusal?: RegExp;
};

const HABITS: readonly Habit[] = [
  // 01: two columns of one name.
  {
    name: 'a column twice',
    file: 't.csv',
    text: `${HEADER},name\n${ROSE},Old`,
    refusal: /^duplicate-column: .*"name"/,
  },
  {
    name: 'a column twice, in tabs',
    file: 't.txt',
    text: tabs(`${HEADER},name\n${ROSE},Old`),
    refusal: /^duplicate-column/,
  },
  {
    name: 'a column twice, but for spaces',
    file: 't.csv',
    text: `${HEADER}," name "\n${ROSE},Old`,
    refusal: /^duplicate-column/,
  },
  {
    name: 'facilities that an object affirms',
    file: 't.json',
    text: json([{ ...object, am: { Wifi: true, Pool: false, Sauna: 'yes' } }]),
    mapping: 'facilities: am\n',
    holds: ['facilities:\n  - wifi\n  - sauna\n'],
  },
  {
    name: 'paths of the own form of GeoJSON',
    file: 't.geojsonl',
    text: json({
      type: 'Feature',
      properties: { ref: 'a', name: 'Rose', town: 'Cork' },
      geometry: { type: 'Point', coordinates: [-8.4, 51.9] },
    }),
    mapping: 'latitude: geometry.coordinates.1\nlongitude: geometry.coordinates.0\ntitle: properties.name\n',
    holds: ['title: Rose', 'latitude: 51.9\nlongitude: -8.4\n'],
  },
  {
    name: 'a path that the own form of another JSON would have',
    file: 't.json',
    text: json([object]),
    mapping: 'latitude: geometry.coordinates.1\n',
    refusal: /^unknown-column: .*geometry\.coordinates\.1/,
  },
  {
    name: 'a path that GeoJSON does not have',
    file: 't.geojson',
    text: json({
      type: 'Feature',
      properties: { ref: 'a', name: 'Rose', town: 'Cork' },
      geometry: { type: 'Point', coordinates: [-8.4, 51.9] },
    }),
    mapping: 'latitude: geometry.lat\nlongitude: longitude\n',
    refusal: /^unknown-column: .*"geometry\.lat"/,
  },
  {
    name: 'a path of GeoJSON where other JSON has its names',
    file: 't.ndjson',
    text: json({ ref: 'a', name: 'Rose', town: 'Cork', latitude: 51.9, longitude: -8.4 }),
    mapping: 'latitude: geometry.coordinates.1\nlongitude: longitude\n',
    refusal: /^unknown-column: .*"geometry\.coordinates\.1"/,
  },
  {
    name: 'a column twice, once in letters with separate accents',
    file: 't.csv',
    text: semicolons(`${HEADER},H\u00f6he,Ho\u0308he\n${ROSE},5,6`),
    refusal: /^duplicate-column: .*"Höhe" \(columns 6 and 7\)/,
  },
  // 02: rows without values.
  {
    name: 'blank rows',
    file: 't.csv',
    text: `${HEADER}\n${ROSE}\n,,,,\n , , , , \n`,
    holds: ['title: Rose'],
  },
  {
    name: 'blank rows first',
    file: 't.tsv',
    text: tabs(`${HEADER}\n,,,,\n\n${ROSE}`),
    holds: ['title: Rose'],
  },
  {
    name: 'blank rows amid, in a German table with bars',
    file: 't.txt',
    text: 'ref|Objekt|Ort|Breite|Länge\n||||\n1|Haus am See|Binz|54,4|13,6\n \n||||\n2|Hof|Binz|54,5|13,6\n',
    mapping: GERMAN,
    written: 2,
    holds: ['title: Haus am See', 'title: Hof', 'latitude: 54.5\n'],
  },
  // 03: rows without their last cells.
  {
    name: 'a short row',
    file: 't.csv',
    text: `${HEADER},state\n${ROSE}\nh-2,Elm,Cork,51.9,-8.4,Munster`,
    mapping: 'state: state\n',
    written: 2,
    holds: ['state: Munster'],
  },
  {
    name: 'a short row, last',
    file: 't.csv',
    text: semicolons(`${HEADER},state\nh-2,Elm,Cork,51.9,-8.4,Munster\n${ROSE}`),
    written: 2,
  },
  {
    name: 'a short row between others, in tabs',
    file: 't.tsv',
    text: tabs(
      `state,${HEADER},zip\nMunster,${ROSE},T12\nUlster,h-2,Elm,Derry,55,-7.3\nLeinster,h-3,Oak,Bray,53.2,-6.1,A98`,
    ),
    mapping: 'state: state\nzip_code: zip\n',
    written: 3,
    holds: [/title: Elm(?![\s\S]{0,90}zip_code)/, 'state: Ulster', 'zip_code: A98', 'zip_code: T12'],
  },
  // 05: a quote that swallows rows.
  {
    name: 'a stray quote',
    file: 't.csv',
    text: `${HEADER},check in\n1,Rose,Cork,51.9,-8.4,"From 15:00.\n2,Lime,Cork,51.91,-8.41,From 16:00."\n3,Elm,Cork,51.9,-8.4,x`,
    mapping: POLICY,
    refusal: /^swallowed-rows: .*line 2 /,
  },
  {
    name: 'a stray quote in a name, with semicolons',
    file: 't.csv',
    text: semicolons(`${HEADER}\n1,"Rose,Cork,51.9,-8.4\n2,Lime",Cork,51.91,-8.41\n3,Elm,Cork,51.9,-8.4`),
    refusal: /^swallowed-rows/,
  },
  {
    name: 'a stray quote in a Spanish text, with semicolons, last',
    file: 't.csv',
    text: semicolons(
      `${HEADER},check in\n1,"Rosa",Jerez,36.7,-6.1,"A las 3"\n2,"Lima",Jerez,36.8,-6.1,"Con vistas al mar\n3,Olmo,Jerez,36.9,-6.1,A las 4`,
    ),
    mapping: POLICY,
    refusal: /^swallowed-rows/,
  },
  // 07: spaces before quotes.
  {
    name: 'spaces before quotes',
    file: 't.csv',
    text: 'ref, name, town, lat, lon\nh-1, "Rose, Old", "Cork", 51.9, -8.4',
    holds: ['title: Rose, Old'],
  },
  {
    name: 'spaces before quotes, in a French table',
    file: 't.csv',
    text: 'ref ; name ; town ; lat ; lon\nh-1 ; "Gîte ""Rose"" ; vieux" ; "Aix" ; 43.5 ; 5.4\nh-2 ; Mas ; Aix ; 43.6 ; 5.4',
    mapping: 'country: { value: FR }\n',
    written: 2,
    holds: ['title: Gîte "Rose" ; vieux\n', 'title: Mas\n'],
  },
  // 08: what programs write for nothing.
  {
    name: 'placeholders',
    file: 't.csv',
    text: `${HEADER},state\nh-1,#N/A,Cork,51.9,-8.4,\nh-2,Elm,Cork,51.9,-8.4,\\N`,
    mapping: 'state: state\n',
    holds: [/^(?![\s\S]*state)[\s\S]*Elm/],
  },
  {
    name: 'what a German table and its formulas say for nothing',
    file: 't.csv',
    text: `${semicolons('state,ref,Objekt,Ort,Breite,Länge')}\n#BEZUG!;1;Haus;Binz;54,4;13,6\nNULL;2;#N/A;Binz;54,5;13,6\nRügen;3;Hof;Binz;54,6;13,6`,
    mapping: `${GERMAN}state: state\n`,
    written: 2,
    holds: [/title: Haus\n(?![\s\S]{0,90}state)/, 'state: Rügen', /^(?![\s\S]*(?:NULL|#))/],
  },
  {
    name: 'null in JSON',
    file: 't.json',
    text: json([{ ...object, state: null, zip: '[null]' }]),
    mapping: 'state: state\nzip_code: zip\n',
    holds: [/^(?![\s\S]*(?:state|zip_code|null))[\s\S]*title: Rose/],
  },
  // 10: HTML in texts.
  {
    name: 'entities and tags',
    file: 't.csv',
    text: `${HEADER},check in\n1,Smith &amp; Sons,Cork,51.9,-8.4,<p>From <b>15:00</b>.<br>Call.</p>`,
    mapping: POLICY,
    holds: ['title: Smith & Sons', /From 15:00\.\n +Call\./],
  },
  {
    name: 'entities in JSON',
    file: 't.json',
    text: json([{ ...object, name: 'Caf&eacute; &#39;Rose&#39;' }]),
    holds: ["title: Café 'Rose'"],
  },
  {
    name: 'paragraphs and a link, in a German table with tabs',
    file: 't.tsv',
    text: `${tabs('check in,ref,Objekt,Ort,Breite,Länge')}\n<p>Ab 15&nbsp;Uhr.</p><p>Siehe <a href='https://see.example/plan'>Plan</a>.</p>\t1\tM&uuml;hle\tBinz\t54,4\t13,6`,
    mapping: GERMAN + POLICY,
    holds: ['title: Mühle', /Ab 15 Uhr\.\n\n +Siehe Plan \(https:\/\/see\.example\/plan\)\./],
  },
  // 12: a list in a cell.
  ...['["Wifi", "Caf\\u00e9 table"]', "['Wifi', 'Café table']", '{Wifi,"Café table"}'].map((list) => ({
    name: `a list in a cell: ${list}`,
    file: 't.csv',
    text: `${HEADER},has\n${ROSE},"${list.replaceAll('"', '""')}"`,
    mapping: 'facilities: { from: has, split: "," }\n',
    holds: ['  - wifi\n  - Café table\n'],
  })),
  {
    name: 'a list in a cell of tabs, in Polish',
    file: 't.tsv',
    text: `${tabs(`${HEADER},udogodnienia`)}\n${tabs(ROSE)}\t["WiFi", "Taras"]`,
    mapping: 'facilities: { from: udogodnienia, split: json }\n',
    holds: ['  - wifi\n  - Taras\n'],
  },
  // 13: a path that no row has.
  {
    name: 'a path that is nowhere',
    file: 't.json',
    text: json([{ ...object, address: { postcode: 'T12' } }]),
    mapping: 'zip_code: adress.postcode\n',
    refusal: /^unknown-column: .*"adress\.postcode" \(line \d; did you mean "address\.postcode"\?\)/,
  },
  {
    name: 'a path that is nowhere, line by line',
    file: 't.jsonl',
    text: `${json(object)}\n${json(object)}`,
    mapping: 'zip_code: zip.code\n',
    refusal: /^unknown-column: .*"zip\.code"/,
  },
  {
    name: 'a column that is nowhere, in a German table',
    file: 't.csv',
    text: semicolons('Postleitzahl,ref,Objekt,Ort,Breite,Länge\n18609,1,Haus,Binz,54.4,13.6'),
    mapping: `${GERMAN}zip_code: Postleizahl\n`,
    refusal: /^unknown-column: .*"Postleizahl" \(line \d; did you mean "Postleitzahl"\?\)/,
  },
  // 16: certain repairs.
  {
    name: 'values with one meaning',
    file: 't.csv',
    text: 'ref,name,town,lat,lon,country,money,tel,from\n1,Rose,Cork,51.9,−8.4,Irland,€,00353214270000,2027-4-1',
    mapping: 'currency: money\nphone: tel\ncountry: country\nlive_from: from\n',
    holds: ['country: IE', 'currency: EUR', '+353 21 427 0000', 'live_from: 2027-04-01', 'longitude: -8.4'],
  },
  {
    name: 'values with one meaning, in German JSON',
    file: 't.json',
    text: json({
      daten: [
        {
          Ort: 'Binz',
          Länge: '54.4',
          Breite: '13.6',
          Objekt: 'Haus',
          ref: '{5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11}',
          Telefon: '038393 12345',
          Land: 'Deutschland',
        },
      ],
    }),
    mapping: `${GERMAN.replaceAll(/, decimal: ","/g, '')}id: ref\ncountry: Land\nphone: Telefon\n`,
    holds: [
      /id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11/,
      'country: DE',
      'latitude: 54.4\nlongitude: 13.6\n',
      '+49 38393 12345',
    ],
  },
  // 17: the line that names the separator.
  { name: 'sep=;', file: 't.csv', text: `sep=;\r\n${semicolons(`${HEADER}\r\n${ROSE}`)}`, holds: ['Rose'] },
  { name: 'SEP=|', file: 't.txt', text: `SEP=|\n${HEADER}\n${ROSE}`.replaceAll(',', '|'), holds: ['Rose'] },
  {
    name: 'sep= with a tab, in UTF-16',
    file: 't.csv',
    text: Buffer.from(`\ufeffsep=\\t\r\n${tabs(`${HEADER}\r\n${ROSE}`)}\r\n`, 'utf16le'),
    holds: ['title: Rose\n'],
  },
  // 20: facilities as objects, photos as texts and objects.
  {
    name: 'lists of objects',
    file: 't.json',
    text: json([
      {
        ...object,
        has: [
          { name: 'WiFi', value: true },
          { name: 'Pool', value: false },
        ],
        images: ['https://photos.example/a.jpg', { url: 'https://photos.example/b.jpg' }],
      },
    ]),
    mapping: 'facilities: has.name\nphoto:\n  - { each: images, url: url }\n',
    holds: [/facilities:\n {2}- wifi\n\n/, 'a.jpg\n', 'b.jpg\n'],
  },
  {
    name: 'lists of objects by other names, line by line',
    file: 't.ndjson',
    text: json({
      bilder: [{ text: 'Vorn', datei: { link: 'https://photos.example/a.jpg' } }],
      ...{
        ...object,
        ausstattung: [
          { art: { name: 'WLAN' }, enabled: 'ja' },
          { art: { name: 'Sauna' }, enabled: 'nein' },
        ],
      },
    }),
    mapping:
      'facilities: ausstattung.art.name\nphoto:\n  - { each: bilder, url: datei.link, description: text }\n',
    holds: [/facilities:\n {2}- wifi\n\n/, 'url: https://photos.example/a.jpg\n    description: Vorn\n'],
  },
  // 21: JSON by key.
  {
    name: 'rows by key',
    file: 't.json',
    text: json({ 'h-1': object, 'h-2': { ...object, name: 'Elm' } }),
    mapping: 'id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\n',
    written: 2,
    holds: ['Elm'],
  },
  {
    name: 'rows by key, whose key the mapping calls otherwise',
    file: 't.json',
    text: '{"h-1": {"name": "Rose", "town": "Cork", "lat": 51.9, "lon": -8.4}}',
    refusal: /^unknown-column: .*"ref" \(line 1; did you mean "_key"\?\).*"_key" is the name/,
  },
  {
    name: 'rows by key below a name, in German',
    file: 't.json',
    text: json({
      stand: '2026',
      objekte: {
        'h-1': { Objekt: 'Haus', Ort: 'Binz', Breite: 54.4, Länge: 13.6 },
        'h-2': { Länge: 13.6, Objekt: 'Hof', Ort: 'Binz', Breite: 54.5 },
      },
    }),
    mapping: `${GERMAN.replaceAll(/, decimal: ","/g, '')}id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\n`,
    written: 2,
    holds: ['title: Haus', 'title: Hof', 'latitude: 54.5\n'],
  },
  // 24: quotes in TSV, and backslashes.
  {
    name: 'quotes as characters',
    file: 't.tsv',
    text: tabs(`${HEADER}\n1,Lime 5" House,Cork,51.9,-8.4\n2,"Elm" House,Cork,51.9,-8.4`),
    written: 2,
    holds: ['Lime 5" House', '"Elm" House'],
  },
  {
    name: 'backslashes',
    file: 't.csv',
    text: `${HEADER}\n1,"Rose \\"Old\\", big",Cork,51.9,-8.4`,
    holds: ['Rose "Old", big'],
  },
  {
    name: 'quotes and backslashes of a dump, with bars',
    file: 't.txt',
    text: `${HEADER}|state\n1|Rose \\| Lime|Cork|51.9|-8.4|\\N\n2|"Elm" \\\\ Oak|Cork|51.8|-8.4|Munster`.replace(
      HEADER,
      HEADER.replaceAll(',', '|'),
    ),
    mapping: 'state: state\n',
    written: 2,
    holds: ['title: Rose | Lime\n', '"Elm" \\ Oak', 'state: Munster'],
  },
  // 25: lines above the header.
  {
    name: 'a title above',
    file: 't.csv',
    text: `Property list 2026,,,,\n,,,,\n${HEADER}\n${ROSE}`,
    holds: ['title: Rose'],
  },
  {
    name: 'a comment above',
    file: 't.csv',
    text: `# exported\n${semicolons(`${HEADER}\n${ROSE}`)}`,
    holds: ['title: Rose'],
  },
  {
    name: 'a title and a date above a header of numbered names, in Italian',
    file: 't.csv',
    text: semicolons(
      'Elenco 2026,,,,,\nStampato il 1.3.,,,,,\nfoto1,nome,città,lat,lon,ref\na1,Rosa,Bari,41.1,16.8,c1\na2,Lima,Bari,41.2,16.8,c2',
    ),
    mapping: 'title: nome\ncity: città\ncountry: { value: IT }\n',
    written: 2,
    holds: ['title: Rosa', 'title: Lima'],
  },
  {
    name: 'names with numbers, above values like them',
    file: 't.csv',
    text: `id,name,city,lat,lon,${Array.from({ length: 30 }, (_, n) => `col${n}`).join(',')}\nh-1,Rose,Cork,51.9,-8.4,${Array.from({ length: 30 }, (_, n) => `v${n}`).join(',')}`,
    mapping: 'id: { from: id, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ncity: city\nstate: col3\n',
    holds: ['title: Rose', 'state: v3'],
  },
  // 26: extensions.
  {
    name: 'GeoJSON',
    file: 't.geojson',
    text: json({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: object, geometry: { type: 'Point', coordinates: [-8, 52] } }],
    }),
    mapping: 'latitude: latitude\nlongitude: longitude\n',
    holds: ['latitude: 52\n', 'longitude: -8\n'],
  },
  { name: 'GeoJSON lines', file: 't.geojsonl', text: `\u001e${json(object)}\n`, holds: ['Rose'] },
  {
    name: 'GeoJSON that is called .txt, and packed',
    file: 't.txt.gz',
    text: gzipSync(
      json({
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            id: 'a',
            geometry: { type: 'Point', coordinates: [13.6, 54.4, 3] },
            properties: { Objekt: 'Haus', Ort: 'Binz' },
          },
        ],
      }),
    ),
    mapping: `${GERMAN.replaceAll(/, decimal: ","/g, '')}id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\nlatitude: latitude\nlongitude: longitude\n`,
    holds: ['title: Haus', 'latitude: 54.4\nlongitude: 13.6\n'],
  },
  ...[
    ['t.geojson', '{"type":"FeatureCollection","features":[]}'],
    ['t.json', '[]'],
    ['t.csv', `${HEADER}\n`],
    ['t.tsv', tabs(`${HEADER}\n,,,,\n`)],
  ].map(([file = '', text = '']) => ({
    name: `no rows: ${file}`,
    file,
    text,
    refusal: /^empty-source: .*no rows/,
  })),
  // 27: numbers with exponents.
  {
    name: 'exponents in JSON',
    file: 't.ndjson',
    text: '{"ref":12345678901234567890,"name":"Null","town":"Cork","lat":5.19e1,"lon":-84E-1}\n',
    holds: ['latitude: 51.9\n', 'longitude: -8.4\n'],
  },
  {
    name: 'exponents of a spreadsheet',
    file: 't.csv',
    text: semicolons(`${HEADER}\n1,Rose,Cork,"5.19E+01",-8.4E+00`),
    holds: ['latitude: 51.9\n', 'longitude: -8.4\n'],
  },
  {
    name: 'exponents with decimal commas, in a German table',
    file: 't.csv',
    text: 'Länge;Breite;Ort;Objekt;ref\n1,36E+01;5,44E+01;Binz;Haus;4,7E+07\n1,36E+01;5,45E+01;Binz;Hof;12E5',
    mapping: `${GERMAN}state: ref\n`,
    written: 2,
    holds: ['latitude: 54.4\n', 'longitude: 13.6\n', 'state: "12E5"\n', 'state: "4,7E+07"\n'],
  },
];

it.each(HABITS.map((habit) => [habit.name, habit] as const))('%s', async (_, habit) => {
  const { file, text, mapping = '', holds = [], written = 1, refusal } = habit;
  const { root, content } = createWorkspace();
  const isReplaced = (line: string) =>
    mapping.split('\n').some((own) => own !== '' && own.split(':')[0] === line.split(':')[0]);
  const lines = MAPPING.split('\n').filter((line) => !isReplaced(line));
  // Of two lines for a field, the later one.
  const own = mapping.split('\n').filter((line, place, all) => {
    const key = /^\w+/.exec(line)?.[0];
    return key === undefined || !all.slice(place + 1).some((later) => later.startsWith(`${key}:`));
  });
  writeFileSync(join(root, 'mapping.yaml'), [...lines, ...own].join('\n'));
  writeFileSync(join(root, file), text);
  const given = { content, force: false, photos: false, mapping: join(root, 'mapping.yaml') };
  const done = await importSource(join(root, file), given).then(
    ({ result }) => ({ error: '', result }),
    ({ code, message }) => ({ error: `${code}: ${message}`, result: undefined }),
  );
  const files = readdirSync(content, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  );
  if (refusal) {
    expect(done.error).toMatch(refusal);
    expect(files).toEqual([]);
    return;
  }
  expect(done.error).toBe('');
  expect(done.result).toMatchObject({ written });
  const all = files.map((name) => readFileSync(join(content, name), 'utf8')).join('');
  for (const one of holds) {
    if (typeof one === 'string') expect(all).toContain(one);
    else expect(all).toMatch(one);
  }
});

describe('a cell with several links of photos', () => {
  const links = (between: string, other: string) => `"https://a.example/1.jpg${between}${other}"`;
  const read = async (cell: string) => {
    const mapping = 'id: ref\ntitle: name\ncity: city\ncountry: country\ncurrency: { value: EUR }\n';
    const workspace = createWorkspace();
    writeFileSync(join(workspace.root, 'a.mapping.yaml'), `${mapping}photo: [{ url: Photo }]\n`);
    const header = 'ref,name,city,country,Photo';
    const { result } = await imported(workspace, 'a.csv', `${header}\n${UUID},Rose,Cork,IE,${cell}\n`, {});
    const written = readFileSync(join(workspace.content, 'properties/ie/rose.yaml'), 'utf8');
    return { photos: written.match(/(?<=url: ).*/g), codes: result!.causes.map(({ code }) => code) };
  };
  const UUID = '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11';

  it.each([', ', ' ', ' | ', '\n', ' ; '])('with %j between keeps the good one of two', async (between) => {
    const { photos, codes } = await read(links(between, 'htp:/bad'));
    expect(photos).toEqual(['https://a.example/1.jpg']);
    expect(codes).toContain('invalid-url');
  });

  it.each([', ', ' ', ';', ',', '|'])('with %j between keeps both', async (between) => {
    const { photos } = await read(links(between, 'https://a.example/2.jpg'));
    expect(photos).toEqual(['https://a.example/1.jpg', 'https://a.example/2.jpg']);
  });

  it('keeps a link that has such signs in it', async () => {
    const { photos } = await read(links('', '?w=500;h=300,1|2'));
    expect(photos).toEqual(['https://a.example/1.jpg?w=500;h=300,1|2']);
  });
});

describe('amounts', () => {
  it.each([
    [['"1.250,00 €"', '"95,50 €"', '€ 2.000'], ',', ['1250.00', '95.50', '2000']],
    [['"€ 1,250.00"', '€ 95.50', '"€ 2,000"'], '.', ['1250.00', '95.50', '2000']],
    [['"1,250"', '95.50', '"1,250,000"'], '.', ['1250', '95.50', '1250000']],
    [['"1.250,00"', '"95,5"', '80'], ',', ['1250.00', '95.5', '80']],
    [['95.50', '120', '80'], undefined, ['95.50', '120', '80']],
    // They disagree: each is read for itself, and what is uncertain is left out.
    [['"1.250,00"', '95.50', '80'], undefined, [undefined, '95.50', '80']],
    // No price in euros has three decimals.
    [['"1,250"', '"2,000"', '"1,100"'], '.', ['1250', '2000', '1100']],
    [['2.000', '1.250', '950'], ',', ['2000', '1250', '950']],
    [['€ 2.000', '12.500 €', '1.250'], ',', ['2000', '12500', '1250']],
    // A database may write three decimals of all numbers.
    [['95.500', '120.000', '80.250'], undefined, ['95.500', '120.000', '80.250']],
    [['2.000', '"1,250"', '950'], undefined, ['2.000', undefined, '950']],
    [['2.000', '1.2505', '950'], undefined, ['2.000', undefined, '950']],
    [['1.250', '95.50', '0.250'], undefined, ['1.250', '95.50', '0.250']],
  ])('%j are read as the whole column writes them', async (amounts, decimal, prices) => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'fields:\n  price_from: {}\n');
    const rows = amounts.map((amount, n) => `h-${n},House ${n},Cork,IE,51.9${n},-8.4${n},EUR,${amount}`);
    const csv = ['ref,name,city,country,lat,lon,currency,Price per night', ...rows].join('\n');
    let proposal: Proposal = {};
    await imported(workspace, 'a.csv', `${csv}\n`, { ask: async (one) => (proposal = one) });
    expect(Object(proposal.price_from).decimal).toBe(decimal);
    const read = amounts.map((_, n) => {
      const written = readFileSync(join(workspace.content, `properties/ie/house-${n}.yaml`), 'utf8');
      return /^price_from: (.*)$/m.exec(written)?.[1];
    });
    expect(read).toEqual(prices);
  });

  const priced = async (currency: string, amounts: readonly string[]) => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'fields:\n  price_from: {}\n');
    const rows = amounts.map(
      (amount, n) => `h-${n},House ${n},Cork,IE,51.9${n},-8.4${n},${currency},${amount}`,
    );
    const csv = ['ref,name,city,country,lat,lon,currency,Price per night', ...rows].join('\n');
    const { result } = await imported(workspace, 'a.csv', `${csv}\n`, { ask: async (one) => one });
    return result?.repairs.filter(({ field }) => field === 'price_from');
  };

  it('like 2.000 are in the report of repairs, unless the currency has three decimals', async () => {
    const examples = [
      { at: '', from: '2.000', to: '2000', count: 2 },
      { at: '', from: '1.250', to: '1250', count: 1 },
    ];
    expect(await priced('EUR', ['2.000', '1.250', '2.000'])).toEqual([
      { field: 'price_from', count: 3, examples },
    ]);
    expect(await priced('KWD', ['2.000', '1.250', '2.000'])).toEqual([]);
  });
});
