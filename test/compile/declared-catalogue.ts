/** A catalogue with every known field, every type and three languages. */
export const SETTINGS = 'page_sizes: [25]\ntargets: []\nexplorer: { enabled: false }\ndocs: false\n';
export const DECLARATION = `languages: [en, fr, pt-BR]
fields:
  description:
  summary: {}
  property_type: {}
  website: {}
  booking_url: {}
  max_guests: { required: true }
  bedrooms: {}
  beds: {}
  bathrooms: {}
  floor_area: {}
  stars: {}
  check_in_from: {}
  check_in_until: {}
  check_out_until: {}
  minimum_nights: {}
  price_from: {}
  registration_number: {}
  spoken_languages: {}
  reference: {}
  lake_distance: { type: integer, label: Distance to the lake, unit: m, minimum: 0 }
  slogan: { type: text, translate: true, label: Slogan }
  rules: { type: lines }
  sauna: { type: choice, choices: { wood: Wood-fired, electric: Electric } }
  views: { type: choice, list: true, choices: [sea, lake] }
  links: { type: link, list: true }
  quiet: { type: boolean }
  opened: { type: date }
`;
export const FULL = `
description: |
  A quiet house by the sea.

  Two dogs live here.
description@fr: Une maison calme.
description@pt-BR: Uma casa calma.
title@fr: Le cottage
summary: "- 5 min to the beach"
property_type: cottage
website: http://rose.example
booking_url: https://rose.example/book
max_guests: 6
bedrooms: 0
beds: 4
bathrooms: 1.50
floor_area: 85.5
stars: 3
check_in_from: "15:00"
check_in_until: "24:00"
check_out_until: "11:00"
minimum_nights: 2
price_from: 95.10
registration_number: [ES-1, 'a, "b"']
spoken_languages: [en, fr]
reference: "007"
lake_distance: 120
slogan@fr: Le calme
rules: "a\\nb"
sauna: wood
views: [sea, lake]
links: [https://a.example]
quiet: false
opened: 2020-04-01
photo:
  - { url: "https://a.example/1.jpg", position: 2, id: 22222222-2222-4222-8222-222222222222, description: Front, description@fr: Devant }
  - { url: "https://a.example/2.jpg", position: 1, id: 11111111-1111-4111-8111-111111111111, description@pt-BR: Atrás }
hotel_policy:
  - { policy_type: check_in, detail: From 15. }
  - { policy_type: check_out, detail: Until 11., detail@fr: Jusqu'à 11 h. }
`;
