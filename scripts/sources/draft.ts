import type { PropertyFile } from '../../src/editing/property-text.ts';
import type { Facility } from '../facilities.ts';
import type { Strictness } from '../policies.ts';

/** Where properties come from: a folder of the data each. */
export type SourceName = 'ireland' | 'madrid' | 'airbnb';

/** Fields as they are authored. */
type Authored = Pick<
  PropertyFile,
  'title' | 'phone' | 'zip_code' | 'city' | 'state' | 'address' | 'country' | 'latitude' | 'longitude'
>;

/** What a source says of one property, cleaned. A phone number is E.164, and absent when none can be published. */
export interface Draft extends Authored {
  source: SourceName;
  /** Identifies the row within the source, for ever: the property's id is made of it. */
  row: string;
  /** The sample of the source that the row belongs to, such as a county or a city. */
  sample: string;
  /** One line for the top of the file: origin, date, licence. */
  credit: string;
  facilities: Facility[];
  strictness?: Strictness;
  /** Whether the row is good enough for the shipped catalogue: nothing in it was guessed, repaired or personal. */
  exemplary: boolean;
}

/** A property, or why the row cannot be one. */
export type Conversion = Draft | { rejected: string };

/** Why a row without a usable name, place on the map or country is left out; undefined when it has them. */
export function reasonToReject(row: {
  title: string;
  latitude: string;
  longitude: string;
}): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(row.title)) return 'title without a letter or digit';
  const { latitude, longitude } = row;
  if (!isCoordinate(latitude, 90) || !isCoordinate(longitude, 180)) return 'no usable coordinates';
  return undefined;
}

function isCoordinate(text: string, limit: number): boolean {
  return /^-?(?:0|[1-9]\d{0,2})(?:\.\d{1,30})?$/.test(text) && Math.abs(Number(text)) <= limit;
}
