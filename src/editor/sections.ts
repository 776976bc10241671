import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';

export type SectionInfo = {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly fields: readonly FieldInfo[];
};

type Described = Omit<SectionInfo, 'fields'> & {
  readonly groups: readonly string[];
  readonly first?: readonly string[];
};

const SECTIONS: readonly Described[] = [
  { id: 'basics', title: 'Name', lead: 'What guests read first.', groups: ['name'] },
  {
    id: 'place',
    title: 'Where it is',
    lead: 'Guests find it by country and city, and on the map.',
    groups: ['place'],
    first: ['country', 'city', 'address', 'zip_code', 'state'],
  },
  {
    id: 'details',
    title: 'More about it',
    lead: 'What guests ask first: how many sleep there, and how they book.',
    groups: ['details'],
  },
  {
    id: 'photos',
    title: 'Photos',
    lead: 'The first photo is the one that lists show. Large photos are made smaller; all are turned upright and freed of hidden data, such as where they were taken.',
    groups: ['photos'],
  },
  { id: 'facilities', title: 'Facilities', lead: 'What there is for guests.', groups: ['facilities'] },
  { id: 'policies', title: 'Policies', lead: 'The rules of the house, one by one.', groups: ['policies'] },
  {
    id: 'contact',
    title: 'Contact and payment',
    lead: 'How guests book, and how they pay.',
    groups: ['contact', 'payments'],
    first: ['email', 'phone', 'currency'],
  },
  {
    id: 'visibility',
    title: 'When it is shown',
    lead: 'A draft is not published; neither is a property before its first day and after its last.',
    groups: ['visibility'],
  },
];

const UNWRITTEN = 'id';

/** Puts fields of an unknown group into the first section, and translations into none. */
export function sectionsOf({ fields }: Pick<CatalogueResponse, 'fields'>): SectionInfo[] {
  const known = new Set<string>(SECTIONS.flatMap(({ groups }) => groups));
  return SECTIONS.map(({ groups, first = [], ...section }, index) => {
    const own = fields.filter(
      ({ name, group, base }) =>
        name !== UNWRITTEN &&
        !base &&
        group !== null &&
        (groups.includes(group) || (index === 0 && !known.has(group))),
    );
    const place = ({ name }: FieldInfo) => (first.includes(name) ? first.indexOf(name) : first.length);
    return { ...section, fields: own.toSorted((one, other) => place(one) - place(other)) };
  }).filter(({ fields: own }) => own.length > 0);
}
