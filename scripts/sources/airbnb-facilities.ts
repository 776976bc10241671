import { type Facility, inVocabularyOrder } from '../facilities.ts';

/** What Airbnb's amenities mean in the vocabulary; those that match nothing are left out. */
const AMENITIES: readonly [Facility, RegExp][] = [
  ['wifi', /^(?:fast )?wi-?fi\b|^wireless internet$/],
  ['breakfast', /^breakfast\b/],
  ['kitchen', /^(?:full |shared |private )?kitchen(?:ette)?$/],
  ['refrigerator', /\b(?:refrigerator|fridge)\b/],
  ['microwave', /\bmicrowave\b/],
  ['oven', /(?<!microwave )\boven$/],
  ['dishwasher', /\bdishwasher\b/],
  ['coffee_maker', /^coffee maker\b|\bnespresso\b/],
  ['kettle', /\bkettle\b/],
  ['barbecue', /\b(?:bbq|barbecue) grill\b/],
  ['free_parking', /^free (?:.*\bparking|.*\bgarage|.*\bcarport)\b/],
  ['paid_parking', /^paid (?:.*\bparking|.*\bgarage|.*\bcarport)\b/],
  ['ev_charger', /^ev charger\b/],
  ['self_check_in', /^(?:self check-in|lockbox|keypad|smart lock|24-hour check-in)$/],
  ['private_entrance', /^private entrance$/],
  ['luggage_storage', /^luggage dropoff/],
  ['lift', /^elevator\b/],
  ['step_free_access', /^(?:no stairs or steps to enter|step-free access|wheelchair accessible)$/],
  ['air_conditioning', /\bair conditioning\b|^ac - |^window ac\b/],
  ['heating', /^(?:central |radiant |portable )?heat(?:ing|er)\b/],
  ['fireplace', /^indoor fireplace\b/],
  ['tv', /^(?:cable )?tv\b|\bhdtv\b/],
  ['workspace', /\bworkspace\b/],
  ['bathtub', /^bathtub$/],
  ['hair_dryer', /^hair dryer$/],
  ['iron', /^iron$/],
  ['washing_machine', /^(?:free |paid )?washer\b/],
  ['tumble_dryer', /^(?:free |paid )?dryer\b/],
  ['bed_linen', /^bed linens$/],
  ['safe', /^safe$/],
  ['garden', /^garden or backyard$|^(?:private |shared )?backyard\b/],
  ['terrace', /^(?:private |shared )?patio or balcony\b/],
  ['swimming_pool', /^(?:private |shared |indoor |outdoor |heated )*pool(?:$| - )/],
  ['hot_tub', /\bhot tub\b/],
  ['sauna', /\bsauna\b/],
  ['gym', /^(?:private |shared )?gym\b/],
  ['bicycles', /^bikes$/],
  ['beach_access', /\bbeach access\b|^beachfront$/],
  ['waterfront', /^waterfront$/],
  ['sea_view', /^(?:sea|ocean|bay|harbor) view$/],
  ['mountain_view', /^mountain view$/],
  ['family_friendly', /^family\/kid friendly$/],
  ['cot', /^(?:paid )?(?:crib|pack ’n play)/],
  ['high_chair', /\bhigh chair\b/],
  ['pets_allowed', /^pets allowed$/],
  ['long_stays', /^long term stays allowed$/],
  ['smoke_alarm', /^smoke (?:alarm|detector)$/],
  ['carbon_monoxide_alarm', /^carbon monoxide (?:alarm|detector)$/],
  ['fire_extinguisher', /^fire extinguisher$/],
  ['first_aid_kit', /^first aid kit$/],
];

/** Finds the facilities that a listing's amenities amount to; each amenity is looked at only the first time. */
export function createAirbnbFacilities(): (amenities: readonly string[]) => Facility[] {
  const known = new Map<string, Facility[]>();
  const meaning = (amenity: string): Facility[] => {
    const before = known.get(amenity);
    if (before) return before;
    const text = amenity.trim().toLowerCase();
    const found = AMENITIES.filter(([, pattern]) => pattern.test(text)).map(([facility]) => facility);
    known.set(amenity, found);
    return found;
  };
  return (amenities) => inVocabularyOrder(amenities.flatMap(meaning));
}
