/** The register of accommodation of the city of Madrid, 2021-11-18. Its e-mails and phones are not taken over. */
import { join } from 'node:path';
import { postcodeValidator } from 'postcode-validator';
import { type Facility, inVocabularyOrder } from '../facilities.ts';
import { cleanText } from './clean-text.ts';
import { type Conversion, reasonToReject } from './draft.ts';
import { readRows } from './rows.ts';

interface MadridRow {
  id: string;
  title: string;
  address: string;
  zip_code: string;
  /** Given for a few rows only. */
  city?: string;
  /** The province, or for some rows outside the city the municipality. */
  state: string;
  latitude: string;
  longitude: string;
  description_html?: string;
}

const CREDIT = 'Source: Ayuntamiento de Madrid / Madrid Destino, 2021-11-18';
const PROVINCE = 'Madrid';

/** Words of a description that name a facility without a doubt. */
const WORDS: readonly [Facility, RegExp][] = [
  ['wifi', /\bwi-?fi\b/i],
  ['restaurant', /\b(?:cuenta con|dispone de|ofrece|tiene|con)\b[^.]{0,60}\brestaurantes?\b/i],
  ['bar', /\b(?:cafetería|bar de cócteles|sky bar)\b/i],
  ['paid_parking', /\b(?:parking|aparcamiento|garaje) (?:propio|privado|vigilado)\b/i],
  ['reception_24h', /\brecepción (?:las |de )?24 horas\b/i],
  ['air_conditioning', /\baire acondicionado\b/i],
  ['heating', /\bcalefacción\b/i],
  ['tv', /\b(?:televisión|televisor|tv)\b/i],
  ['meeting_rooms', /\bsal(?:as|ones) (?:de|para) (?:reuniones|eventos|convenciones|banquetes)\b/i],
  ['hair_dryer', /\bsecador\b/i],
  ['safe', /\bcaja fuerte\b/i],
  ['terrace', /\bterraza\b/i],
  ['swimming_pool', /\bpiscina\b/i],
  ['sauna', /\bsauna\b/i],
  ['spa', /\bspa\b/i],
  ['gym', /\bgimnasio\b/i],
];

/** All rows of the source, in its order. */
export function readMadrid(data: string): Conversion[] {
  return readRows<MadridRow>(join(data, 'madrid', 'esmadrid-es.ndjson')).map((row): Conversion => {
    const title = cleanText(row.title);
    const rejected = reasonToReject({ ...row, title });
    if (rejected !== undefined) return { rejected };
    const zipCode = cleanText(row.zip_code);
    const address = streetAddress(row.address);
    const state = cleanText(row.state);
    const description = cleanText(row.description_html?.replace(/<[^>]*>/g, ' '));
    return {
      source: 'madrid',
      row: row.id,
      sample: 'Madrid',
      credit: CREDIT,
      title,
      ...(postcodeValidator(zipCode, 'ES') && { zip_code: zipCode }),
      city: cleanText(row.city) || state || PROVINCE,
      state: PROVINCE,
      ...(address !== '' && { address }),
      country: 'ES',
      latitude: row.latitude,
      longitude: row.longitude,
      facilities: inVocabularyOrder(WORDS.filter(([, word]) => word.test(description)).map(([name]) => name)),
      exemplary: address === cleanText(row.address) && /^\p{Lu}[\p{L}\s.'’]+, \d+$/u.test(address),
    };
  });
}

/** Some addresses repeat the postal code, the city and the country, and one a phone number. */
function streetAddress(raw: string): string {
  return cleanText(raw)
    .replace(/[\s.,·-]*\btel\b.*$/i, '')
    .replace(/\(?\b28\d{3}\b\)?/g, ' ')
    .replace(/(?:[\s.,·()-]|\b(?:madrid|españa|spain)\b)+$/i, '')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim();
}
