/** The text of a new property: what is known of it, and in comments what it may say besides. */
import { authoredSchema } from '../contract/authored.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import type { Answers, NewPhoto, NewPolicy } from './answers.ts';
import { NUMBER_FIELDS } from './field.ts';
import { scalarText } from './scalar.ts';

/** A property of which the file is to be written. `files`: its photos, with paths relative to that file. */
export type NewProperty = Answers & { readonly id: string; readonly files: readonly NewPhoto[] };

type Field = keyof typeof authoredSchema.shape;

/** Fields that stand together. */
const GROUPS: readonly (readonly Field[])[] = [
  ['id', 'title'],
  ['currency', 'email', 'phone'],
  ['zip_code', 'city', 'state', 'address', 'country', 'latitude', 'longitude'],
  ['facilities'],
  ['photo'],
  ['hotel_policy'],
  ['payment_method'],
];

/** The text of the file, in the form that `catalogue format` gives it. `schemaLine`: names the JSON Schema. */
export function newPropertyText(property: NewProperty, schemaLine: string, vocabulary: Vocabulary): string {
  const groups = GROUPS.map((fields) =>
    fields.map((field) => fieldText(field, property, vocabulary)).join(''),
  );
  const head = `${schemaLine}
# Lines that start with "#" are what more a property may say: fill in, and remove the mark.
`;
  return [head, ...groups].join('\n');
}

function fieldText(field: Field, property: NewProperty, vocabulary: Vocabulary): string {
  switch (field) {
    case 'facilities':
      return property.facilities.length > 0
        ? `facilities:\n${property.facilities.map((word) => `  - ${scalarText(word)}\n`).join('')}`
        : commented(field, `  - ${vocabulary.facilities.words[0] ?? 'wifi'}\n`);
    case 'photo':
      return property.files.length > 0
        ? `photo:\n${property.files.map(photoText).join('')}`
        : commented(field, exampleOf(field));
    case 'hotel_policy':
      return property.policies.length > 0
        ? `hotel_policy:\n${property.policies.map(policyText).join('')}`
        : commented(field, exampleOf(field));
    case 'payment_method':
      return property.payments.length > 0
        ? `payment_method:\n${property.payments.map((type) => `  - is_enabled: true\n    method_type: ${type}\n`).join('')}`
        : commented(field, exampleOf(field));
    default: {
      const text = property[field]?.trim() ?? '';
      const place = { number: NUMBER_FIELDS.has(field) };
      return text === ''
        ? `# ${field}: ${exampleOf(field)} # ${meaningOf(field)}\n`
        : `${field}: ${scalarText(text, place)}\n`;
    }
  }
}

function photoText({ path, description }: NewPhoto): string {
  const caption = description
    ? `description: ${scalarText(description)}`
    : `# description: ${PHOTO_DESCRIPTION}`;
  return `  - file: ${scalarText(path)}\n    ${caption}\n`;
}

function policyText({ policy_type, detail }: NewPolicy): string {
  return `  - policy_type: ${scalarText(policy_type)}\n    detail: ${scalarText(detail)}\n`;
}

const PHOTO_DESCRIPTION = 'The house from the garden # Alternative text or caption.';

function commented(field: Field, lines: string): string {
  return `${field}: # ${meaningOf(field)}\n${lines}`.replace(/^/gm, '# ').replace(/# $/, '');
}

/** The example of the schema: of a text as it is written, of a list as lines. */
function exampleOf(field: Field): string {
  const [example] = (authoredSchema.shape[field].meta()?.examples ?? []) as unknown[];
  if (!Array.isArray(example)) return scalarText(String(example), { number: NUMBER_FIELDS.has(field) });
  return (example as Record<string, string>[])
    .map((entry) =>
      Object.entries(entry)
        .map(([key, text], index) => {
          const scalar = scalarText(text, { number: NUMBER_FIELDS.has(key) });
          return `${index === 0 ? '  - ' : '    '}${key}: ${scalar}\n`;
        })
        .join(''),
    )
    .join('');
}

function meaningOf(field: Field): string {
  return String(authoredSchema.shape[field].meta()?.description ?? '');
}
