/** Inside Airbnb's extracts of listings, 2015 to 2025. The links to photos are not taken over. */
import { join } from 'node:path';
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { foldedName } from '../cities.ts';
import type { Strictness } from '../policies.ts';
import { createAirbnbFacilities } from './airbnb-facilities.ts';
import type { AirbnbRow } from './airbnb-row.ts';
import { airbnbSamples } from './airbnb-samples.ts';
import { cleanText } from './clean-text.ts';
import { type Conversion, reasonToReject } from './draft.ts';
import { readRows } from './rows.ts';

const STRICTNESS: Readonly<Record<string, Strictness>> = {
  flexible: 'flexible',
  moderate: 'moderate',
  strict: 'strict',
  strict_14_with_grace_period: 'strict',
  super_strict_30: 'strict',
  super_strict_60: 'strict',
};

/** Titles that shout, sell, squeeze or name a person: left out of the shipped catalogue. */
const UNFIT_TITLE = /[!*|~#@+=´★⭐❤♥✩✪✦•_]|\d{3}|\b[Hh]osts?\b|['’]s\b|\.\.| \.|\b[Ll]uxur|…$|\p{Ll}\p{Lu}/u;
const SHOUTING = /\p{Lu}{5}/u;

/** All rows of the source, in its order. */
export function readAirbnb(data: string): Conversion[] {
  const samples = airbnbSamples();
  const airbnbFacilities = createAirbnbFacilities();
  return readRows<AirbnbRow>(join(data, 'airbnb', 'airbnb-mixed.ndjson.gz')).map((row): Conversion => {
    const name = row.source.replace(/^.*\//, '');
    const sample = samples.get(name);
    if (sample === undefined) return { rejected: `unknown sample ${name}` };
    const title = cleanText(row.title);
    const rejected = reasonToReject({ ...row, title });
    if (rejected !== undefined) return { rejected };
    const place = sample.place(row);
    const zipCode = postalCode(row.zip_code, place.country);
    const strictness = STRICTNESS[row.cancellation_policy ?? ''];
    return {
      source: 'airbnb',
      row: `${name}/${row.id}`,
      sample: name,
      credit: `Source: Inside Airbnb, ${sample.credit}`,
      title,
      ...(zipCode !== undefined && { zip_code: zipCode }),
      city: place.city,
      state: place.state,
      ...(foldedName(place.address) !== foldedName(place.city) && { address: place.address }),
      country: place.country,
      latitude: row.latitude,
      longitude: row.longitude,
      facilities: airbnbFacilities(row.facilities),
      ...(strictness !== undefined && { strictness }),
      exemplary:
        place.certain &&
        /\p{L}{2}/u.test(title) &&
        title.length <= 60 &&
        !UNFIT_TITLE.test(title) &&
        !SHOUTING.test(title),
    };
  });
}

/** The code in its country's usual form, or nothing when it does not fit it. */
function postalCode(raw: string | undefined, country: string): string | undefined {
  if (raw === undefined || !postcodeValidatorExistsForCountry(country)) return undefined;
  const greek = /^(\d{3})\D?(\d{2})$/.exec(cleanText(raw));
  const code = country === 'GR' && greek ? `${greek[1]} ${greek[2]}` : cleanText(raw);
  return postcodeValidator(code, country) ? code : undefined;
}
