/** Columns are recognised by name in eight languages, and by value. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vocabularyFrom } from '../../../src/contract/vocabulary.ts';
import { proposeMapping } from '../../../src/import/mapping/propose.ts';
import { profileRows } from '../../../src/import/table/profile.ts';
import { openRows } from '../../../src/import/table/row-source.ts';
import {
  columnMeaning,
  facilityOfColumn,
  guessDeclaredField,
  privateColumnReason,
} from '../../../src/import/words/column-names.ts';
import { parseCoordinatePair, privateValueReason } from '../../../src/import/words/column-values.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { declared } from '../../support/terms.ts';

async function proposed(text: string, name = 'table.csv', fields = declared({}).fields) {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  const table = await openRows(path, {});
  return proposeMapping(await profileRows(table), { name, facilities: vocabularyFrom().facilities, fields });
}

const all = (field: string, ...names: string[]) => names.map((name): [string, string] => [name, field]);

const KNOWN = declared({
  fields: {
    ...{
      price_from: {},
      check_in_from: {},
      check_in_until: {},
      check_out_until: {},
      website: {},
      booking_url: {},
    },
    ...{ description: {}, summary: {}, registration_number: {}, floor_area: {}, max_guests: {} },
  },
}).fields;

describe('a column by a name of several parts', () => {
  it.each([
    ...all(
      'price_from',
      'Prezzo a notte da',
      'prijs v.a. p.n.',
      'Preis p.N. ab',
      'ab Preis/Nacht',
      'Price from (EUR)',
    ),
    ...all(
      'price_from',
      'Price p.n. from',
      'Nightly rate from',
      'Prix/nuit à partir de',
      'à p. de prix nuitée',
    ),
    ...all(
      'price_from',
      'Precio por noche desde',
      'Desde (precio/noche)',
      'Tariffa minima a notte',
      'Da prezzo notte',
    ),
    ...all(
      'price_from',
      'Preço por noite a partir de',
      'Preço/noite desde',
      'Cena od za noc',
      'Cena za dobę od (PLN)',
    ),
    ...all(
      'check_in_from',
      'inchecken vanaf',
      'Aankomst na',
      'Anreise frühestens',
      'check-in dalle ore',
      'Llegada desde las',
    ),
    ...all(
      'check_in_until',
      'Check-in fino alle ore',
      'Anreise spätestens',
      'Latest arrival',
      'przyjazd do godz.',
    ),
    ...all(
      'check_out_until',
      'uitchecken voor',
      'Vertrek uiterlijk',
      'Abreise vor',
      'Check-out before',
      'Check out by',
    ),
    ...all(
      'check_out_until',
      'Départ au plus tard',
      'Salida antes de las',
      'Partenza entro le',
      'Saída antes das',
    ),
    ...all('check_out_until', 'Wymeldowanie przed'),
    ...all('website', 'Website (info)', 'Homepage Büro', 'Sito informazioni'),
    ...all('booking_url', 'Website reservering', 'Sito prenotazioni', 'Link Buchung', 'Buchungs-Website'),
    ...all(
      'registration_number',
      'CIN',
      'CIR',
      'CIN/CIR',
      'Registrierungsnr.',
      'Número de registro',
      'N° enregistrement',
    ),
    ...all(
      'registration_number',
      'Licence',
      'Nr licencji',
      'Vergunningsnummer',
      'Registo AL',
      'N.º AL',
      'VFT',
    ),
    ...all('registration_number', 'Registriernummer', 'N.º de registo', 'Nr AL', 'Nº VFT'),
    ...all('max_guests', 'Lotação', 'Lotação máxima', 'Kapazität', 'max. Belegung', 'Capacité d’accueil'),
    ...all(
      'max_guests',
      'Aforo',
      'Ocupación máxima',
      'Capacità',
      'Ricettività',
      'Max. bezetting',
      'Nb pers.',
    ),
    ...all('max_guests', 'Pojemność', 'Maks. liczba osób', 'Max. occupancy', 'Guest capacity'),
  ])('%s is %s', (name, field) => expect(guessDeclaredField(name, KNOWN)?.field).toBe(field));

  it.each([
    ...[
      'Prezzo a settimana da',
      'prijs p.p.p.n.',
      'Preis pro Woche ab',
      'Price per person per night',
      'Endreinigung Preis',
    ],
    ...['inchecken voor kinderen', 'Check-out from', 'Anreise Parkplatz', 'da notte', 'Site area'],
  ])('%s is none of them', (name) => expect(guessDeclaredField(name, KNOWN)).toBeUndefined());

  it.each([
    ...all(
      'email',
      'Email prenotazioni',
      'E-Mail für Buchungen',
      'Buchungs-E-Mail',
      'Courriel réservation',
      'Correo reservas',
    ),
    ...all(
      'email',
      'E-mail voor boekingen',
      'Reserverings-mail',
      'Email de reservas',
      'E-mail do rezerwacji',
      'Info Mail',
    ),
    ...all(
      'phone',
      'Telefon Buchung',
      'Telefono per prenotazioni',
      'Booking phone',
      'Téléphone réservations',
      'Tel. biuro',
    ),
    ...all('phone', 'Guest phone', 'Phone for guests', 'Telefon für Gäste', 'Gäste-Telefon'),
    ...all('phone', 'Téléphone clients', 'Teléfono para huéspedes', 'Telefono per gli ospiti'),
    ...all('phone', 'Telefoon gasten', 'Telefone hóspedes', 'Telefon dla gości'),
  ])('%s is %s', (name, meaning) => {
    expect(columnMeaning(name)?.meaning).toBe(meaning);
    expect(privateColumnReason(name)).toBeUndefined();
  });

  it.each([
    ...[
      'Email prenotazioni proprietario',
      'E-Mail privat',
      'Email privata',
      'Courriel privé',
      'Privé e-mail',
    ],
    ...['Owner booking email', 'Buchung Telefon Eigentümer', 'Prywatny e-mail', 'E-mail privado'],
    ...['Guest name', 'Host mobile', 'Owner phone', 'Portable propriétaire', 'Telemóvel do proprietário'],
  ])('%s is private', (name) => expect(privateColumnReason(name)).toBe('a person'));
});

it.each([
  ['Arrivée', ['3pm', '15:00', '16h'], { check_in_from: 'Arrivée' }],
  ['Anreise', ['from 16:00', 'ab 15 Uhr', 'a partir das 16h'], { check_in_from: 'Anreise' }],
  ['Partenza', ['10:00', '11h', 'entro le 11'], { check_out_until: 'Partenza' }],
  ['Arrivée', ['15:00 - 22:00', '16h-20h', 'ring the bell'], { check_in_from: undefined }],
])('a column %s with %j is a time if its cells are', async (name, cells, expected) => {
  const rows = cells.map((cell, n) => `${n},House ${n},${cell}\n`).join('');
  const mapping = await proposed(`id,name,${name}\n${rows}`, 'table.csv', KNOWN);
  expect({ ...mapping, check_in_from: mapping.check_in_from }).toMatchObject(expected);
  expect(mapping.hotel_policy === undefined).toBe(!cells.includes('ring the bell'));
});

it.each([
  ['omschrijving_nl', 'omschrijving_en'],
  ['Beschreibung DE', 'Beschreibung EN'],
  ['description (fr)', 'description (en)'],
  ['Descripción español', 'Descripción inglés'],
  ['descrizione-it', 'descrizione-en'],
  ['Descrição PT', 'Descrição EN'],
  ['opis_pl', 'opis_en'],
  ['Descriptif français', 'Descriptif anglais'],
  ['Descripción', 'Descripción inglés'],
  ['Descrizione', 'Descrizione inglese'],
  ['Descrição', 'Descrição inglês'],
  ['Omschrijving', 'Omschrijving Engels'],
  ['Beschreibung', 'Beschreibung Englisch'],
])(
  'the first of %s and %s is the description, if the catalogue declares no languages',
  async (first, other) => {
    const table = `id,name_en,${first},${other}\n1,Rose,a b,c d\n2,Lime,e f,g h\n`;
    expect(await proposed(table, 'table.csv', KNOWN)).toMatchObject({ title: 'name_en', description: first });
  },
);

describe('a column of floors and doors', () => {
  const addressOf = async (name: string, ...cells: string[]) => {
    const rows = cells.map((cell, n) => `${n},House ${n},Main,${n},${cell}`);
    return (await proposed(`id,name,street,house number,${name}\n${rows.join('\n')}\n`)).address;
  };

  it.each([
    ['Interno', 'Int. 4', 'Piano 2', '"Scala B, int. 12"', 'Piano terra'],
    ['Piano', 'Piano 2', '3° piano'],
    ['Etage', '2. Etage', '1. OG', 'EG links'],
    ['Étage', '2e étage', 'Bât. B', 'RDC'],
    ['Piso', '3º B', 'Piso 2', 'bajo'],
    ['Andar', '2º andar', '3º Esq.', 'R/C'],
    ['Verdieping', '2e verdieping', 'bus 3', 'begane grond'],
    ['Piętro', 'piętro 2', 'm. 4', 'parter'],
  ])('%s completes the address', async (name, ...cells) =>
    expect(await addressOf(name, ...cells)).toEqual({ from: ['street', 'house number', name] }),
  );

  it.each([
    ['Interno', 'Int. 4', 'chiavi dal vicino'],
    ['Interno', '4711', '4712'],
    ['Piso', '90', '120'],
    ['Etage', '2', '3'],
  ])('%s with %j and %j does not', async (name, ...cells) =>
    expect(await addressOf(name, ...cells)).toEqual({ from: ['street', 'house number'] }),
  );
});

describe('a column by its name', () => {
  it.each(['Size (m²)', 'Wohnfläche (qm)', 'Surface (m²)', 'superficie_m2'])('%s is the floor area', (name) =>
    expect(guessDeclaredField(name, declared({ fields: { floor_area: {} } }).fields)?.field).toBe(
      'floor_area',
    ),
  );

  it.each([
    ['Postleitzahl', 'zip_code'],
    ['Code postal', 'zip_code'],
    ['Código Postal', 'zip_code'],
    ['CAP', 'zip_code'],
    ['kod_pocztowy', 'zip_code'],
    ...all(
      'zip_code',
      'C.P.',
      'C. Postal',
      'Cód. Postal',
      'Cod. postale',
      'Kod poczt.',
      'Postnr.',
      'Post-Nr.',
    ),
    ...all(
      'photo',
      'Weitere Fotos',
      'Autres photos',
      'Altre foto',
      'Más fotos',
      'Otras fotos',
      "Andere foto's",
    ),
    ...all('photo', 'Inne zdjęcia', 'More photos', 'Outras fotografias', 'Fotografia principal'),
    ['address.houseNumber', 'house_number'],
    ['Objekt-Ort', 'city'],
    ['ville', 'city'],
    ['woonplaats', 'city'],
    ['Breitengrad', 'latitude'],
    ['Länge', 'longitude'],
    ['długość geograficzna', 'longitude'],
    ['propertyName', 'title'],
    ['NOMBRE', 'title'],
    ['Nom du bien', 'title'],
    ['Name des Hauses', 'title'],
    ['Nazwa domku', 'title'],
    ['Correo electrónico', 'email'],
    ['numer telefonu', 'phone'],
    ['address.city', 'city'],
    ['Photo 12', 'photo'],
    ['image_3_caption', 'caption'],
    ['Anreise', 'check_in'],
    ['Udogodnienia', 'facilities'],
  ])('%s is %s', (name, meaning) => expect(columnMeaning(name)?.meaning).toBe(meaning));

  it.each([
    ...['Photo Links', 'Photo links', 'Picture Links', 'Image link', 'photos_url', 'Property photo link 2'],
    ...[
      'Bilder-Links',
      'Fotolinks',
      'BildURLs',
      'liens photos',
      'URL images',
      'Enlaces fotos',
      'URL imágenes',
    ],
    ...[
      'Link immagini',
      'collegamenti foto',
      'Foto-urls',
      'afbeelding links',
      'Ligações fotos',
      'link imagens',
    ],
    ...['Linki zdjęć', 'Link do zdjęcia'],
  ])('%s holds photos, separated by commas', async (name) => {
    const links = '"https://a.example/1?w=2, https://a.example/2?w=2"';
    const { photo } = await proposed(`id,name,${name}\n1,Rose,${links}\n2,Lime,${links}\n`);
    expect(photo).toEqual([{ each: name, split: ',', url: '.' }]);
  });

  it.each([
    ['rooms.bed', 'bedrooms'],
    ['house.rooms.bath', 'bathrooms'],
    ['times.in', 'check_in_from'],
    ['stay.times.out', 'check_out_until'],
    ['checkin.to', 'check_in_until'],
    ['price.amount', 'price_from'],
    ['text.en', 'description'],
    ['description.fr', 'description'],
    ['description.id', undefined],
    ['rooms.en', undefined],
  ])('the path %s is the field %s', (path, field) => {
    const known = { bedrooms: {}, bathrooms: {}, check_in_from: {}, check_in_until: {}, check_out_until: {} };
    const { fields } = declared({ fields: { ...known, price_from: {}, description: {} } });
    expect(guessDeclaredField(path, fields)?.field).toBe(field);
  });

  it('the path of a policy is known by its last two parts', () =>
    expect(columnMeaning('stay.times.in')).toEqual({ meaning: 'check_in', certainty: 1 }));

  it('a text in several languages is taken in the first one, unless a plain text exists', async () => {
    const { fields } = declared({ fields: { description: {} } });
    const textOf = async (more: object) => {
      const row = (n: number) => ({
        id: n,
        name: `House ${n}`,
        text: { en: `Quiet ${n}`, fr: `Calme ${n}` },
        ...more,
      });
      return (await proposed(JSON.stringify([row(1), row(2)]), 'table.json', fields)).description;
    };
    expect(await textOf({})).toBe('text.en');
    expect(await textOf({ description: 'By the sea' })).toBe('description');
  });

  it.each(['Links', 'Website link', 'Photo alt link', 'Calendar link', 'Photographer link'])(
    '%s holds no photos',
    (name) => expect(columnMeaning(name)?.meaning).not.toBe('photo'),
  );

  it.each([
    '["https://a.example/1.jpg","https://a.example/2.jpg"]',
    "['https://a.example/1', 'https://a.example/2']",
    '{https://a.example/1.jpg,https://a.example/2.jpg}',
  ])('Photos holds links, not files, in %s', async (cell) => {
    const { photo } = await proposed(`id,name,Photos\n1,Rose,"${cell.replaceAll('"', '""')}"\n2,Lime,[]\n`);
    expect(photo).toEqual([{ each: 'Photos', split: 'json', url: '.' }]);
  });

  it.each([
    ...['código_caja_llaves', 'Chiave cassaforte', 'Schlüsseltresor', 'Boîte à clés', 'Sleutelkluisje'],
    ...['Nr. Schlüssel', 'Skrytka na klucze', 'Cofre de chaves', 'Kod do sejfu', 'Key safe'],
  ])('%s opens a door', (name) => expect(privateColumnReason(name)).toBe('a password or an access code'));

  it.each([
    ...['Proprietà di', 'Propiedad de', 'Propriété de', 'Eigentum von', 'Eigendom van', 'Owned by'],
    ...[
      'Vergunninghouder',
      'Titular de la licencia',
      'Licence holder',
      'Titolare licenza',
      'Posiadacz licencji',
    ],
  ])('%s is a person', (name) => expect(privateColumnReason(name)).toBe('a person'));

  it.each(['Numer dowodu', 'DNI', 'Personalausweis', "Carta d'identità", 'Passport number', 'Paspoort'])(
    '%s is of an identity document',
    (name) => expect(privateColumnReason(name)).toBe('an identity document'),
  );

  it.each(['Nr konta właściciela', 'Nr rekening', 'Nº cuenta'])('%s is a bank account', (name) =>
    expect(privateColumnReason(name)).toBe('a bank account'),
  );

  it.each([
    'Propiedad destacada',
    'Minimalna liczba dni',
    'Proprietà',
    'ID number',
    'Titolo',
    'Safe distance',
    'Réf. interne',
    'Objekt-Nr. intern',
    'Price incl. VAT',
  ])('%s is not private', (name) => expect(privateColumnReason(name)).toBeUndefined());

  it.each([
    ['Ospiti max', 'max_guests'],
    ['Number of guests', 'max_guests'],
    ['max_capaciteit', 'max_guests'],
    ['Ilość osób', 'max_guests'],
    ['Descrizione completa', 'description'],
    ['Descrizione breve', 'summary'],
    ['soort_logies', 'property_type'],
    ['comfortclassificatie', 'stars'],
    ...all(
      'description',
      'Descriptif long',
      'Lange Beschreibung',
      'Descripción detallada',
      'Testo lungo',
      'Lange omschrijving',
      'Descrição longa',
      'Opis pełny',
      'Detailed description',
    ),
    ...all(
      'summary',
      'Descriptif court',
      'Kurze Beschreibung',
      'Descripción breve',
      'Testo breve',
      'Korte omschrijving',
      'Descrição breve',
      'Opis skrócony',
      'Brief description',
    ),
    ...all(
      'max_guests',
      'Nb couchages',
      'Couchages',
      'Anz. Schlafplätze',
      'Nº de plazas',
      'N. ospiti',
      'aantal slaapplaatsen',
      'Nº de hóspedes',
      'liczba miejsc',
      'No. of guests',
    ),
    ...all(
      'bathrooms',
      "Salles d'eau",
      'Anz. Badezimmer',
      'Nº de baños',
      'No. of bathrooms',
      'Nº de casas de banho',
    ),
    ...all(
      'price_from',
      'Prix nuit TTC',
      'Preis/Nacht (inkl. MwSt.)',
      'Precio noche (IVA incl.)',
      'Prezzo a notte IVA inclusa',
      'Prijs per nacht incl. BTW',
      'Preço por noite com IVA',
      'Cena za noc brutto',
      'Price incl. VAT',
    ),
    ['rodzaj', 'property_type'],
  ])('%s is the field %s', (name, field) =>
    expect(guessDeclaredField(name, declared({ fields: { [field]: {} } }).fields)?.field).toBe(field),
  );

  it.each([
    ['Ulica i numer', 'address'],
    ['Straße und Hausnummer', 'address'],
    ['Spese di pulizia', 'cleaning'],
    ['Codice alloggio', 'id'],
    ...all(
      'id',
      'Réf. interne',
      'Objekt-Nr. intern',
      'Código interno',
      'Riferimento interno',
      'Interne referentie',
      'Número interno',
      'kod wewnętrzny',
      'Internal ref',
      'N° interne',
      'Interne Nummer',
    ),
    ['Complément', 'complement'],
    ["Complément d'adresse", 'complement'],
    ['Adresszusatz', 'complement'],
    ['Zusatz', 'complement'],
    ['Address line 2', 'complement'],
  ])('%s is %s too', (name, meaning) => expect(columnMeaning(name)?.meaning).toBe(meaning));

  it.each([
    ['Klimaanlage', 'air_conditioning'],
    ['piscine', 'swimming_pool'],
    ['lavadora', 'washing_machine'],
    ['Máquina de lavar roupa', 'washing_machine'],
    ['Winda', 'lift'],
    ['Parking gratuit', 'parking'],
    ['Borne de recharge', 'ev_charger'],
    ['Ladestation', 'ev_charger'],
  ])('%s is the facility %s', (name, word) => expect(facilityOfColumn(name)).toBe(word));
});

const CINS = Array.from(
  { length: 300 },
  (_, n) => `IT${String(60_000 + n).padStart(6, '0')}C2${7_502_933 + n * 7}`,
);

describe('a value', () => {
  it.each([
    ['51.9, -8.4', '51.9', '-8.4', false],
    ['(51.9; -8.4)', '51.9', '-8.4', false],
    ['51,9 -8,4', '51,9', '-8,4', false],
    ['POINT(-8.4 51.9)', '-8.4', '51.9', true],
    ['SRID=4326;POINT Z (-8.4 51.9 12)', '-8.4', '51.9', true],
    ['{"type":"Point","coordinates":[-8.4,51.9]}', '-8.4', '51.9', true],
    ['51.9;-8.4', '51.9', '-8.4', false],
    ['51,9;-8,4', '51,9', '-8,4', false],
    ['POINT (-8.4, 51.9)', '-8.4', '51.9', true],
    ['51.9° N, 8.4° W', '51.9', '-8.4', false],
    ['51.9N 8.4W', '51.9', '-8.4', false],
    ['lat: 51.9, lng: -8.4', '51.9', '-8.4', false],
    ['{"lat":51.9,"lon":-8.4}', '51.9', '-8.4', false],
    ['geo:51.9,-8.4', '51.9', '-8.4', false],
    ['https://www.google.com/maps?q=51.9,-8.4', '51.9', '-8.4', false],
    ['0101000020E6100000CDCCCCCCCCCC20C03333333333F34940', '-8.4', '51.9', true],
    ['01010000000000000000C02040000000000000F0BF', '8.375', '-1', true],
  ])('%s is a point', (text, first, second, isReversed) =>
    expect(parseCoordinatePair(text)).toEqual({ first, second, isReversed }),
  );

  it.each([
    ...['51,9', '12', '1.2.3', 'From 8 to 10', '2027-04-01', '24/7', 'Flat 4 N, 12 W wing of it'],
    ...['https://houses.example/1', '0101000020E610000000000000000000000000000000000000ff'],
  ])('%s is not a point', (text) => expect(parseCoordinatePair(text)).toBeUndefined());

  it('of an account or a calendar is private by its form', () => {
    expect(['IE29 AIBK 9311 5212 3456 78', 'DE89370400440532013000'].map(privateValueReason)).toEqual([
      'a bank account',
      'a bank account',
    ]);
    // Numbers of Italian licences, of which one in 97 has the check digits of an account.
    expect(CINS.map(privateValueReason)).toEqual(CINS.map(() => undefined));
    expect(privateValueReason('https://cal.example/ical/1234.ics?s=1')).toBe('a calendar link');
    expect(['IE29 AIBK 9311 5212 3456 79', 'https://a.example/x.jpg'].map(privateValueReason)).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('a mapping', () => {
  it('makes the id of names that differ, else of the place too, which may change', async () => {
    const header = 'name,city,country,lat,lon,address';
    const idOf = async (...rows: string[]) => (await proposed(`${[header, ...rows].join('\n')}\n`)).id;
    const [rose, lime] = ['Rose,Cork,IE,51.9,-8.4,Quay 1', 'Lime,Cork,IE,51.8,-8.4,Quay 2'] as const;
    expect(await idOf(rose, lime)).toMatchObject({ from: ['name', 'city'] });
    const twin = 'Rose,Cork,IE,51.7,-8.4,Quay 3';
    expect(await idOf(rose, twin)).toMatchObject({ from: ['name', 'city', 'lat', 'lon'] });
    expect(await idOf('Rose,Cork,IE,,,Quay 1', 'Rose,Cork,IE,,,Quay 2')).toMatchObject({
      from: ['name', 'city', 'address'],
    });
  });

  it.each([
    ['Wifi, Pool', 'Sauna, Pool', 'Gym | Pool', ','],
    ['Wifi|Pool, heated', 'Sauna|Pool', 'Wifi', '|'],
    ['Wifi; Pool', 'Sauna; Pool, heated', 'TV, Pool', ';'],
    ['Wifi / Pool', 'Sauna / Pool, heated / TV', 'TV', ' / '],
    ['Wifi • Pool', 'Sauna•Pool', '• TV', '•'],
    ['Wifi · Pool', 'Sauna · Pool', 'TV', ' · '],
    ['Wifi - Pool', 'Sauna - Pool', 'TV', ' - '],
    ['Wifi + Pool', 'Sauna + Pool', 'TV', ' + '],
  ])('divides a column as most of its cells are divided: %s', async (one, two, three, split) => {
    const rows = [one, two, three].map((cell, index) => `h-${index},House,Cork,IE,51.9,-8.4,"${cell}"`);
    const text = `ref,name,city,country,lat,lon,amenities\n${rows.join('\n')}\n`;
    expect(await proposed(text)).toMatchObject({ facilities: [{ from: 'amenities', split }] });
  });

  it.each([
    [
      ['Wifi, Piscina, Sauna', 'Wifi; Piscina', 'Sauna / Wifi', 'Wifi, TV/DVD'],
      [',', ';', ' / '],
    ],
    [['Wifi, Piscina', 'Wifi, TV/DVD', 'Piscina / heated', 'Sauna'], ','],
  ])('divides the rows %j of facilities by %j', async (cells, split) => {
    const rows = cells.map((cell, n) => `${n},House ${n},"${cell}"\n`).join('');
    const { facilities } = await proposed(`id,name,amenities\n${rows}`);
    expect(facilities).toEqual([{ from: 'amenities', split }]);
  });

  it.each(['lave-linge/sèche-linge', 'Pool - heated'])('does not divide a column for one %s', async (one) => {
    const rows = [one, 'Sauna', 'TV'].map((cell, index) => `h-${index},House,Cork,IE,51.9,-8.4,${cell}`);
    const text = `ref,name,city,country,lat,lon,amenities\n${rows.join('\n')}\n`;
    expect(await proposed(text)).toMatchObject({ facilities: ['amenities'] });
  });

  it.each([
    ['Ref. PMS', 'G0001', 'G0002'],
    ['Code gîte PMS', 'AB-12', 'AB-13'],
    ['N° de fiche', '00001', '00002'],
  ])('makes the id of the short codes of %s', async (name, one, other) => {
    const text = `name,city,${name}\nRose,Cork,${one}\nLime,Cork,${other}\n`;
    expect(await proposed(text)).toMatchObject({ id: { from: name } });
  });

  it('makes no id of a number of registration or of a count', async () => {
    const text = 'name,city,Permit number,Number of steps\nRose,Cork,VT-1,12\nLime,Cork,VT-2,13\n';
    expect(await proposed(text)).toMatchObject({ id: { from: ['name', 'city'] } });
  });

  it.each([
    ['Mobile;Téléphone', 'Téléphone'],
    ['Handy;Telefon', 'Telefon'],
    ['Móvil;Teléfono', 'Teléfono'],
    ['Cellulare;Telefono', 'Telefono'],
    ['gsm-nummer;Telefoonnummer', 'Telefoonnummer'],
    ['Telemóvel;Telefone', 'Telefone'],
    ['telefon komórkowy;numer telefonu', 'numer telefonu'],
    ['contact.mobile;contact.phone', 'contact.phone'],
    ['Mobile;Fax', 'Mobile'],
  ])('takes the phone of %s from %s', async (names, phone) => {
    const text = `ref;name;${names}\na;Rose;+33 6 75 60 97 94;+33 3 04 00 18 84\n`;
    expect(await proposed(text)).toMatchObject({ phone });
  });

  it('joins a column "Nº" to the address before it, unless that has numbers already', async () => {
    const addressOf = async (one: string, other: string) =>
      (await proposed(`ref;name;country;Dirección;Nº\na;Rosa;ES;${one};24\nb;Lima;ES;${other};s/n\n`))
        .address;
    expect(await addressOf('Calle Mayor', 'C/ Real')).toEqual({ from: ['Dirección', 'Nº'] });
    expect(await addressOf('Calle Mayor 24', 'C/ Real')).toBe('Dirección');
  });

  it('joins the complement of an address to it', async () => {
    const addressOf = async (names: string) =>
      (await proposed(`ref;name;${names}\na;Rose;2e étage;26;Quai\nb;Lime;;26;Quai 1\n`)).address;
    expect(await addressOf('Complément;x;Adresse')).toEqual({ from: ['Adresse', 'Complément'], join: ', ' });
    expect(await addressOf('Toevoeging;Huisnummer;Straat')).toEqual({
      from: ['Straat', 'Huisnummer', 'Toevoeging'],
    });
    expect(await addressOf('Complément;x;y')).toBeUndefined();
  });

  it('leaves photo names with a dash whole', async () => {
    const text = 'ref,name,photo\na,Rose,Rose - front - 1.jpg\nb,Lime,Lime - front - 1.jpg\n';
    expect(await proposed(text)).toMatchObject({ photo: [{ file: 'photo' }] });
  });

  it.each([
    ['point', '"51.9, -8.4"', '"51.8, -8.3"', 'lat-lng'],
    ['geom', 'POINT(-8.4 51.9)', 'POINT(-8.3 51.8)', 'lat-lng'],
    ['GPS', '51.9;-8.4', '', 'lat-lng'],
    ['Koordinaten', '51.9° N 8.4° W', '51.8° N 8.3° W', 'lat-lng'],
    [
      'Google Maps',
      '"https://www.google.com/maps?q=51.9,-8.4"',
      '"https://www.google.com/maps?q=51.8,-8.4"',
      'lat-lng',
    ],
    ['x', '"151.2, -33.9"', '"151.3, -33.8"', 'lng-lat'],
  ])('reads both coordinates of the column %s', async (name, one, other, point) => {
    const text = `ref,name,city,country,${name}\na,Rose,Cork,IE,${one}\nb,Lime,Cork,IE,${other}\nc,Elm,Cork,IE,${one}\n`;
    expect(await proposed(text)).toMatchObject({
      latitude: { from: name, point },
      longitude: { from: name, point },
    });
  });

  it.each([
    'House',
    'Nom du gîte',
    'Objekt',
    'Alojamiento',
    'Name of the house',
    'Nombre del alojamiento',
    'Gîte',
    'Nome da casa',
  ])('has %s as the title, and makes the id of it', async (name) => {
    const text = `${name},Ville du gîte,Pays,lat,lon\nRose,Cork,IE,51.9,-8.4\nLime,Cork,IE,51.8,-8.4\n`;
    expect(await proposed(text)).toMatchObject({
      id: { from: [name, 'Ville du gîte'] },
      ...{ title: name, city: 'Ville du gîte' },
    });
  });

  it('takes the name and the key of the property, where others have a name and a number', async () => {
    const text = 'Ref,Name,Property Name,Listing ID,City\nR0,Cy,Rose,L-1,Cork\nR1,Ben,Lily,L-2,Cork\n';
    expect(await proposed(text)).toMatchObject({ title: 'Property Name', id: { from: 'Listing ID' } });
  });

  it('uses columns named as a policy, unless their values are no sentence', async () => {
    const text =
      'name,city,Deposit,Pets,Smoking,Min. stay,Pets allowed,Cleaning fee\n' +
      'Rose,Cork,300 EUR,Dogs on request,no,Two nights in summer,yes,50 EUR\n' +
      'Lily,Cork,200 EUR,None,no,A week,no,60 EUR\n';
    const { hotel_policy, facilities } = await proposed(text);
    const entry = (value: string, detail: string) => ({ policy_type: { value }, detail });
    expect(hotel_policy).toEqual([
      entry('deposit', 'Deposit'),
      entry('pets', 'Pets'),
      entry('cleaning', 'Cleaning fee'),
      entry('minimum_stay', 'Min. stay'),
    ]);
    expect(facilities).toEqual([{ from: 'Pets allowed', value: 'pets_allowed' }]);
  });

  it('has the whole address, or street and number in the order of the country', async () => {
    const address = async (header: string, ...rows: string[]) =>
      (await proposed([`id,name,${header}`, ...rows.map((row, at) => `${at},A${at},${row}`)].join('\n')))
        .address;
    const parts = 'Street,House No,Country';
    for (const country of ['GB', 'Ireland', 'USA', 'France'])
      expect(await address(parts, `Fore Street,34,${country}`)).toEqual({ from: ['House No', 'Street'] });
    for (const country of ['DE', 'Spanien', 'Polska'])
      expect(await address(parts, `Fore Street,34,${country}`)).toEqual({ from: ['Street', 'House No'] });
    const mixed = ['A,1,DE', 'B,2,DE', 'C,3,GB'];
    expect(await address(parts, ...mixed)).toEqual({ from: ['Street', 'House No'] });
    const whole = `Address,${parts}`;
    const [first, other] = ['34 Fore Street,Fore Street,34,GB', '2 Mill Lane,Mill Lane,2,GB'];
    expect(await address(whole, first, other, ',Quay,3,GB')).toBe('Address');
    expect(await address(whole, first, ',Mill Lane,2,GB')).toEqual({ from: ['House No', 'Street'] });
    expect(await address('Address,House No,Country', '34 Fore Street,34,GB')).toBe('Address');
    expect(await address('Address,House No,Country', 'Fore Street,34,GB')).toEqual({
      from: ['House No', 'Address'],
    });
  });

  it('is proposed for a German table', async () => {
    expect(
      await proposed(
        'Objekt-Nr;Objektname;Straße;Nr;PLZ;Ort;Land;Breitengrad;Längengrad;WLAN;Sauna;Bild 1\n' +
          'F-1;Haus am See;Seestraße;4;18609;Binz;Deutschland;54,4012;13,6103;ja;x;https://b.example/1.jpg\n' +
          'F-2;Haus am Wald;Waldweg;7a;18609;Binz;Deutschland;54,4022;13,6203;nein;;https://b.example/2.jpg\n',
      ),
    ).toEqual({
      id: { from: 'Objekt-Nr', uuid: expect.any(String) },
      title: 'Objektname',
      currency: { value: 'EUR' },
      zip_code: 'PLZ',
      city: 'Ort',
      address: { from: ['Straße', 'Nr'] },
      country: 'Land',
      latitude: { from: 'Breitengrad', decimal: ',' },
      longitude: { from: 'Längengrad', decimal: ',' },
      facilities: [
        { from: 'WLAN', value: 'wifi' },
        { from: 'Sauna', value: 'sauna' },
      ],
      photo: [{ url: 'Bild 1' }],
    });
  });

  it('is proposed by values where names say nothing', async () => {
    expect(
      await proposed(
        'a,b,c,d,e,name,city\n' +
          '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11,x@y.example,"51.91, -8.41",+353 21 427 0000,IE,Rose,Cork\n' +
          '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c12,z@y.example,"51.92, -8.42",+353 21 427 0001,IE,Lime,Cork\n',
      ),
    ).toMatchObject({
      id: 'a',
      email: 'b',
      phone: 'd',
      country: 'e',
      latitude: { from: 'c', point: 'lat-lng' },
      longitude: { from: 'c', point: 'lat-lng' },
    });
  });

  it('is proposed for nested JSON with lists', async () => {
    const one = {
      key: 'a',
      name: 'Rose',
      address: { city: 'Cork', country: 'IE', postcode: 'T12' },
      geo: { lat: '51.9', lng: '-8.4' },
      host: { name: 'Someone' },
      amenities: ['Wifi', 'Pool'],
      photos: [{ url: 'https://p.example/a.jpg', caption: 'Front' }],
    };
    const mapping = await proposed(JSON.stringify([one, { ...one, key: 'b' }]), 'table.json');
    expect(mapping).toMatchObject({
      title: 'name',
      city: 'address.city',
      zip_code: 'address.postcode',
      latitude: 'geo.lat',
      photo: [{ each: 'photos', url: 'url', description: 'caption' }],
    });
    expect(JSON.stringify(mapping)).not.toContain('host');
  });

  it.each([
    [['en', 'de'], 'en'],
    [['de', 'en'], 'de'],
    [['it'], 'fr'],
  ])('takes words of photos and facilities in the first of the languages %j', async (languages, main) => {
    const words = { fr: 'Lave-linge', en: 'Washer', de: 'Waschmaschine' };
    const one = {
      amenities: [{ name: words }],
      images: [{ url: 'https://p.example/a.jpg', caption: words }],
    };
    const text = JSON.stringify([1, 2].map((id) => ({ id, title: `House ${id}`, ...one })));
    expect(await proposed(text, 'table.json', declared({ languages }).fields)).toMatchObject({
      facilities: [`amenities.name.${main}`],
      photo: [{ each: 'images', url: 'url', description: `caption.${main}` }],
    });
  });

  it('has the photos in the order of the columns', async () => {
    const text =
      'id,name,Bild 1,Weitere Fotos\n1,Rose,https://a.example/1.jpg,https://a.example/2.jpg|https://a.example/3.jpg\n';
    expect((await proposed(text)).photo).toEqual([
      { url: 'Bild 1' },
      { each: 'Weitere Fotos', split: '|', url: '.' },
    ]);
  });

  it.each([
    ['Concelho', 'Localidade'],
    ['Gemeinde', 'Ort'],
    ['Municipio', 'Localidad'],
    ['Gemeente', 'Plaats'],
    ['Gmina', 'Miejscowość'],
    ['Municipality', 'Town'],
  ])('takes the city from the column %s unless there is a column %s', async (wide, town) => {
    expect(await proposed(`id,name,${wide}\n1,Rose,Tavira\n`)).toMatchObject({ city: wide });
    expect(await proposed(`id,name,${wide},${town}\n1,Rose,Tavira,Cacela\n`)).toMatchObject({ city: town });
  });

  it.each([
    ['Währung', 'Schweiz', 'Euro'],
    ['Devise', 'Suisse', 'Francs suisses'],
    ['Waluta', 'Polska', 'zł'],
    ['Currency', 'Denmark', 'kr'],
    ['Moneda', 'México', 'doubloons'],
  ])('has the currency of the column %s, for %s: %s', async (name, country, word) => {
    const rows = [1, 2].map((n) => `h-${n};Rose ${n};Ort;${country};51,9${n}1;8,4${n}1;${word}`);
    const { currency } = await proposed(`ref;name;city;country;lat;lon;${name}\n${rows.join('\n')}\n`);
    expect(currency).toBe(name);
  });

  it.each([
    ['Base rate (GBP)', 'GBP'],
    ['Preis pro Nacht in EUR', 'EUR'],
    ['Prix par nuit €', 'EUR'],
    ['Price per night £', 'GBP'],
    ['PRICE PER NIGHT GBP', 'GBP'],
  ])('has the currency in the name of the price %s, in each country', async (name, code) => {
    const text = `ref,name,city,country,lat,lon,${name}\na,Rose,Cork,IE,51.9,-8.4,95.00\nb,Lime,York,GB,53.9,-1.1,80.50\n`;
    const fields = declared({ fields: { price_from: {} } }).fields;
    expect(await proposed(text, 'table.csv', fields)).toMatchObject({
      price_from: expect.anything(),
      currency: { value: code },
    });
  });

  it('has the currency of each country', async () => {
    const rows = ['IE', 'GB', 'IE'].map((country, n) => `${n},House ${n},Town,${country},51.9,-8.4`);
    const { currency } = await proposed(`ref,name,city,country,lat,lon\n${rows.join('\n')}\n`);
    expect(currency).toEqual({ from: 'country', map: { GB: 'GBP', IE: 'EUR' } });
  });

  it('knows the few words of a column beside more values of others than are kept', async () => {
    async function* rows() {
      for (let n = 0; n < 17_000; n++) {
        const others = Array.from({ length: 60 }, (_, column) => [`x${column}`, `v${n}`] as const);
        const value = { title: `House ${n}`, city: 'Cork', country: 'IE', ...Object.fromEntries(others) };
        yield { at: '', line: n, isTotals: false, value };
      }
    }
    const { columns } = await profileRows({ rows });
    expect(columns.find(({ name }) => name === 'country')?.words).toEqual(new Map([['IE', 17_000]]));
  });

  it('takes a column of regions for the state, whatever its name', async () => {
    const text =
      'Nr;Objekt;Ort;Land;lat;lon\n1;Haus;Lindau;Bayern;47.55;9.69\n2;Hof;Binz;Vorpommern;54.4;13.6\n';
    expect(await proposed(text)).toMatchObject({ state: 'Land' });
    expect(await proposed(text)).not.toHaveProperty('country');
    const mixed = await proposed(text.replace('Vorpommern', 'Deutschland'));
    expect(mixed).toMatchObject({ country: 'Land' });
  });

  const homes = (one: (n: number) => object) => [1, 2, 3].map((n) => JSON.stringify(one(n))).join('\n');
  const where = { city: 'Porto', country: 'PT', lat: 41.1, lng: -8.6 };

  it.each([
    [{ area: { unit: 'm2' } }, { display: { pt: 'Casa', en: 'House' } }, 'unit.display.pt'],
    [{ area: { unit: 'm2' } }, { display: { pt: 'Casa' } }, 'unit.display.pt'],
    [{ area: { unit: 'm2' } }, { display: 'Casa' }, 'unit.display'],
    [{ title: 'Homes' }, { name: { nl: 'Huis' } }, 'unit.name.nl'],
    [{ title: 'Homes' }, {}, undefined],
  ])('takes no column of one value for the title, of %j and %j', async (spec, unit, title) => {
    const numbered = (n: number) =>
      JSON.parse(JSON.stringify(unit).replace(/(Casa|House|Huis)/g, `$1 ${n}`)) as object;
    const text = homes((n) => ({ spec, unit: numbered(n), ...where }));
    expect((await proposed(text, 'table.jsonl')).title).toBe(title);
  });

  it.each([
    ['_id', '$oid'],
    ['id', 'value'],
  ])('takes the value in the object %s for the id', async (name, inner) => {
    const text = homes((n) => ({
      [name]: { [inner]: `a${n}` },
      name: `Casa ${n}`,
      spec: { a: 1 },
      ...where,
    }));
    expect((await proposed(text, 'table.jsonl')).id).toMatchObject({ from: `${name}.${inner}` });
  });

  it.each(['N°', 'N° logement', 'N.º', 'N° de fiche', 'Fiche no', 'Code interne'])(
    'takes %s for the id',
    async (name) => {
      const rows = [1, 2, 3].map((n) => `Gîte ${n};Annecy;FR;0000${n}`);
      const { id } = await proposed(`Nom;Commune;Pays;${name}\n${rows.join('\n')}\n`);
      expect(id).toMatchObject({ from: name });
    },
  );

  it.each([
    ['N° voie', 'Rue'],
    ['N° de porte', 'Étage'],
  ])('takes %s for no id', async (name, before) => {
    const rows = [1, 2, 3].map((n) => `Gîte ${n};Annecy;FR;Rue ${n};${n}`);
    const { id } = await proposed(`Nom;Commune;Pays;${before};${name}\n${rows.join('\n')}\n`);
    expect(id).toMatchObject({ join: '|' });
  });

  it('takes no object and no list for a field of one value', async () => {
    const lists = {
      contacts: [{ email: 'a@b.example', phone: '+353 21 427 0000' }],
      images: [{ url: 'https://a.example/1.jpg' }],
    };
    const listed = homes((n) => ({ name: `Casa ${n}`, email: ['a@b.example'], ...lists, ...where }));
    const fields = declared({ fields: { website: {} } }).fields;
    expect(Object.keys(await proposed(listed, 'table.jsonl', fields))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:email|phone|website)$/)]),
    );
    const text = homes((n) => ({ name: { x: `Casa ${n}` }, code: { y: n }, phone: [{ z: '1' }], ...where }));
    expect(await proposed(text, 'table.jsonl')).not.toMatchObject({ phone: 'phone' });
    const { id, title } = await proposed(text, 'table.jsonl');
    expect([title, JSON.stringify(id)]).toEqual([undefined, expect.not.stringContaining('code')]);
  });
});
