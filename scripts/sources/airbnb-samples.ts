/** The samples of Inside Airbnb: where each is, and how its rows name their city. */
import type { AirbnbRow } from './airbnb-row.ts';
import { cleanText } from './clean-text.ts';
import { createNearestCity, type NearbyCity } from './nearest-city.ts';

/** Where a listing is. */
export interface Place {
  city: string;
  state: string;
  /** Street or part of the city; the city itself when nothing closer is known. */
  address: string;
  country: string;
  /** Whether the city is the source's own word, or within walking distance. */
  certain: boolean;
}

/** One sample. */
export interface AirbnbSample {
  /** Region, day and licence. */
  credit: string;
  place(row: AirbnbRow): Place;
}

type NearestCity = (row: AirbnbRow) => NearbyCity;

/** Farther than this from its next city a listing counts as uncertain, in kilometres. */
const WALKING_DISTANCE = 4;

/** Listings of this area of Hong Kong's sample lie across the border. */
const SHENZHEN = /guangdong, china$/i;

/** Districts of Hong Kong that listings name precisely. */
const HONG_KONG_PLACES: ReadonlySet<string> = new Set([
  '佐敦',
  '尖沙咀',
  '旺角',
  '油麻地',
  'Central',
  'Happy Valley',
  'Jordan',
  'Kwai Chung',
  'Mong Kok',
  'North Point',
  'Pokfulam',
  'Sheung Wan',
  'Stanley',
  'Tsim Sha Tsui',
  'Wan Chai',
  'Yau Ma Tei',
]);

/** Municipalities of Tasmania that are a town of the same name with its suburbs. */
const TASMANIAN_TOWNS: ReadonlySet<string> = new Set([
  'Burnie',
  'Devonport',
  'Glenorchy',
  'Hobart',
  'Launceston',
]);

/** Rural parts of Ottawa, where villages go by their own names. */
const RURAL_OTTAWA: ReadonlySet<string> = new Set([
  'Cumberland',
  'Osgoode',
  'Rideau-Goulbourn',
  'West Carleton-March',
]);
const OTTAWA_VILLAGES: ReadonlySet<string> = new Set(['Constance Bay', 'Metcalfe', 'Osgoode', 'Richmond']);

/** The samples by name. */
export function airbnbSamples(): ReadonlyMap<string, AirbnbSample> {
  const nearest = createNearestCity(['AU', 'CA', 'GB', 'IE']);
  const nearestIn =
    (country: string): NearestCity =>
    (row) =>
      nearest(country, Number(row.latitude), Number(row.longitude));
  const antwerp = ['Antwerpen', 'Antwerp'] as const;
  return new Map<string, AirbnbSample>([
    ['antwerp-2019', wholeCity('Antwerp, 2019-09-25, CC0 1.0', 'BE', 'Vlaanderen', antwerp)],
    ['antwerp-2024', wholeCity('Antwerp, 2024-06-29, CC BY 4.0', 'BE', 'Vlaanderen', antwerp)],
    [
      'athens-2015',
      wholeCity('Athens, 2015-07-18, CC0 1.0', 'GR', 'Αττική', ['Αθήνα', 'Athens', 'Athina', 'Athina/ Gazi']),
    ],
    ['dublin-2025', { credit: 'Dublin, 2025-09-16, CC BY 4.0', place: dublin(nearestIn('IE')) }],
    ['edinburgh-2024', { credit: 'Edinburgh, 2024-09-13, CC BY 4.0', place: edinburgh(nearestIn('GB')) }],
    ['hongkong-2021', { credit: 'Hong Kong, 2021-07-14, CC0 1.0', place: hongKong }],
    [
      'menorca-2025',
      municipality(
        'Menorca, 2025-09-30, CC BY 4.0',
        'ES',
        'Illes Balears',
        /^(?:Illes|Islas|Balearic|Menorca|Minorca|Spain)/i,
      ),
    ],
    ['munich-2024', wholeCity('Munich, 2024-12-27, CC BY 4.0', 'DE', 'Bayern', ['München'])],
    ['ottawa-2024', { credit: 'Ottawa, 2024-09-15, CC BY 4.0', place: ottawa(nearestIn('CA')) }],
    ['stockholm-2024', wholeCity('Stockholm, 2024-12-30, CC BY 4.0', 'SE', 'Stockholms län', ['Stockholm'])],
    ['tasmania-2024', { credit: 'Tasmania, 2024-09-05, CC BY 4.0', place: tasmania(nearestIn('AU')) }],
    ['vancouver-2020', wholeCity('Vancouver, 2020-10-17, CC0 1.0', 'CA', 'British Columbia', ['Vancouver'])],
    ['vaud-2024', municipality('Vaud, 2024-08-26, CC BY 4.0', 'CH', 'Vaud', /./)],
    [
      'washington-2015',
      wholeCity('Washington, D.C., 2015-10-03, CC0 1.0', 'US', 'District of Columbia', [
        'Washington',
        'Washington, D.C.',
      ]),
    ],
  ]);
}

/** A sample of a single city; the first of its names is published, whatever the rows say. */
function wholeCity(
  credit: string,
  country: string,
  state: string,
  cityNames: readonly [string, ...string[]],
): AirbnbSample {
  return {
    credit,
    place: (row) => ({
      city: cityNames[0],
      state,
      address: streetOf(row, cityNames) ?? cleanText(row.neighbourhood),
      country,
      certain: true,
    }),
  };
}

/** The street, which the samples of 2015 and 2019 give first, before city, region and country. */
function streetOf(row: AirbnbRow, cityNames: readonly string[]): string | undefined {
  const parts = cleanText(row.street).split(', ');
  const street = parts[0] ?? '';
  const cities = [row.city, ...cityNames].map((city) => cleanText(city).toLowerCase());
  if (parts.length < 4 || cities.includes(street.toLowerCase()) || /\d/.test(street)) return undefined;
  return street;
}

/** The first part of what a listing calls its area. */
function areaOf(row: AirbnbRow): string {
  return cleanText(row.host_area).split(/\s*,\s*/)[0] ?? '';
}

/** A sample whose neighbourhoods are municipalities, some with their canton in brackets. */
function municipality(credit: string, country: string, state: string, notPlaces: RegExp): AirbnbSample {
  return {
    credit,
    place: (row) => {
      const city = cleanText(row.neighbourhood).replace(/ \(.*\)$/, '');
      const area = areaOf(row);
      const address = area === '' || notPlaces.test(area) ? city : area;
      return { city, state, address, country, certain: true };
    },
  };
}

function dublin(nearest: NearestCity): AirbnbSample['place'] {
  return (row) => {
    const area = areaOf(row);
    const postalDistrict = /^Dublin \d+/.test(area);
    const inCity = row.neighbourhood === 'Dublin City';
    const city = inCity || /^Dublin\b/i.test(area) ? 'Dublin' : nearest(row).name;
    // The sample has lost the letter ú.
    const council = row.neighbourhood.replace(/^Dn /, 'Dún ');
    return {
      city,
      state: 'Dublin',
      address: postalDistrict ? area : inCity ? city : council,
      country: 'IE',
      certain: inCity ? postalDistrict : city === area,
    };
  };
}

function edinburgh(nearest: NearestCity): AirbnbSample['place'] {
  return (row) => {
    const { name, kilometres } = nearest(row);
    const village = row.neighbourhood.startsWith(name) && kilometres < WALKING_DISTANCE;
    return {
      city: village ? name : 'Edinburgh',
      state: 'Scotland',
      address: cleanText(row.neighbourhood),
      country: 'GB',
      certain: true,
    };
  };
}

function ottawa(nearest: NearestCity): AirbnbSample['place'] {
  return (row) => {
    const { name, kilometres } = nearest(row);
    const village = RURAL_OTTAWA.has(row.neighbourhood) && OTTAWA_VILLAGES.has(name);
    return {
      city: village ? name : 'Ottawa',
      state: 'Ontario',
      address: cleanText(row.neighbourhood),
      country: 'CA',
      certain: !village || kilometres < WALKING_DISTANCE,
    };
  };
}

function tasmania(nearest: NearestCity): AirbnbSample['place'] {
  return (row) => {
    const council = cleanText(row.neighbourhood);
    const town = TASMANIAN_TOWNS.has(council);
    const { name, kilometres } = nearest(row);
    return {
      city: town ? council : name,
      state: 'Tasmania',
      address: council,
      country: 'AU',
      certain: town || kilometres < WALKING_DISTANCE,
    };
  };
}

function hongKong(row: AirbnbRow): Place {
  const area = areaOf(row);
  const district = cleanText(row.neighbourhood);
  if (SHENZHEN.test(cleanText(row.host_area))) {
    return { city: area, state: 'Guangdong', address: area, country: 'CN', certain: false };
  }
  const certain = area !== '' && !['North', 'Tuen Mun', 'Yuen Long'].includes(district);
  const city = HONG_KONG_PLACES.has(area) ? area : 'Hong Kong';
  return { city, state: district, address: city, country: 'HK', certain };
}
