/** Values of the field `property_type`, each with its label and the words that people and programs use for it. */
const TYPES = {
  apartment:
    'Apartment|flat|rental unit|condo|condominium|loft|serviced apartment|guest suite|home/apt|penthouse|timeshare|self-catering apartment',
  house:
    'House|home|townhouse|town house|vacation home|holiday home|detached house|semi-detached house|tiny home|tiny house|earthen home|barn|place|self catering accommodation',
  cottage: 'Cottage',
  villa: 'Villa',
  chalet: 'Chalet',
  cabin: "Cabin|log cabin|nature lodge|lodge|hut|shepherd's hut|alpine hut",
  bungalow: 'Bungalow',
  studio: 'Studio|studio apartment|studio flat',
  room: 'Room|private room|shared room|hotel room',
  farm_stay: 'Farm stay|farm|farmhouse|agriturismo',
  bed_and_breakfast: 'Bed and breakfast|bed & breakfast|B&B|BnB|casa particular|minsu',
  guest_house: 'Guest house|guesthouse|pension|pensiones|kezhan|inn|hostales',
  hotel: 'Hotel|boutique hotel|heritage hotel|resort|motel|hoteles|hotels',
  aparthotel: 'Aparthotel|apartment hotel|apartahotel|apartahoteles',
  hostel: 'Hostel|dorm|dormitory|albergue|albergues|residencias universitarias|youth hostel',
  campsite: 'Campsite|camp site|camping|campground|camper/RV|pitch|caravan park',
  glamping: 'Glamping|tent|yurt|safari tent|tipi|treehouse|tree house|pod|dome',
  holiday_park: 'Holiday park|holiday village',
  houseboat: 'Houseboat|boat',
  castle: 'Castle|manor|stately home',
  other: 'Other|cave|shipping container|religious building|activity holiday accommodation',
};

/** Words for the types in German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const FOREIGN: Readonly<Partial<Record<keyof typeof TYPES, string>>> = {
  apartment:
    'Ferienwohnung|FeWo|Wohnung|Appartement|Apartament|Apartamento|Appartamento|Departamento|Piso|Mieszkanie|Vakantieappartement|Ferienappartement|Condomínio|T1|T2|T3|T4|T5',
  house:
    'Ferienhaus|Haus|Einfamilienhaus|Reihenhaus|Doppelhaushälfte|Gîte|Maison|Maison de vacances|Casa|Casa de vacaciones|Casa vacacional|Vivienda turística|Casa vacanze|Casa vacanza|Huis|Vakantiehuis|Vakantiewoning|Moradia|Casa de férias|Dom|Domek|Dom wakacyjny',
  villa: 'Willa',
  chalet: 'Almhütte',
  cabin: 'Hütte|Blockhaus|Cabane|Cabaña|Baita|Blokhut|Cabana',
  studio: 'Estudio|Monolocale|Estúdio|T0|Kawalerka',
  room: 'Zimmer|Privatzimmer|Chambre|Habitación|Camera|Kamer|Quarto|Pokój',
  farm_stay: 'Bauernhof|Ferme|Casa rural|Boerderij|Quinta|Turismo rural|Agroturystyka',
  bed_and_breakfast: "Chambre d'hôtes|Chambres d'hôtes",
  guest_house: "Gästehaus|Maison d'hôtes|Casa de huéspedes|Affittacamere|Pensione|Gasthuis|Pensão|Pensjonat",
  hotel: 'Hôtel|Albergo',
  hostel: 'Herberge|Jugendherberge|Auberge de jeunesse|Ostello|Jeugdherberg|Pousada da juventude',
  campsite: 'Campingplatz|Emplacement|Campeggio|Kampeerplaats|Parque de campismo|Pole namiotowe',
  holiday_park: 'Ferienpark|Feriendorf|Village de vacances|Villaggio turistico|Vakantiepark',
  houseboat: 'Hausboot|Péniche|Casa flotante|Casa galleggiante|Woonboot|Barco casa|Dom na wodzie',
  castle: 'Schloss|Burg|Château|Castillo|Castello|Kasteel|Castelo|Zamek',
  other: 'Sonstige|Sonstiges|Autre|Otro|Altro|Overig|Outro|Inne',
};

export const PROPERTY_TYPES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TYPES).map(([type, text]) => {
    const names = text.split('|');
    const foreign = FOREIGN[type as keyof typeof TYPES]?.split('|') ?? [];
    return [type, [...names, ...names.flatMap((name) => [`entire ${name}`, `room in ${name}`]), ...foreign]];
  }),
);
for (const text of Object.values(TYPES))
  for (const name of text.split('|'))
    (PROPERTY_TYPES.room as string[]).push(`private room in ${name}`, `shared room in ${name}`);
