/** Fáilte Ireland's open data of accommodation, 2021. */
import { join } from 'node:path';
import parsePhoneNumber from 'libphonenumber-js/max';
import { type Facility, inVocabularyOrder } from '../facilities.ts';
import { cleanText } from './clean-text.ts';
import { type Conversion, reasonToReject } from './draft.ts';
import { createNearestCity } from './nearest-city.ts';
import { readRows } from './rows.ts';

interface IrelandRow {
  row: number;
  title: string;
  phone?: string;
  longitude: string;
  latitude: string;
  /** The county. */
  state: string;
  /** Town, village, suburb or, now and then, road. */
  city?: string;
  tags: string[];
}

const CREDIT = 'Source: Fáilte Ireland open data 2021, CC BY 4.0';

/** Localities of the source under the name of the town that they mean. */
const TOWNS: Readonly<Record<string, string>> = {
  'Achill Island -Acaill': 'Achill Island',
  'Carrick On Shannon': 'Carrick-on-Shannon',
  'Glen Of Aherlow': 'Glen of Aherlow',
  'Dublin City Centre': 'Dublin',
  'Eyre Square': 'Galway',
  'Headford Road': 'Galway',
  'Inisheer - Inis Oírr (Aran Islands)': 'Inisheer',
  'Inishmore - Árainn (Aran Islands)': 'Inishmore',
  'Killarney Outer Area North': 'Killarney',
  'Killarney Town Area North': 'Killarney',
  'Limerick City Centre': 'Limerick',
  'Navan Road': 'Dublin',
  'Tory Island - Toraigh': 'Tory Island',
  'Western Road': 'Cork',
};

/** What each tag says about what a guest finds; the others are programmes and prizes. */
const TAGS: Readonly<Record<string, Facility>> = {
  'B&B': 'breakfast',
  'B&Bs': 'breakfast',
  'B&B Ireland': 'breakfast',
  'Self Catering Accommodation': 'kitchen',
  'Historic House': 'historic_building',
  Camping: 'camping_pitches',
  Glamping: 'glamping_tents',
  'Activity Holiday Accommodation': 'outdoor_activities',
};

/** All rows of the source, in its order. */
export function readIreland(data: string): Conversion[] {
  const rows = readRows<IrelandRow>(join(data, 'ireland', 'failte-ireland.ndjson'));
  const nearestCity = createNearestCity(['IE']);
  return rows.map((row): Conversion => {
    const title = cleanText(row.title);
    const rejected = reasonToReject({ ...row, title });
    if (rejected !== undefined) return { rejected };
    const town = townName(row.city);
    const nearest = nearestCity('IE', Number(row.latitude), Number(row.longitude));
    const phone = irishPhone(row.phone);
    return {
      source: 'ireland',
      row: String(row.row),
      sample: row.state,
      credit: CREDIT,
      title,
      ...(phone !== undefined && { phone: phone.number }),
      city: town ?? nearest.name,
      state: cleanText(row.state),
      country: 'IE',
      latitude: row.latitude,
      longitude: row.longitude,
      facilities: inVocabularyOrder(row.tags.flatMap((tag) => TAGS[tag] ?? [])),
      exemplary:
        (town !== undefined || nearest.kilometres < 1) && phone?.landline === true && /\p{L}{3}/u.test(title),
    };
  });
}

function townName(raw: string | undefined): string | undefined {
  const name = cleanText(raw);
  if (name === '' || name === 'Airport Road') return undefined;
  return TOWNS[name] ?? name.replace(/ (?:City|Town)$/, '');
}

/** Numbers such as `+353(0)1234567`, or `353670000000` where a spreadsheet has rounded the end away. */
function irishPhone(raw = ''): { number: string; landline: boolean } | undefined {
  const digits = raw.replace(/\(0\)/, '').replace(/[^\d+]/g, '');
  if (/0{5}$/.test(digits)) return undefined;
  const parsed = parsePhoneNumber(/^353\d/.test(digits) ? `+${digits}` : digits, 'IE');
  if (!parsed?.isValid()) return undefined;
  return { number: parsed.number, landline: parsed.country === 'IE' && parsed.getType() === 'FIXED_LINE' };
}
