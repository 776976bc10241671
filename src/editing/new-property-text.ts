/** Writes the file of a new property: its values, and comments that show the other fields. */
import { entryFields, type FieldName, fieldOf, UNQUOTED_NAMES } from '../contract/fields.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import type { Answers, NewPhoto } from './answers.ts';
import { propertyYaml } from './property-text.ts';
import { scalarText } from './scalar.ts';

/** A property to write. `files`: its photos, with paths relative to its file. */
export type NewProperty = Answers & { readonly id: string; readonly files: readonly NewPhoto[] };

/** Returns the text of the file, already formatted. `schemaLine`: the comment that names the JSON Schema. */
export function newPropertyText(property: NewProperty, schemaLine: string, vocabulary: Vocabulary): string {
  const { files, policies, payments, facilities, photos: _copied, ...texts } = property;
  const trimmed = Object.entries(texts).map(([field, text]) => [field, text?.trim()]);
  return propertyYaml(
    {
      ...(Object.fromEntries(trimmed) as typeof texts),
      facilities: [...facilities],
      photo: files.map(({ path, description }) => ({ file: path, ...(description && { description }) })),
      hotel_policy: [...policies],
      payment_method: payments.map((method_type) => ({ is_enabled: true, method_type })),
    },
    {
      head: `${schemaLine}
# Lines that start with "#" show what else a property may hold: fill in a value, and remove the mark.
`,
      absent: (field) => commented(field, vocabulary),
    },
  );
}

/** Formats a field as a comment, with example and description. */
function commented(field: FieldName, { facilities }: Vocabulary): string {
  const { kind, description, examples = [] } = fieldOf(field);
  const [example] = examples;
  if (kind !== 'words' && kind !== 'entries')
    return `# ${field}: ${written(field, example)} # ${description}\n`;
  const lines =
    kind === 'words'
      ? [
          `  - ${field === 'facilities' ? (facilities.words[0] ?? 'wifi') : String((example as unknown[])[0])}`,
        ]
      : (example as Record<string, unknown>[]).flatMap((entry) =>
          [...entryFields(field).keys()]
            .filter((key) => Object.hasOwn(entry, key))
            .map((key, index) => `${index === 0 ? '  - ' : '    '}${key}: ${written(key, entry[key])}`),
        );
  return [`${field}: # ${description}`, ...lines].map((line) => `# ${line}\n`).join('');
}

function written(name: string, value: unknown): string {
  return scalarText(String(value), { number: UNQUOTED_NAMES.has(name) });
}
