import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { FieldTable } from '../contract/fields.ts';
import type { PropertyAnswers } from '../editing/new-property-answers.ts';
import { planPhotoRemoval } from '../editing/photo-uses.ts';
import { readBoundedText } from '../files/files-and-folders.ts';
import { PACKAGE_ROOT } from '../package/package-root.ts';
import { readTerms } from '../source/configuration-file.ts';
import { pointInCountry } from '../source/coordinates-check.ts';
import { findPropertyFiles } from '../source/find-property-files.ts';
import { MAX_FILE_BYTES } from '../source/source-text.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { isMapping } from '../values/mapping.ts';

const PICTURES = new URL('starter/pictures/', PACKAGE_ROOT);

/** Values of fields that the starter declares. An existing catalogue might declare only some of them. */
const DECLARED: Readonly<Record<string, string>> = {
  'title@fr': 'Le cottage des roses',
  description:
    'A stone cottage above the sea, with an open fire and a walled garden.\nThe beach is five minutes away on foot.',
  'description@fr':
    'Un cottage en pierre face à la mer, avec cheminée et jardin clos.\nLa plage est à cinq minutes à pied.',
  max_guests: '4',
  bedrooms: '2',
  check_in_from: '15:00',
  check_in_until: '20:00',
  check_out_until: '11:00',
  website: 'https://rosecottage.example/',
};

export function exampleProperty(country: string, currency: string, { all }: FieldTable): PropertyAnswers {
  const declared = Object.fromEntries(Object.entries(DECLARED).filter(([name]) => all.has(name)));
  return {
    ...declared,
    title: 'Rose Cottage',
    country,
    city: 'Seaview',
    currency,
    ...(pointInCountry(country) ?? { latitude: '1.00000', longitude: '1.00000' }),
    address: '12 Quay Street',
    email: 'stay@rosecottage.example',
    // Ofcom reserves this number for fiction; nobody has it.
    phone: '+44 131 496 0123',
    facilities: ['wifi', 'kitchen', 'fireplace', 'garden', 'sea_view', 'free_parking', 'pets_allowed'],
    photos: readdirSync(PICTURES)
      .sort()
      .map((name) => ({ path: fileURLToPath(new URL(name, PICTURES)), description: captionOf(name) })),
    hotel_policy: [{ policy_type: 'cancellation', detail: 'Free until 14 days before arrival.' }],
    payment_method: [{ is_enabled: true, method_type: 'direct' }],
  };
}

export function findExample(content: string): string | undefined {
  if (!existsSync(content)) return undefined;
  const { fields } = readTerms(content);
  return findPropertyFiles(content).files.find((path) => {
    if (!/(?:^|\/)rose-cottage\.yaml$/.test(path)) return false;
    const { value } = readYamlExactly(readBoundedText(join(content, path), MAX_FILE_BYTES), path);
    if (!isMapping(value)) return false;
    const { id: _id, photo: _photo, ...own } = value;
    const { photos: _photos, ...made } = exampleProperty(String(own.country), String(own.currency), fields);
    return isDeepStrictEqual(
      JSON.parse(JSON.stringify(own), textOf),
      JSON.parse(JSON.stringify(made), textOf),
    );
  });
}

const textOf = (_key: string, value: unknown) => (typeof value === 'boolean' ? String(value) : value);

export function removeExample(content: string, path: string): void {
  for (const one of [...planPhotoRemoval(content, path).photos, path]) rmSync(join(content, one));
}

function captionOf(name: string): string {
  const words = name.replace(/^\d+-|\.\w+$/g, '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
