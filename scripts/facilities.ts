/** The facility identifiers of the made catalogues, in the order in which properties list them. */
export const FACILITIES = [
  'wifi',
  'breakfast',
  'restaurant',
  'bar',
  'kitchen',
  'refrigerator',
  'microwave',
  'oven',
  'dishwasher',
  'coffee_maker',
  'kettle',
  'barbecue',
  'free_parking',
  'paid_parking',
  'ev_charger',
  'reception_24h',
  'self_check_in',
  'private_entrance',
  'luggage_storage',
  'lift',
  'step_free_access',
  'air_conditioning',
  'heating',
  'fireplace',
  'tv',
  'workspace',
  'meeting_rooms',
  'bathtub',
  'hair_dryer',
  'iron',
  'washing_machine',
  'tumble_dryer',
  'bed_linen',
  'safe',
  'garden',
  'terrace',
  'swimming_pool',
  'hot_tub',
  'sauna',
  'spa',
  'gym',
  'bicycles',
  'beach_access',
  'waterfront',
  'sea_view',
  'mountain_view',
  'historic_building',
  'camping_pitches',
  'glamping_tents',
  'outdoor_activities',
  'family_friendly',
  'cot',
  'high_chair',
  'pets_allowed',
  'long_stays',
  'smoke_alarm',
  'carbon_monoxide_alarm',
  'fire_extinguisher',
  'first_aid_kit',
] as const;

/** One of them. */
export type Facility = (typeof FACILITIES)[number];

/** The facilities in the order of the vocabulary, each once. */
export function inVocabularyOrder(facilities: Iterable<Facility>): Facility[] {
  const chosen = new Set(facilities);
  return FACILITIES.filter((facility) => chosen.has(facility));
}

/** The policy types of the made catalogues: those that the interface specification has seen. */
export const POLICY_TYPES = ['check_in', 'check_out', 'cancellation', 'no_show'] as const;
