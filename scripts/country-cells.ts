/**
 * Makes `src/source/tables/country-cells.json`: which parts of the world each country lies in, with a margin.
 *
 *     npx tsx scripts/country-cells.ts
 *
 * The outlines are those of Natural Earth at 1:10,000,000 (npm `world-atlas`, public domain). The world is divided into
 * cells of a quarter of a degree. A country has the cells that its outline touches or that lie within it, and those
 * around them: so a point that is in none of its cells is at least a quarter of a degree, 28 km, away from it.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { isMain } from './command-line.ts';

const SOURCE = 'world-atlas/countries-10m.json';
const TABLE = 'src/source/tables/country-cells.json';

/** Cells of a degree. */
const PER_DEGREE = 4;
const COLUMNS = 360 * PER_DEGREE;
const ROWS = 180 * PER_DEGREE;

type Position = readonly [longitude: number, latitude: number];
type Ring = readonly Position[];

/** Codes of features without a number of ISO 3166-1. Of some of them a country has its reasons to say it is its own. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  Kosovo: ['XK', 'RS'],
  Somaliland: ['SO'],
  'N. Cyprus': ['CY'],
  'Cyprus U.N. Buffer Zone': ['CY'],
  Akrotiri: ['CY', 'GB'],
  Dhekelia: ['CY', 'GB'],
  'Siachen Glacier': ['IN', 'PK'],
  Baikonur: ['KZ'],
  'USNB Guantanamo Bay': ['CU', 'US'],
  'Indian Ocean Ter.': ['AU', 'CX', 'CC'],
};

/** Territories with a code of their own that are also written with the code of their sovereign. */
const TERRITORIES: Readonly<Record<string, readonly string[]>> = {
  AU: ['NF'],
  CN: ['HK', 'MO', 'TW'],
  DK: ['FO', 'GL'],
  FI: ['AX'],
  FR: ['BL', 'MF', 'NC', 'PF', 'PM', 'WF'],
  GB: ['GG', 'GI', 'IM', 'JE'],
  NL: ['AW', 'CW', 'SX'],
  NZ: ['CK', 'NU'],
  US: ['AS', 'GU', 'MP', 'PR', 'UM', 'VI'],
};

/** Regions that several countries claim, as south, west, north, east. What one of them has there, all of them have. */
const CLAIMED: readonly {
  readonly box: readonly [number, number, number, number];
  readonly by: readonly string[];
}[] = [
  { box: [44.25, 32.25, 46.25, 36.75], by: ['RU', 'UA'] },
  { box: [46, 32, 50.5, 40.5], by: ['RU', 'UA'] },
  { box: [32, 72, 37.5, 81], by: ['CN', 'IN', 'PK'] },
  { box: [26, 91, 30, 98], by: ['CN', 'IN'] },
  { box: [31, 34, 33.5, 36], by: ['IL', 'PS', 'SY'] },
  { box: [20.5, -17.5, 28, -8.5], by: ['EH', 'MA'] },
  { box: [38.5, 44.5, 41, 47.5], by: ['AM', 'AZ'] },
  { box: [41, 40, 44, 45], by: ['GE', 'RU'] },
  { box: [-55.5, -62, -50.5, -25], by: ['AR', 'FK', 'GS'] },
  { box: [43, 145, 46, 149], by: ['JP', 'RU'] },
  { box: [9, 22, 12, 36.5], by: ['SD', 'SS'] },
  { box: [21.5, 33, 24, 37.5], by: ['EG', 'SD'] },
];

/** Inhabited islands that the outlines lack, as latitude and longitude. */
const ISLANDS: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  GR: [[36.15, 29.59]],
  MU: [[-16.6, 59.66]],
  PH: [
    [6.07, 118.31],
    [11.42, 120.82],
  ],
  TO: [[-15.95, -173.8]],
  TW: [
    [24.43, 118.32],
    [26.15, 119.93],
  ],
  VN: [[16.67, 112.73]],
};

/** Countries whose outlines lack dozens of islands, and the one around a pole: their points are not judged. */
const INCOMPLETE: readonly string[] = ['AQ', 'FM', 'MH', 'TF', 'UM'];

/** The cells of each country, by code: whether it has the cell of a row (from the south) and a column (from 180° W). */
function countryCells(): ReadonlyMap<string, Uint8Array> {
  const source = createRequire(import.meta.url)(SOURCE) as Topology<{
    countries: GeometryCollection<{ name: string }>;
  }>;
  const codes = codesByNumber();
  const touched = new Map<string, Uint8Array>();
  for (const { id, properties, geometry } of feature(source, source.objects.countries).features) {
    const polygons =
      geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    const names = NAMED[properties.name] ?? (id === undefined ? [] : [codes.get(String(id)) ?? '']);
    for (const code of names.filter(Boolean)) {
      const cells = touched.get(code) ?? new Uint8Array(ROWS * COLUMNS);
      touched.set(code, cells);
      for (const polygon of polygons) fill(cells, (polygon as unknown as readonly Ring[]).map(unwrapped));
    }
  }
  for (const [code, islands] of Object.entries(ISLANDS)) {
    for (const [latitude, longitude] of islands) {
      touched.get(code)![rowOf(latitude) * COLUMNS + columnOf(longitude)] = 1;
    }
  }
  share(touched);
  for (const code of INCOMPLETE) touched.delete(code);
  return new Map(
    [...touched].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, cells]) => [code, widened(cells)]),
  );
}

function codesByNumber(): Map<string, string> {
  const { supplemental } = createRequire(import.meta.url)('cldr-core/supplemental/codeMappings.json') as {
    supplemental: { codeMappings: Record<string, { _numeric?: string }> };
  };
  const pairs = Object.entries(supplemental.codeMappings).filter(([code]) => /^[A-Z]{2}$/.test(code));
  return new Map(pairs.map(([code, { _numeric = '' }]) => [_numeric, code]));
}

/** The ring without leaps from one side of the 180th meridian to the other: it goes on beyond. */
function unwrapped(ring: Ring): Ring {
  let [shift, before] = [0, ring[0]?.[0] ?? 0];
  return ring.map(([x, y]) => {
    if (x - before > 180) shift -= 360;
    else if (before - x > 180) shift += 360;
    before = x;
    return [x + shift, y];
  });
}

/** Adds the cells that a polygon touches, and those within it. */
function fill(cells: Uint8Array, rings: readonly Ring[]): void {
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) draw(cells, ring[index - 1]!, ring[index]!);
  }
  const [south, north] = reachOf(rings[0] ?? []);
  for (let row = rowOf(south); row <= rowOf(north); row++) {
    const latitude = (row + 0.5) / PER_DEGREE - 90;
    const crossings = rings.flatMap((ring) => crossingsOf(ring, latitude)).sort((a, b) => a - b);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const last = Math.floor(crossings[pair + 1]! * PER_DEGREE);
      for (let column = Math.floor(crossings[pair]! * PER_DEGREE); column <= last; column++) {
        cells[row * COLUMNS + columnOf(column / PER_DEGREE)] = 1;
      }
    }
  }
}

/** The least and the greatest latitude of a ring. */
function reachOf(ring: Ring): [south: number, north: number] {
  let [south, north] = [90, -90];
  for (const [, latitude] of ring) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [south, north];
}

/** The longitudes at which a ring crosses a latitude. */
function crossingsOf(ring: Ring, latitude: number): number[] {
  const crossings: number[] = [];
  for (let index = 1; index < ring.length; index++) {
    const [[ax, ay], [bx, by]] = [ring[index - 1]!, ring[index]!];
    if (ay > latitude === by > latitude) continue;
    crossings.push(ax + ((latitude - ay) / (by - ay)) * (bx - ax));
  }
  return crossings;
}

function draw(cells: Uint8Array, [ax, ay]: Position, [bx, by]: Position): void {
  const steps = 1 + Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) * PER_DEGREE * 8);
  for (let step = 0; step <= steps; step++) {
    const part = step / steps;
    cells[rowOf(ay + part * (by - ay)) * COLUMNS + columnOf(ax + part * (bx - ax))] = 1;
  }
}

function rowOf(latitude: number): number {
  return Math.max(0, Math.min(ROWS - 1, Math.floor((latitude + 90) * PER_DEGREE)));
}

function columnOf(longitude: number): number {
  return ((Math.floor((longitude + 180) * PER_DEGREE) % COLUMNS) + COLUMNS) % COLUMNS;
}

function share(touched: Map<string, Uint8Array>): void {
  const add = (code: string, cells: Uint8Array, isWithin: (row: number, column: number) => boolean) => {
    const own = touched.get(code);
    for (let cell = 0; own && cell < cells.length; cell++) {
      if (cells[cell] && isWithin(Math.floor(cell / COLUMNS), cell % COLUMNS)) own[cell] = 1;
    }
  };
  const before = new Map([...touched].map(([code, cells]) => [code, cells.slice()]));
  for (const [code, territories] of Object.entries(TERRITORIES)) {
    for (const territory of territories) add(code, before.get(territory) ?? new Uint8Array(0), () => true);
  }
  for (const { box, by } of CLAIMED) {
    const [south, west, north, east] = box;
    const isWithin = (row: number, column: number) =>
      row >= rowOf(south) && row < rowOf(north) && column >= columnOf(west) && column < columnOf(east);
    for (const code of by)
      for (const other of by) add(code, before.get(other) ?? new Uint8Array(0), isWithin);
  }
}

/** The cells with all around them; where meridians come together, more of them to the east and the west. */
function widened(cells: Uint8Array): Uint8Array {
  const result = new Uint8Array(cells.length);
  for (let row = 0; row < ROWS; row++) {
    const nearest = Math.min(Math.abs(row / PER_DEGREE - 90), Math.abs((row + 1) / PER_DEGREE - 90), 80);
    const reach = Math.min(8, Math.ceil(1 / Math.cos((nearest * Math.PI) / 180)));
    for (let column = 0; column < COLUMNS; column++) {
      if (!cells[row * COLUMNS + column]) continue;
      for (const near of [row - 1, row, row + 1]) {
        if (near < 0 || near >= ROWS) continue;
        for (let step = -reach; step <= reach; step++) {
          result[near * COLUMNS + ((column + step + COLUMNS) % COLUMNS)] = 1;
        }
      }
    }
  }
  return result;
}

/** Runs of cells as text: rows by their distance from the one before, then runs as gap and length, in base 36. */
function encoded(cells: Uint8Array): string {
  const rows: string[] = [];
  let before = 0;
  for (let row = 0; row < ROWS; row++) {
    const runs: string[] = [];
    let end = 0;
    for (let column = 0; column < COLUMNS; column++) {
      if (!cells[row * COLUMNS + column]) continue;
      let last = column;
      while (last + 1 < COLUMNS && cells[row * COLUMNS + last + 1]) last++;
      runs.push(`${(column - end).toString(36)} ${(last + 1 - column).toString(36)}`);
      end = last + 1;
      column = last;
    }
    if (runs.length === 0) continue;
    rows.push(`${(row - before).toString(36)} ${runs.join(' ')}`);
    before = row;
  }
  return rows.join(',');
}

/** The whole table, as it is committed. */
function countryCellsText(): string {
  const entries = [...countryCells()].map(([code, cells]) => [code, encoded(cells)]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

if (isMain(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL(`../${TABLE}`, import.meta.url)), countryCellsText());
  console.log(`wrote ${TABLE}`);
}
