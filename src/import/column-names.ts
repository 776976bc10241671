/**
 * What columns are called, in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. For tables only:
 * the registry's synonyms are for slips in property files.
 */
// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table of data.

import type { FieldTable } from '../contract/fields.ts';
import type { KNOWN_FIELDS } from '../contract/known-fields.ts';
import { fieldMeantBy } from '../source/synonym.ts';

/** What a column may mean: a field, or a part of one. */
export type ColumnMeaning =
  | 'id'
  | 'title'
  | 'draft'
  | 'currency'
  | 'email'
  | 'phone'
  | 'zip_code'
  | 'city'
  | 'state'
  | 'address'
  | 'street'
  | 'house_number'
  | 'country'
  | 'latitude'
  | 'longitude'
  | 'point'
  | 'facilities'
  | 'photo'
  | 'caption'
  | 'check_in'
  | 'check_out'
  | 'cancellation'
  | 'house_rules';

/** Names by meaning, with `,` between them; letter case, accents, spaces and punctuation do not matter. */
const NAMES: Readonly<Record<ColumnMeaning, string>> = {
  id: `id, uuid, guid, ref, reference, reference id, code, key, _key, external id, object id, number, no, nr, internal code, slug,
    kennung, nummer, objektnummer, objekt nr, objektnr, referenz, referenznummer, lfd nr, schlüssel,
    identifiant, référence, numéro, identificador, referencia, código, número, clave,
    identificativo, riferimento, codice, numero, kenmerk, referentie, objectnummer,
    referência, identyfikator, numer, kod, oznaczenie`,
  title: `title, name, heading, label, house name, display name, public name, nickname, headline,
    titel, bezeichnung, überschrift, hausname, objektname, unterkunft, ferienwohnung, ferienhaus, objektbezeichnung,
    nom, titre, intitulé, dénomination, nom commercial, nombre, título, denominación, nombre comercial, alojamiento,
    nome, titolo, denominazione, nome struttura, struttura, naam, benaming, accommodatie, accommodatienaam,
    designação, alojamento, nazwa, tytuł, nazwa obiektu, obiekt`,
  draft: `draft, is draft, unpublished, hidden, entwurf, brouillon, borrador, bozza, concept, rascunho, szkic`,
  currency: `currency, currency code, währung, währungscode, devise, monnaie, moneda, divisa, valuta, munteenheid,
    moeda, waluta`,
  email: `email, e mail, mail, email address, contact email, booking email, e mail adresse, emailadresse, mailadresse,
    courriel, adresse email, adresse e mail, adresse électronique, correo, correo electrónico, email de contacto,
    indirizzo email, posta elettronica, emailadres, e mailadres, correio eletrónico, endereço de email,
    adres email, poczta, poczta elektroniczna`,
  phone: `phone, telephone, tel, phone number, contact phone, mobile, mobile phone, cell, telefon, telefonnummer, rufnummer,
    telefonnr, handy, mobil, mobilnummer, téléphone, numéro de téléphone, portable, teléfono, número de teléfono,
    móvil, telefono, numero di telefono, cellulare, telefoon, telefoonnummer, mobiel, telefone, telemóvel,
    numer telefonu, komórka, telefon kontaktowy, telefon kontakt`,
  zip_code: `zip, zip code, postcode, postal code, post code, zipcode, pincode, pin code, plz, postleitzahl, code postal, cp,
    código postal, cap, codice postale, codice avviamento postale, postcode plaats, kod pocztowy, eircode`,
  city: `city, town, locality, village, municipality, place, city name, suburb, stadt, ort, ortschaft, gemeinde, wohnort,
    ville, commune, localité, village nom, ciudad, localidad, municipio, población, poblacion, città, comune,
    località, plaats, stad, gemeente, woonplaats, dorp, cidade, concelho, município, miasto, miejscowość, gmina`,
  state: `state, region, province, county, state province, district, bundesland, kanton, land region, landkreis,
    région, département, canton, comunidad autónoma, provincia, región, regione, provincie, regio, distrito, estado,
    região, província, województwo, powiat, prowincja`,
  address: `address, full address, address line, address line 1, address1, address 1, street address, location address,
    adresse, anschrift, adresse complète, dirección, direccion, domicilio, indirizzo, adres, endereço, morada`,
  street: `street, street name, road, straße, strasse, str, rue, voie, nom de la voie, calle, vía, via, straat, straatnaam,
    rua, ulica`,
  house_number: `house number, street number, housenumber, house no, street no, building number, hausnummer, hausnr, haus nr,
    hnr, numéro de rue, numéro de voie, num voie, n voie, número de calle, número de portal, numero civico, civico,
    huisnummer, huisnr, número de porta, número da porta, numer domu, nr domu`,
  country: `country, country code, country name, nation, iso country, country iso, iso2, land, ländercode, länderkennung, staat,
    pays, code pays, país, pais, código de país, código país, paese, nazione, stato, codice paese, landcode, landnaam,
    código do país, kraj, kod kraju, państwo`,
  latitude: `latitude, lat, geo lat, gps lat, y, breitengrad, breite, geografische breite, latitud, latitudine,
    breedtegraad, lat wgs84, szerokość geograficzna, szerokość, szer geogr`,
  longitude: `longitude, lng, lon, long, geo lng, geo lon, geo long, gps lng, gps lon, x, längengrad, länge, geografische länge,
    longitud, longitudine, lengtegraad, długość geograficzna, długość, dł geogr, lon wgs84`,
  point: `coordinates, coordinate, coords, geo, geom, geometry, the geom, wkt, gps, gps coordinates, lat lng, lat lon, latlng,
    latlon, lat long, location, position, geolocation, geopoint, geo point 2d, point, koordinaten, geokoordinaten,
    standort, coordonnées, coordonnées gps, géolocalisation, coordenadas, coordenadas gps, ubicación, coordinate gps,
    posizione, coördinaten, locatie, localização, współrzędne, położenie`,
  facilities: `facilities, facility, amenities, amenity, features, services, equipment, ausstattung, ausstattungsmerkmale,
    merkmale, équipements, équipement, prestations, services proposés, servicios, equipamiento, instalaciones,
    comodidades, dotazioni, servizi, caratteristiche, voorzieningen, faciliteiten, uitrusting, serviços, equipamentos,
    udogodnienia, wyposażenie`,
  photo: `photo, photos, photo url, photo urls, photo link, image, images, image url, image urls, image link, picture,
    pictures, picture url, pictures urls, img, main image, main photo, cover, cover image, cover photo, gallery, media,
    foto, fotos, bild, bilder, bild url, bildlink, titelbild, galerie, image principale, lien photo, imagen, imágenes,
    foto principal, galería, immagine, immagini, galleria, afbeelding, afbeeldingen, foto url, hoofdfoto,
    imagem, imagens, zdjęcie, zdjęcia, galeria`,
  caption: `caption, photo caption, photo alt, image alt, picture caption, foto beschreibung, bild beschreibung, photo légende,
    image légende, foto didascalia, foto bijschrift, image caption, alt, alt text, photo description, image description, bildunterschrift,
    bildbeschreibung, légende, légende photo, pie de foto, leyenda, didascalia, bijschrift, fotobijschrift, legenda,
    podpis, opis zdjęcia`,
  check_in: `check in, checkin, check in time, check in from, checkin time, arrival, arrival time, anreise, anreisezeit, ankunft,
    einchecken, arrivée, heure d arrivée, llegada, hora de llegada, entrada, hora de entrada, arrivo, orario di arrivo,
    aankomst, aankomsttijd, inchecken, chegada, hora de chegada, przyjazd, zameldowanie, godzina zameldowania`,
  check_out: `check out, checkout, check out time, check out until, checkout time, departure, departure time, abreise,
    abreisezeit, auschecken, départ, heure de départ, salida, hora de salida, partenza, orario di partenza, vertrek,
    vertrektijd, uitchecken, partida, saída, hora de saída, wyjazd, wymeldowanie, godzina wymeldowania`,
  cancellation: `cancellation, cancellation policy, cancellation terms, storno, stornierung, stornobedingungen,
    stornierungsbedingungen, annulation, conditions d annulation, politique d annulation, cancelación,
    política de cancelación, cancellazione, annullamento, politica di cancellazione, annulering,
    annuleringsvoorwaarden, cancelamento, política de cancelamento, anulowanie, warunki anulowania`,
  house_rules: `house rules, rules, hausordnung, hausregeln, règlement intérieur, règlement, normas de la casa, normas,
    regole della casa, regolamento, huisregels, regras da casa, regras, regulamin, zasady domu`,
};

/** Words in front of a name that say nothing: `property name`, `hotel_city`, `objekt_plz`. */
const NAME_PREFIXES: readonly string[] =
  words(`property, listing, hotel, accommodation, house, apartment, rental,
  unit, object, place, venue, contact, main, addr, address, location, geo, unterkunft, objekt, ferienwohnung, wohnung,
  kontakt, hébergement, logement, établissement, alojamiento, propiedad, vivienda, struttura, alloggio, immobile,
  accommodatie, woning, alojamento, propriedade, imóvel, obiekt, nocleg, kwatera`);

/** Facilities as columns with yes and no, where the vocabulary's own synonyms are English. */
const FACILITY_NAMES: Readonly<Record<string, string>> = {
  wifi: 'internet, wlan, wi fi, internet gratuit, internet gratis',
  parking: `parkplatz, stellplatz, parken, stationnement, place de parking, aparcamiento, estacionamiento, parcheggio,
    posto auto, parkeren, parkeerplaats, estacionamento, parkowanie, miejsce parkingowe`,
  swimming_pool: 'schwimmbad, piscine, piscina, zwembad, basen',
  kitchen: 'küche, cuisine, cocina, cucina, keuken, cozinha, kuchnia',
  air_conditioning: `klimaanlage, klima, climatisation, aire acondicionado, aria condizionata, climatizzazione,
    airconditioning, ar condicionado, klimatyzacja`,
  heating: 'heizung, chauffage, calefacción, riscaldamento, verwarming, aquecimento, ogrzewanie',
  tv: 'fernseher, fernsehen, télévision, télé, televisión, televisione, televisie, televisão, telewizor',
  washing_machine:
    'waschmaschine, lave linge, machine à laver, lavadora, lavatrice, wasmachine, máquina de lavar, pralka',
  dishwasher:
    'geschirrspüler, spülmaschine, lave vaisselle, lavavajillas, lavastoviglie, vaatwasser, máquina de lavar loiça, zmywarka',
  pets_allowed: `haustiere, haustiere erlaubt, hunde erlaubt, animaux acceptés, animaux, mascotas, se admiten mascotas,
    animali ammessi, animali, huisdieren, huisdieren toegestaan, animais, animais permitidos, zwierzęta`,
  garden: 'garten, jardin, jardín, giardino, tuin, jardim, ogród',
  terrace: 'terrasse, terraza, terrazza, terras, terraço, taras',
  balcony: 'balkon, balcon, balcón, balcone, varanda',
  lift: 'aufzug, fahrstuhl, ascenseur, ascensor, ascensore, elevador, winda',
  fireplace: 'kamin, ofen, cheminée, chimenea, camino, caminetto, open haard, lareira, kominek',
  breakfast: 'frühstück, petit déjeuner, desayuno, colazione, ontbijt, pequeno almoço, śniadanie',
  cot: 'kinderbett, babybett, lit bébé, cuna, culla, kinderbed, berço, łóżeczko',
};

/** A reason why a column is not for a public catalogue, and the words in its name that show it. */
type PrivateKind = { readonly what: string; readonly names: readonly string[] };

/** Each entry is a run of words in the column's name, after {@link nameWords}. */
const PRIVATE: readonly PrivateKind[] = [
  {
    what: 'a password or an access code',
    names:
      words(`password, passwd, pwd, passcode, pin, pin code, door pin, door code, access code, entry code, gate code, key code,
      lock code, lockbox code, key box code, keybox code, alarm code, safe code, wifi key, wifi code, wifi pass, wlan key, wlan code,
      wifi ssid, network key, api key, secret, token, passwort, kennwort, türcode, tuercode, zugangscode, schlüsselcode, wlan schlüssel,
      wlan passwort, wlan pw, wifi pw, zahlencode, mot de passe, code d accès, code acces, code porte, code wifi, clé wifi, cle wifi, digicode,
      contraseña, clave wifi, clave de acceso, código de acceso, código puerta, codigo puerta, código de puerta, parola d ordine,
      parola chiave, codice porta, codice accesso, codice di accesso, codice wifi, chiave wifi, wachtwoord, deurcode,
      toegangscode, sleutelcode, wifi sleutel, senha, palavra passe, código da porta, código wifi, hasło, haslo, kod do drzwi,
      kod dostępu, kod drzwi, kod do bramy, klucz wifi`),
  },
  {
    what: 'notes on how to get in',
    names:
      words(`access notes, access instructions, access info, access information, entry instructions, key location, key handover, key safe
      location, where is the key, internal notes, internal note, internal comment, internal comments, internal remarks, private notes, private note, private remarks, staff notes,
      owner notes, cleaner notes, cleaning notes, host notes, schlüsselversteck, schlüsselübergabe, schlüsselort, zugangshinweise, interne notiz,
      interne notizen, interne bemerkung, interne bemerkungen, notes internes, note interne, remise des clés, instructions d accès, notas internas, nota
      interna, entrega de llaves, instrucciones de acceso, notas privadas, note interne, note private, consegna chiavi, istruzioni di accesso,
      interne notitie, interne notities, sleuteloverdracht, toegangsinstructies, entrega das chaves, entrega de chaves, instruções de acesso,
      notatki wewnętrzne, uwagi wewnętrzne, notatka wewnętrzna, przekazanie kluczy`),
  },
  {
    what: 'a bank account',
    names:
      words(`iban, bic, swift, bank, bank account, bank name, account number, account no, account holder, sort code, routing number, bankverbindung,
      kontonummer, kontoinhaber, konto, blz, bankkonto, rib, compte bancaire, numéro de compte, titulaire du compte, cuenta
      bancaria, número de cuenta, titular de la cuenta, cuenta, conto corrente, conto bancario, coordinate bancarie, intestatario conto,
      rekeningnummer, bankrekening, conta bancária, número da conta, titular da conta, nib, konto bankowe, numer konta, rachunek bankowy, numer
      rachunku`),
  },
  {
    what: 'a person',
    names:
      words(`owner, owners, landlord, host, hosts, cleaner, caretaker, keyholder, key holder, manager, housekeeper, guest name, guest email, guest phone,
      eigentümer, eigentuemer, besitzer, vermieter, vermieterin, gastgeber, hausmeister, reinigungskraft, verwalter, propriétaire,
      propriétaires, bailleur, hôte, gérant, gardien, femme de ménage, propietario, propietaria, anfitrión, dueño, arrendador, casero, limpiadora,
      proprietario, proprietaria, proprietari, padrone, locatore, custode, gestore, eigenaar, verhuurder, gastheer,
      schoonmaker, beheerder, proprietário, proprietária, anfitrião, senhorio, zelador, właściciel, gospodarz, wynajmujący, zarządca`),
  },
  {
    what: 'a tax number',
    names:
      words(`tax id, tax number, tax no, tax code, vat, vat id, vat number, vat no, ssn, national insurance, passport, passport number,
      id card, steuernummer, steuer id, steuer nr, steueridentifikationsnummer, ust id, ust idnr, ustid, umsatzsteuer id, ausweisnummer, personalausweis, siret, numéro fiscal,
      numéro de tva, tva, tva intracommunautaire, nif, número fiscal, numero fiscale, partita iva, p iva, piva, codice fiscale, btw
      nummer, btw nr, btw id, bsn, kvk, kvk nummer, contribuinte, número de contribuinte, cpf, cnpj, nip, pesel, regon, numer nip`),
  },
  {
    what: 'a calendar link',
    names:
      words(`ical, ics, icalendar, ical url, ical link, calendar, calendar url, calendar link, calendar feed, kalender, kalenderlink, belegungskalender, calendrier, lien calendrier, calendario,
      agenda, calendário, kalendarz`),
  },
  {
    what: 'terms between you and a partner',
    names:
      words(`commission, commission rate, commission percent, margin, payout, owner share, net rate, net price, purchase price, provision, vermittlungsprovision, provisionssatz, marge, nettopreis,
      comisión, comision, margen, commissione, provvigione, margine, commissie, commissiepercentage, comissão, margem, prowizja, marża`),
  },
];

/** Names of the fields that the product knows, beside their synonyms. */
const KNOWN_NAMES: Readonly<Record<keyof typeof KNOWN_FIELDS, string>> = {
  description: `description html, description text, text, long text, details, beschreibung, langbeschreibung, objektbeschreibung, descriptif,
    description longue, présentation, descripción, presentación, descrizione, presentazione, beschrijving, omschrijving,
    descrição, apresentação, opis, opis obiektu`,
  summary: `short text, subtitle, kurzbeschreibung, kurztext, untertitel, description courte, résumé, accroche, descripción
    corta, resumen, breve descrizione, riassunto, sottotitolo, korte beschrijving, samenvatting, resumo, descrição curta, krótki opis`,
  property_type: `type, kind, category, type of property, object type, room type, art, objektart, objekttyp, unterkunftsart, kategorie, type de bien, type d hébergement,
    catégorie, tipo, tipo de alojamiento, categoría, categoria, tipologia, tipo di struttura, soort, accommodatietype,
    categorie, tipo de alojamento, typ, rodzaj obiektu, kategoria`,
  website: `url, link, www, internet, webseite, website adresse, internetseite, site web, site internet, site, página web, sitio web, web oficial,
    sito, sito web, sito internet, webadres, página, sítio web, strona, strona www, strona internetowa`,
  booking_url: `booking, book now, booking page, buchungslink, buchungsseite, lien de réservation, réservation, enlace de reserva, url reserva,
    link prenotazione, prenotazione, boekingslink, reserveringslink, link de reserva, link do rezerwacji`,
  max_guests: `max guests, maximum guests, guest count, pax, people, personen, max personen, maximale gästezahl, gäste, schlafplätze, personenzahl, capacité, personnes,
    couchages, nombre de personnes, capacidad, personas, huéspedes, plazas, capienza, ospiti, persone, posti letto, gasten,
    aantal personen, slaapplaatsen, capacidade, pessoas, hóspedes, liczba osób, osoby, goście, liczba gości`,
  bedrooms: `br, schlafzimmer, anzahl schlafzimmer, chambres, nombre de chambres, dormitorios, habitaciones, camere, camere da letto, numero camere,
    slaapkamers, aantal slaapkamers, quartos, número de quartos, sypialnie, liczba sypialni`,
  beds: `number of beds, betten, anzahl betten, bettenzahl, lits, nombre de lits, camas, número de camas, letti, numero letti, bedden, aantal bedden, łóżka, liczba łóżek`,
  bathrooms: `bathrooms text, badezimmer, bäder, anzahl badezimmer, salles de bain, salles de bains, nombre de salles de bain, baños, número de baños, bagni,
    numero bagni, badkamers, aantal badkamers, casas de banho, banheiros, łazienki, liczba łazienek`,
  floor_area: `area, size, square meter, wohnfläche, fläche, größe, quadratmeter, qm, surface habitable, superficie, metros cuadrados, metri quadrati, mq, oppervlakte,
    woonoppervlakte, área, powierzchnia, metraż`,
  stars: `star category, hotel category, subcategory, classification, sterne, klassifizierung, étoiles, classement, estrellas, subcategoría, stelle, classificazione,
    sterren, classificatie, estrelas, classificação, gwiazdki, liczba gwiazdek`,
  check_in_from: `anreise ab, check in ab, arrivée à partir de, entrada desde, check in dalle, inchecken vanaf, check in a partir das, zameldowanie od`,
  check_in_until: `check in until, anreise bis, check in bis, arrivée jusqu à, entrada hasta, check in fino alle, inchecken tot, check in até, zameldowanie do`,
  check_out_until: `check out until, abreise bis, check out bis, départ jusqu à, départ avant, salida hasta, check out entro, uitchecken tot, check out até, wymeldowanie do`,
  minimum_nights: `minimum nights, mindestaufenthalt, mindestnächte, nuits minimum, séjour minimum, nombre minimum de nuits, noches mínimas, estancia
    mínima, notti minime, soggiorno minimo, minimum aantal nachten, minimumverblijf, noites mínimas, estadia mínima, minimalny pobyt, minimum nocy`,
  price_from: `rate, base price, price from, nightly, preis, preis ab, ab preis, preis pro nacht, grundpreis, prix, prix à partir de, prix par nuit, tarif, precio, precio desde, precio por noche,
    tarifa, prezzo, prezzo da, prezzo a notte, prijs, prijs vanaf, prijs per nacht, preço, preço desde, preço por noite, cena, cena od, cena za noc`,
  registration_number: `registration no, registration id, licence no, license no, permit number, str number, registriernummer, registrierungsnummer, lizenznummer, wohnraumnummer, numéro d enregistrement,
    numéro de licence, número de registro, licencia, licencia turística, número de licencia, registro turístico, cin, cir, codice cin, codice identificativo, licenza, registratienummer, vergunning,
    número de registo, licença, alojamento local, al, numer rejestracyjny, numer rejestru`,
  spoken_languages: `languages, host language, sprachen, gesprochene sprachen, langues, langues parlées, idiomas, idiomas hablados, lingue, lingue parlate, talen, gesproken talen,
    línguas, idiomas falados, języki`,
  reference: `id, reference id, code, key, external id, object id, internal code, property reference, house code, objektnummer, objekt nr, objektnr, referenz, referenznummer, identifiant, référence, identificador,
    referencia, código, identificativo, riferimento, codice, kenmerk, referentie, objectnummer, referência, numer referencyjny, kod`,
};

function words(text: string): string[] {
  return text.split(',').map((name) => nameWords(name));
}

/**
 * Splits a column's name into lower-case words without accents, joined by spaces.
 *
 * @example
 * nameWords('OwnerE-Mail') // 'owner e mail'
 * nameWords('Straße') // 'strasse'
 */
function nameWords(name: string): string {
  return (
    name
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replace(/ß/g, 'ss')
      .replace(/[łŁ]/g, 'l')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      // Words whose usual spelling has a capital or a hyphen within.
      .replace(/\b(wi|i) (fi|cal|ban)\b/g, '$1$2')
      .trim()
  );
}

const squeezed = (name: string) => nameWords(name).replaceAll(' ', '');

function indexOf<Meaning extends string>(table: Readonly<Record<Meaning, string>>) {
  const entries = Object.entries(table) as [Meaning, string][];
  return new Map(
    entries.flatMap(([meaning, text]) => text.split(',').map((name) => [squeezed(name), meaning] as const)),
  );
}

const BY_NAME = indexOf(NAMES);
const KNOWN_BY_NAME = indexOf(KNOWN_NAMES);
const FACILITY_BY_NAME = indexOf(FACILITY_NAMES);

/** A meaning and how sure it is: 3 for the whole name, 2 without a prefix or number, 1 for the end of a path. */
export type NamedMeaning = { readonly meaning: ColumnMeaning; readonly certainty: 1 | 2 | 3 };

/** Finds what a column's name, or a path, means. */
export function meaningOf(name: string): NamedMeaning | undefined {
  const whole = BY_NAME.get(squeezed(name));
  if (whole) return { meaning: whole, certainty: 3 };
  const plain = withoutAffixes(nameWords(name));
  const found = BY_NAME.get(plain.replaceAll(' ', ''));
  if (found) return { meaning: found, certainty: 2 };
  const last = name.includes('.') ? BY_NAME.get(squeezed(name.split('.').at(-1)!)) : undefined;
  return last && { meaning: last, certainty: 1 };
}

/** A declared field, or a translation, that a column's name means, and how sure that is: 3 for its name. */
export type NamedField = { readonly field: string; readonly certainty: 1 | 2 | 3 };

/** Finds the declared field, or the translation, that a column's name means. */
export function declaredNamed(name: string, fields: FieldTable): NamedField | undefined {
  const last = name.split('.').at(-1)!;
  const meant = fieldMeantBy(name, '', fields) ?? fieldMeantBy(last, '', fields);
  if (meant !== undefined && (fields.attributes.has(meant) || meant.includes('@')))
    return { field: meant, certainty: meant === name ? 3 : 2 };
  for (const one of [name, withoutAffixes(nameWords(name)), last]) {
    const known = KNOWN_BY_NAME.get(squeezed(one));
    if (known !== undefined && fields.attributes.has(known)) return { field: known, certainty: 1 };
  }
  const { base, language } = languageIn(name, fields.languages);
  if (language === undefined || base === '') return undefined;
  const field = meaningOf(base)?.meaning ?? declaredNamed(base, { ...fields, languages: [] })?.field;
  if (field === undefined) return undefined;
  const translation = `${field}@${language}`;
  if (fields.all.has(translation)) return { field: translation, certainty: 1 };
  return language === fields.languages[0] && fields.attributes.has(field)
    ? { field, certainty: 1 }
    : undefined;
}

/** Splits a language off: `Titre (fr)`, `title.fr`, `fr_title`, `Title French`. */
export function languageIn(
  name: string,
  languages: readonly string[],
): { readonly base: string; readonly language?: string } {
  const plain = nameWords(name);
  for (const language of languages) {
    const known = ['en', language].map(
      (one) => new Intl.DisplayNames(one, { type: 'language' }).of(language)!,
    );
    for (const word of [language, ...known].map(nameWords)) {
      if (plain.endsWith(` ${word}`)) return { base: plain.slice(0, -word.length - 1), language };
      if (plain.startsWith(`${word} `)) return { base: plain.slice(word.length + 1), language };
    }
  }
  return { base: plain };
}

/** Removes numbers (`photo 12`, `photo 1 caption`), and words in front that say nothing. */
function withoutAffixes(name: string): string {
  let plain = name.replace(/ ?\d+(?= |$)/g, '').trim();
  for (let isFound = true; isFound; ) {
    const prefix = NAME_PREFIXES.find((word) => plain.startsWith(`${word} `));
    isFound = prefix !== undefined;
    if (prefix) plain = plain.slice(prefix.length + 1);
  }
  return plain;
}

/** Names that mean a key, or behind a street its number. */
const BARE_NUMBERS: ReadonlySet<string> = new Set(
  ['no', 'nr', 'number', 'num', 'nummer', 'numéro', 'número', 'numero', 'numer', 'n', 'hn'].map(squeezed),
);

export function isBareNumber(name: string): boolean {
  return BARE_NUMBERS.has(squeezed(name));
}

/** Finds the facility that a column's name means, in other languages than the vocabulary's. */
export function facilityNamed(name: string): string | undefined {
  return (
    FACILITY_BY_NAME.get(squeezed(name)) ?? FACILITY_BY_NAME.get(squeezed(withoutAffixes(nameWords(name))))
  );
}

/** Returns what private thing a column's name promises; undefined for other names. */
export function privateName(name: string): string | undefined {
  const joined = squeezed(name);
  // The whole name of a field, such as the Indian "pin code".
  if (BY_NAME.has(joined)) return undefined;
  const padded = ` ${nameWords(name)} `;
  const isIt = (one: string) => {
    const compound = one.replaceAll(' ', '');
    return (
      padded.includes(` ${one} `) ||
      joined === compound ||
      (compound.length >= 5 && joined.startsWith(compound)) ||
      (compound.length >= 6 && joined.endsWith(compound))
    );
  };
  return PRIVATE.find(({ names }) => names.some(isIt))?.what;
}
