/** Habits of programs and people that make tables, each in several formats, languages and orders. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { importSource } from '../../src/import/import-source.ts';
import type { Proposal } from '../../src/import/mapping/mapping.ts';
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
  readonly catalogue?: string;
  /** Lines of the mapping, of which those of the same field replace the usual ones. */
  readonly mapping?: string;
  /** Texts that the written files have. */
  readonly holds?: readonly (string | RegExp)[];
  /** Number of written files. @default 1 */
  readonly written?: number;
  /** Number of rows by code, among others. */
  readonly causes?: Readonly<Record<string, number>>;
  /** Codes and messages of notes, among others. */
  readonly notes?: readonly RegExp[];
  /** Fields that the report of repairs names. */
  readonly repaired?: readonly string[];
  /** Texts that no note has. */
  readonly silent?: readonly string[];
  /** Code and message of the error, before which nothing is written. */
  readonly refusal?: RegExp;
};

const HABITS: readonly Habit[] = [
  {
    name: 'lines in quotes as a whole',
    file: 't.csv',
    text: `"${HEADER}"\n"${ROSE}"\n"h-2,""Lime, Old"",Cork,51.8,-8.5"`,
    refusal: /^unknown-column: .*Remove the quotes around whole lines\.$/,
  },
  {
    name: 'null in a list',
    file: 't.json',
    text: json([{ ...object, has: [null, 'wifi'] }]),
    mapping: 'facilities: has\n',
    holds: [/facilities: \[wifi\]|facilities:\n {2}- wifi\n/],
  },
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
    mapping: 'latitude: geometry.coordinates.2\nlongitude: geometry.coordinate\n',
    refusal:
      /"geometry\.coordinates\.2".*"geometry\.coordinate" \(.*did you mean "geometry\.coordinates"\?\)/,
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
  // Points of JSON.
  ...[[-8.4, 51.9], ['-8.4', '51.9', 3], { type: 'Point', coordinates: [-8.4, 51.9] }].map((loc) => ({
    name: `a point in JSON: ${json(loc)}`,
    file: 't.json',
    text: json([{ ...object, at: { loc } }]),
    mapping: ['latitude', 'longitude'].map((one) => `${one}: { from: at.loc, point: lng-lat }\n`).join(''),
    holds: ['latitude: 51.9\n', 'longitude: -8.4\n'],
  })),
  {
    name: 'items of lists',
    file: 't.ndjson',
    text: json({ ...object, at: [[-8.4, 51.9]], photos: [{ by: 'x', alt: ['a', 'b'] }] }),
    mapping: 'latitude: at.0.1\nlongitude: at.0.0\nstate: photos.0.alt.1\n',
    holds: ['latitude: 51.9\n', 'longitude: -8.4\n', 'state: b\n'],
  },
  {
    name: 'an item that no list has',
    file: 't.json',
    text: json([{ ...object, at: [-8.4, 51.9] }]),
    mapping: 'latitude: at.2\nlongitude: at.0\n',
    refusal: /^unknown-column: \S+ names what no row has: "at\.2"/,
  },
  {
    name: 'a point column with a single number',
    file: 't.csv',
    text: `${HEADER},where\n${ROSE},"55.7"\nh-2,Elm,Cork,,,"51,9 N"\nh-3,Oak,Cork,,,\nh-4,Ash,Cork,,,"51.9, -8.4"`,
    mapping: ['latitude', 'longitude'].map((one) => `${one}: { from: where, point: lat-lng }\n`).join(''),
    written: 4,
    holds: ['latitude: 51.9\n', /^(?![\s\S]*itude: (?:55|51,))/],
    causes: { 'invalid-latitude': 2, 'invalid-longitude': 2, 'unfinished-draft': 3 },
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
    text: semicolons(`${HEADER},state\nh-2,Elm,Cork,51.9,-8.4,Munster\n${ROSE}\n`),
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
    name: 'the sign of a database for nothing, in quotes',
    file: 't.csv',
    text: semicolons(`${HEADER},state\n1,Rose,Cork,51.9,-8.4,"\\N"\n2,Lime\\N House,Cork,51.9,-8.4,\\N`),
    mapping: 'state: state\n',
    written: 2,
    holds: [/^(?![\s\S]*state)/, 'title: Lime\\N House\n'],
  },
  {
    name: 'null in JSON',
    file: 't.json',
    text: json([{ ...object, state: null, zip: '[null]' }]),
    mapping: 'state: state\nzip_code: zip\n',
    holds: [/^(?![\s\S]*(?:state|zip_code|null))[\s\S]*title: Rose/],
  },
  ...['#N/A', 'n/a', '-', 'NULL', '\\N', '<br>'].map((nothing) => ({
    name: `${nothing} for an id, a title, a date, a number and facilities`,
    file: 't.csv',
    text: semicolons(
      `${HEADER},until,tel,has\n${nothing},Elm,Cork,51.9,-8.4,,,\n2,${nothing},Cork,51.9,-8.4,,,\n${ROSE},${nothing},${nothing},${nothing}|Oven`,
    ),
    mapping:
      'address: { from: [until, name], join: " " }\nlive_until: until\nphone: tel\nfacilities: { from: has, split: "|" }\n',
    holds: [
      /^(?![\s\S]*(?:Elm|live_until|phone|N\/A|n\/a|NULL|\\N|br))/,
      'address: Rose\n',
      'facilities:\n  - oven\n',
    ],
  })),
  {
    name: 'words for nothing in other languages',
    file: 't.csv',
    text: `${HEADER},alt,since,has\n1,keine Angabe,Cork,51.9,-8.4,Rose,0000-00-00,keine\n2,s/d,Cork,51.9,-8.4,Elm,0000-00-00 00:00:00,brak\n3,Nie dotyczy,Cork,51.9,-8.4,Oak,sin datos,ninguno\n4,Aucun,Cork,51.9,-8.4,Ash,,geen`,
    mapping: 'title: { from: name, else: alt }\nlive_from: since\nfacilities: { from: has, split: "," }\n',
    written: 4,
    holds: [
      'title: Rose',
      'title: Elm',
      'title: Oak',
      'title: Aucun',
      /^(?![\s\S]*(?:live_from|facilities))/,
    ],
  },
  {
    name: 'null as a text of JSON',
    file: 't.json',
    text: json([{ ...object, state: 'null', zip: 'ND' }]),
    mapping: 'state: state\nzip_code: zip\n',
    holds: [/^(?![\s\S]*state)/, 'zip_code: ND'],
  },
  {
    name: 'dates with the time of a database',
    file: 't.tsv',
    text: tabs(`${HEADER},since,until\n${ROSE},2027-04-01 00:00:00,2027-12-31T00:00:00.000`),
    mapping: 'live_from: since\nlive_until: until\n',
    holds: ['live_from: 2027-04-01\nlive_until: 2027-12-31\n'],
  },
  ...['<p>&nbsp;</p>', '<br>', '&nbsp;', '&#8203;', '<!-- x -->', '\u200b', '\u00ad'].map((blank) => ({
    name: `a text that shows nothing: ${blank}`,
    file: 't.csv',
    text: semicolons(
      `${HEADER},state,check in\n1,"${blank}",Cork,51.9,-8.4,,\n2,Rose,Cork,51.9,-8.4,"${blank}","${blank}"`,
    ),
    mapping: `state: state\n${POLICY}`,
    holds: [/^(?![\s\S]*(?:state|policy))/],
  })),
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
  ...['&amp;', '&#38;', '&#038;'].map((sign) => ({
    name: `${sign} in links`,
    file: 't.csv',
    text: `${HEADER},pic,site\n${ROSE},https://a.example/1.jpg?w=1${sign}h=2,https://a.example/?a=1${sign}b=2`,
    catalogue: 'fields:\n  website: {}\n',
    mapping: 'photo:\n  - url: pic\nwebsite: site\n',
    holds: ['url: https://a.example/1.jpg?w=1&h=2\n', 'website: https://a.example/?a=1&b=2\n'],
  })),
  // 12: a list in a cell.
  ...[
    '["Wifi", "Caf\\u00e9 table"]',
    "['Wifi', 'Café table']",
    '{Wifi,"Café table"}',
    '{"Wifi": true, "Café table": "x", "Pool": false, "Sauna": null, "Gym": ""}',
    '[{"name": "Wifi"}, {"label": "Café table", "id": 2}, {"name": "Pool", "active": "no"}]',
    '<ul>\n<li>Wifi</li><li class="a">Café <b>table</b></ul>',
  ].map((list) => ({
    name: `a list in a cell: ${list}`,
    file: 't.csv',
    text: `${HEADER},has\n${ROSE},"${list.replaceAll('"', '""')}"`,
    mapping: 'facilities: { from: has, split: "," }\n',
    holds: [/ {2}- wifi\n {2}- Café table\n(?! {2}-)/],
  })),
  {
    name: 'facilities of all kinds in one list',
    file: 't.json',
    text: json([
      { ...object, has: [{ name: 'Wifi' }, 'Kitchen', { name: 'Pool', value: false }, null] },
      { ...object, ref: 'b', name: 'Elm', has: ['Sauna'] },
      { ...object, ref: 'c', name: 'Oak' },
    ]),
    mapping: 'facilities: has.name\n',
    written: 3,
    holds: ['facilities:\n  - wifi\n  - kitchen\n', 'facilities:\n  - sauna\n'],
  },
  {
    name: 'an object of facilities, some of them unknown',
    file: 't.json',
    text: json([{ ...object, am: { Wifi: true, Sauna: null, Pool: '', Kitchen: '✓', Gym: 'n/a' } }]),
    mapping: 'facilities: am\n',
    holds: [/facilities:\n {2}- wifi\n {2}- kitchen\n(?! {2}-)/],
  },
  {
    name: 'an object of facilities that are objects, or something else',
    file: 't.ndjson',
    text: `${json({ ...object, am: { Wifi: { available: true }, Sauna: { enabled: 'no' } } })}\n${json({ ...object, ref: 'b', am: { Wifi: { speed: 3 } } })}`,
    mapping: 'facilities: am\n',
    written: 2,
    holds: [/facilities:\n {2}- wifi\n(?! {2}-)/],
    causes: { 'wrong-type': 1 },
  },
  {
    name: 'words that mean neither yes nor no',
    file: 't.csv',
    text: `${HEADER},wifi,sauna,pool,card\n${ROSE},x,vorhanden,x,ja\nh-2,Elm,Cork,51.9,-8.4,free,nein,n/a,visa\nh-3,Oak,Cork,51.9,-8.4,✓,,✗,`,
    mapping: `facilities:\n${['wifi', 'sauna', 'pool'].map((one) => `  - { from: ${one}, value: ${one} }\n`).join('')}payment_method:\n  - { is_enabled: { value: "true" }, method_type: { from: card, value: direct } }\n`,
    written: 3,
    holds: [
      /title: Rose[\s\S]*facilities:\n {2}- wifi\n {2}- swimming_pool\n/,
      /title: Oak[\s\S]*- wifi\n(?! {2}-)/,
    ],
    notes: [
      /^not-yes-or-no: The column "wifi" has words that mean neither yes nor no: they/,
      /^not-yes-or-no: The column "sauna" .*, such as "vorhanden": they count as no/,
      /^not-yes-or-no: The column "card" .*, such as "visa"/,
    ],
    silent: ['private-column', '"pool"'],
  },
  {
    name: 'a list in a cell of tabs, in Polish',
    file: 't.tsv',
    text: `${tabs(`${HEADER},udogodnienia`)}\n${tabs(ROSE)}\t["WiFi", "Taras"]`,
    mapping: 'facilities: { from: udogodnienia, split: json }\n',
    holds: ['  - wifi\n  - terrace\n'],
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
  ...['‒8.4', '–8.4', '﹣8.4', '－8.4', '-8.4e0', '-0.84E1'].map((degrees) => ({
    name: `the longitude ${degrees}, and a link of a phone`,
    file: 't.tsv',
    text: tabs(`${HEADER},tel\n1,Rose,Cork,5.19e1,${degrees},tel:+353-21-4270000`),
    mapping: 'phone: tel\n',
    holds: ['latitude: 51.9\nlongitude: -8.4\n', 'phone: +353-21-4270000\n'],
  })),
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
  ...[
    ['a null and a text', { 'h-2': null, 'h-3': 'x' }, '2 .*: "h-2", "h-3"'],
    ['texts of the export', { version: 2, updated: '2026' }, '2 .*: "version", "updated"'],
    ['other objects', { meta: { count: 2 }, empty: {} }, '2 .*: "meta", "empty"'],
    ['a list', { photos: [{ name: 'x', town: 'y' }] }, '1 .*: "photos"'],
  ].map(([name, others, passed]) => ({
    name: `rows by key beside ${name}`,
    file: 't.json',
    text: json({
      ...Object(others),
      'house-1': object,
      'house-2': { ...object, name: 'Elm', rooms: [{ name: 'x' }] },
    }),
    mapping: 'id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\n',
    written: 2,
    holds: ['Rose', 'Elm'],
    notes: [new RegExp(`^rows-passed-over: ${passed}`)],
  })),
  {
    name: 'a property with members of one kind',
    file: 't.json',
    text: json({ ...object, text: { en: 'a', de: 'b' }, rules: { en: 'c', de: 'd' } }),
    holds: ['title: Rose'],
  },
  {
    name: 'rows by key in groups',
    file: 't.json',
    text: json({ IE: { a: { ...object, photos: [{ x: 1 }] } }, DE: { b: object, c: object } }),
    mapping: 'id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\nrows: DE\n',
    written: 2,
    holds: ['title: Rose'],
  },
  {
    name: 'rows by key in groups, of which one is read',
    file: 't.json',
    text: json({ IE: { a: { ...object, photos: [{ x: 1 }] } }, DE: { b: object, c: object } }),
    mapping: 'id: { from: _key, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\n',
    written: 2,
    notes: [/^rows-guessed: .*"DE", not from "IE" \(1 row\)/],
  },
  ...[
    {
      hotels: [object],
      agents: [
        { ref: 'b', name: 'Bob' },
        { ref: 'c', name: 'Eve' },
      ],
    },
    { agents: { b: { ref: 'b', name: 'Bob' }, c: { ref: 'c', name: 'Eve' } }, data: { hotels: [object] } },
  ].map((document) => ({
    name: `the list that has what the mapping names: ${json(document).slice(0, 11)}`,
    file: 't.json',
    text: json(document),
    holds: ['title: Rose'],
  })),
  {
    name: 'lists that lack what the mapping names',
    file: 't.json',
    text: json({ hotels: [object], agents: [{ ref: 'b', name: 'Bob' }] }),
    mapping: 'state: county\n',
    refusal: /"county".* The rows are taken from "hotels", not from "agents" \(1 row\)\. .*"rows: agents"/,
  },
  ...[
    json([{}, object, { ref: null, name: '', at: [{ x: '' }] }]),
    json({ a: { ref: '', name: null, town: '' }, b: object, c: object }).replace(
      '"c":{"ref":"a"',
      '"c":{"ref":"c"',
    ),
    `{}\n${json(object)}\n{"ref":""}`,
  ].map((text, place) => ({
    name: `blank rows in JSON: ${place}`,
    file: 't.json',
    text,
    written: place === 1 ? 2 : 1,
    holds: ['title: Rose'],
    notes: [new RegExp(`^blank-rows: ${place === 1 ? '1 blank row' : '2 blank rows'} skipped`)],
  })),
  {
    name: 'names in letters with separate accents in JSON',
    file: 't.ndjson',
    text: `${json({ ...object, 'na\u0308me': 'Rose' })}\n{"ref":"b","na\\u0308me":"","n\u00e4me":"Elm","lat":1,"lon":2,"town":"x"}`,
    mapping: 'title: n\u00e4me\n',
    written: 2,
    holds: ['title: Elm', 'title: Rose'],
    notes: [/^repeated-name: 1 row with one name twice, such as "n\u00e4me" \(line 2\)/],
  },
  // What is nearly JSON.
  ...[
    ['{ref:"1",name:\'Rose\'}', 'empty-source: .*line 1: This is not JSON'],
    ["{'ref': '1'}", 'empty-source: .*line 1: This is not JSON'],
    [`callback([${json(object)}]);`, 'not-json: .*follows its end'],
    ['[["ref","name"],["1","Rose"]]', 'empty-source: .*entry 1: This is not a JSON object'],
  ].map(([text = '', refusal = '']) => ({
    name: `not JSON, or no rows: ${text.slice(0, 10)}`,
    file: 't.json',
    text,
    refusal: new RegExp(`^${refusal}`),
  })),
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
  {
    name: 'texts that a spreadsheet writes as formulas',
    file: 't.csv',
    text: `${HEADER},zip\n="1","=""Rose """"Old""""""",Cork,51.9,-8.4,="01067"`,
    mapping: 'zip_code: zip\n',
    holds: ['title: Rose "Old"\n', 'zip_code: "01067"\n'],
  },
  ...[
    '=HYPERLINK(""https://x.example/1.jpg"",""photo"")',
    '=HIPERVINCULO(""https://x.example/1.jpg"";""foto"")',
    '=COLLEG.IPERTESTUALE(""https://x.example/1.jpg"")',
    '=IMAGE(""https://x.example/1.jpg"")',
  ].map((cell) => ({
    name: `a link in a formula: ${cell}`,
    file: 't.csv',
    text: `${HEADER},pic\n${ROSE},"${cell}"\n`,
    mapping: 'photo:\n  - { url: pic }\n',
    holds: ['url: https://x.example/1.jpg\n'],
  })),
  ...[
    ['Piscina, Lavatrice, Ascensore', 'swimming_pool washing_machine lift'],
    ['Waschmaschine | Aufzug | Kühlschrank', 'washing_machine lift refrigerator'],
    ['Piscine; Lave-linge; Sèche-cheveux', 'swimming_pool washing_machine hair_dryer'],
    ['Zmywarka, Winda, Telewizor, Wifi gratis', 'dishwasher lift tv wifi'],
    ['Admite mascotas, Nevera, piscina', 'pets_allowed refrigerator swimming_pool'],
    ['Wasmachine, Zwembad, Strijkijzer', 'washing_machine swimming_pool iron'],
    ['Máquina de lavar, Piscina, Swimming pool', 'washing_machine swimming_pool'],
  ].map(([cell = '', words = '']) => ({
    name: `facilities in the language of the table: ${cell}`,
    file: 't.csv',
    text: `${HEADER},extras\n${ROSE},"${cell}"\n`,
    mapping: `facilities: { from: extras, split: "${/[|;,]/.exec(cell)?.[0]}" }\n`,
    holds: [`facilities:\n${words.replace(/(\S+)\s?/g, '  - $1\n')}`],
    repaired: ['facilities'],
  })),
  {
    name: 'prices with the sign of a currency that is a word',
    file: 't.csv',
    catalogue: 'fields: { price_from: {} }\n',
    text: `${HEADER};Cena\n${ROSE};450 zł\nh-2,Lime,Cork,51.8,-8.4;80,50 zł`.replace(/,(?!50 )/g, ';'),
    mapping: 'currency: { value: PLN }\nprice_from: Cena\n',
    written: 2,
    holds: ['price_from: 450\n', 'price_from: 80.50\n'],
  },
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
  const {
    file,
    text,
    mapping = '',
    holds = [],
    written = 1,
    causes = {},
    notes = [],
    silent = [],
    repaired = [],
    refusal,
  } = habit;
  const { root, content } = createWorkspace();
  const isReplaced = (line: string) =>
    mapping.split('\n').some((own) => own !== '' && own.split(':')[0] === line.split(':')[0]);
  const lines = MAPPING.split('\n').filter((line) => !isReplaced(line));
  // Of two lines for a field, the later one.
  const own = mapping.split('\n').filter((line, place, all) => {
    const key = /^\w+/.exec(line)?.[0];
    return key === undefined || !all.slice(place + 1).some((later) => later.startsWith(`${key}:`));
  });
  if (habit.catalogue) writeFileSync(join(content, 'catalogue.yaml'), habit.catalogue);
  writeFileSync(join(root, 'mapping.yaml'), [...lines, ...own].join('\n'));
  writeFileSync(join(root, file), text);
  const given = { content, force: false, photos: false, mapping: join(root, 'mapping.yaml') };
  const done = await importSource(join(root, file), given).then(
    ({ result, notes: said }) => ({ error: '', result, said }),
    ({ code, message }) => ({ error: `${code}: ${message}`, result: undefined, said: [] }),
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
  const counted = done.result!.causes.map(({ code, count }) => [code, count]);
  expect(Object.fromEntries(counted)).toMatchObject(causes);
  expect(done.result!.repairs.map(({ field }) => field)).toEqual(expect.arrayContaining([...repaired]));
  const said = done.said.map(({ code, message }) => `${code}: ${message}`);
  for (const note of notes) expect(said).toContainEqual(expect.stringMatching(note));
  for (const one of silent) expect(said.join('\n')).not.toContain(one);
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

  it.each(['|-|', ';n/a; ', ' | ', ';;', '|\n'])('with %j between drops what is nothing', async (between) => {
    expect((await read(links(between, ''))).photos).toEqual(['https://a.example/1.jpg']);
    expect((await read(links(between, 'https://a.example/2.jpg'))).photos).toHaveLength(2);
  });

  it('cuts no link at a space within it', async () => {
    const { photos, codes } = await read('https://a.example/my house.jpg');
    expect(photos).toBeNull();
    expect(codes).toContain('invalid-url');
  });

  it('keeps a link that has such signs in it', async () => {
    const { photos } = await read(links('', '?w=500;h=300,1|2'));
    expect(photos).toEqual(['https://a.example/1.jpg?w=500;h=300,1|2']);
  });
});

describe('the report', () => {
  it('says of each row what its coordinates may mean, and of a number whether it is taken', async () => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'fields:\n  max_guests: {}\n');
    const mapping = join(workspace.root, 'mapping.yaml');
    writeFileSync(mapping, `${MAPPING}max_guests: beds\n`);
    const rows = ['1,Rose,Cork,51.9,8.4,"1,250"', '2,Elm,Cork,0,0,"2,250"', '3,Oak,,51.9,,'];
    const csv = `${[`${HEADER},beds`, ...rows].join('\n')}\n`;
    const { result, notes } = await imported(workspace, 'a.csv', csv, { mapping });
    const causeOf = (code: string, field: string) =>
      result!.causes.find((one) => one.code === code && one.field === field);
    const doubtful = causeOf('doubtful-coordinates', 'latitude');
    expect(doubtful?.help).toBe('');
    expect(doubtful?.examples.map(({ message }) => message)).toEqual([
      expect.stringMatching(/With another sign it is: write latitude: 51\.9, longitude: -8\.4\.$/),
      expect.stringMatching(/Atlantic Ocean\. Write the coordinates of the property\.$/),
    ]);
    expect(notes.find(({ code }) => code === 'ambiguous-number')?.message).toMatch(/It is left out\.$/);
    // Alone, it would make the row a draft.
    expect(causeOf('missing-key', 'longitude')).toBeUndefined();
    expect(causeOf('missing-key', 'city')).toMatchObject({ count: 1 });
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

  it('are read as the whole column writes them, also with a mapping that does not say how', async () => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'fields:\n  price_from: {}\n  max_guests: {}\n');
    const mapping = join(workspace.root, 'mapping.yaml');
    writeFileSync(mapping, `${MAPPING}price_from: price\nmax_guests: beds\n`);
    const rows = ['1.250,00;1.250', '95,50;4', '2.000;6'].map(
      (cells, n) => `${n};House ${n};Cork;51.9;-8.4;${cells}`,
    );
    const csv = [`${semicolons(HEADER)};price;beds`, ...rows].join('\n');
    const { result } = await imported(workspace, 'a.csv', `${csv}\n`, { mapping });
    const files = [0, 1, 2].map((n) =>
      readFileSync(join(workspace.content, `properties/ie/house-${n}.yaml`), 'utf8'),
    );
    const pick = (field: RegExp) => files.map((text) => field.exec(text)?.[0]);
    expect(pick(/price_from: .*/)).toEqual(['price_from: 1250.00', 'price_from: 95.50', 'price_from: 2000']);
    expect(pick(/max_guests: .*/)).toEqual([undefined, 'max_guests: 4', 'max_guests: 6']);
    const repairs = result!.repairs.filter(({ field }) => field === 'price_from');
    expect(repairs.reduce((sum, { count }) => sum + count, 0)).toBe(3);
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
