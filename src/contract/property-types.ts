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

export const PROPERTY_TYPES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TYPES).map(([type, text]) => {
    const names = text.split('|');
    return [type, [...names, ...names.flatMap((name) => [`entire ${name}`, `room in ${name}`])]];
  }),
);
for (const text of Object.values(TYPES))
  for (const name of text.split('|'))
    (PROPERTY_TYPES.room as string[]).push(`private room in ${name}`, `shared room in ${name}`);
