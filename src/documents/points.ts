/** `_catalogue/points/<country>.json`: where the properties of a country are (`contract/points.ts`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pointsKey } from '../contract/document-keys.ts';
import type { Points } from '../contract/downloads.ts';
import { propertyKey } from '../contract/keys.ts';
import { type Coordinates, openPoints, toCoordinates, UNITS_PER_DEGREE } from '../contract/points.ts';
import type { Property } from '../contract/property.ts';
import { digestOf } from '../release/digest.ts';
import type { JoinedSummaries } from '../release/sequence.ts';
import type { CountryRun } from './countries.ts';

/** Properties in one piece of a column; a multiple of three, so that base64 has no padding within. */
const PIECE = 3 * 1024;

/**
 * The file of a country.
 *
 * @param coordinatesAt where the property with an index of the sequence is.
 */
export function pointsBytes(
  { country, cities, start, end }: CountryRun,
  summaries: JoinedSummaries,
  coordinatesAt: (index: number) => Coordinates,
): Buffer {
  const pieces = [`{"country":"${country}","cities":${JSON.stringify(cities)}`].map((text) =>
    Buffer.from(text),
  );
  const column = (head: string, piece: (from: number, to: number) => string | Buffer, separator: string) => {
    pieces.push(Buffer.from(head));
    for (let from = start; from < end; from += PIECE) {
      if (from > start) pieces.push(Buffer.from(separator));
      pieces.push(Buffer.from(piece(from, Math.min(from + PIECE, end))));
    }
  };
  for (const [axis, name] of ['latitudes', 'longitudes'].entries()) {
    let before = 0;
    const differences = (from: number, to: number) => {
      const values: number[] = [];
      for (let index = from; index < to; index++) {
        const units = coordinatesAt(index)[axis]!;
        values.push(units - before);
        before = units;
      }
      return values.join(',');
    };
    column(`${axis === 0 ? '' : ']'},"${name}":[`, differences, ',');
  }
  const texts = summaryTexts(summaries);
  column('],"ids":"', (from, to) => texts.ids(from, to).toString('base64'), '');
  column('","titles":[', texts.titles, ',');
  pieces.push(Buffer.from(']}'));
  return Buffer.concat(pieces);
}

/** What a summary starts with: `{"id":"...","title":`. */
const ID = { start: '{"id":"'.length, end: '{"id":"'.length + 36 };
const TITLE = ID.end + '","title":'.length;
/** What follows a title. An unescaped quotation mark before it is not part of the title. */
const AFTER_TITLE = Buffer.from('","city":"');

/** Ids and titles as summaries have them. */
function summaryTexts({ bytes, offsets }: JoinedSummaries) {
  const joined = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    ids(from: number, to: number): Buffer {
      let digits = '';
      for (let index = from; index < to; index++) {
        const offset = offsets[index]!;
        digits += joined.toString('latin1', offset + ID.start, offset + ID.end);
      }
      return Buffer.from(digits.replaceAll('-', ''), 'hex');
    },
    /** JSON strings, joined by commas. */
    titles(from: number, to: number): Buffer {
      const parts: Buffer[] = [];
      for (let index = from; index < to; index++) {
        const first = offsets[index]! + TITLE;
        if (index > from) parts.push(COMMA);
        parts.push(joined.subarray(first, joined.indexOf(AFTER_TITLE, first) + 1));
      }
      return Buffer.concat(parts);
    },
  };
}

const COMMA = Buffer.from(',');

/**
 * Where published properties of a country are, by id: as its points file says if that is whole, and otherwise as their
 * details say.
 *
 * @param digest the digest that the file must have; undefined when that is not known.
 */
export function publishedCoordinates(
  root: string,
  country: string,
  digest?: string | undefined,
): (id: string) => Coordinates {
  let known: Map<string, Coordinates> | undefined;
  return (id) => {
    known ??= readCoordinates(join(root, pointsKey(country)), digest);
    const coordinates = known.get(id) ?? coordinatesOf(readFileSync(join(root, propertyKey(id))));
    known.set(id, coordinates);
    return coordinates;
  };
}

/** Where a property is, as its detail says. */
export function coordinatesOf(detail: Uint8Array): Coordinates {
  const { latitude, longitude } = JSON.parse(new TextDecoder().decode(detail)) as Property;
  return toCoordinates(latitude, longitude);
}

function readCoordinates(path: string, digest: string | undefined): Map<string, Coordinates> {
  const found = new Map<string, Coordinates>();
  try {
    const bytes = readFileSync(path);
    if (digest !== undefined && digestOf(bytes) !== digest) return found;
    const { titles, latitudes, longitudes, idAt } = openPoints(JSON.parse(bytes.toString('utf8')) as Points);
    for (const index of titles.keys())
      found.set(idAt(index), [inUnits(latitudes[index]!), inUnits(longitudes[index]!)]);
  } catch {
    // A file that is not there, or damaged, says nothing.
  }
  return found;
}

function inUnits(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE);
}
