/** Writes one authored property as YAML, the way a careful editor would. */

/** A photo of the catalogue's own (`file`, relative to the YAML file) or elsewhere (`url`, https). */
export type PhotoEntry = ({ file: string } | { url: string }) & { description?: string; position?: number };

/** What one YAML file holds. Absent and empty texts and lists are left out of it. */
export interface PropertyFile {
  id: string;
  title: string;
  currency: string;
  email?: string;
  phone?: string;
  zip_code?: string;
  city: string;
  state?: string;
  address?: string;
  country: string;
  /** Plain decimals. */
  latitude: string;
  longitude: string;
  facilities: readonly string[];
  photo: readonly PhotoEntry[];
  hotel_policy: readonly { policy_type: string; detail: string }[];
  payment_method: readonly { is_enabled: boolean; method_type: 'direct' | 'property' }[];
}

/**
 * The text of the file. Read with the failsafe schema of YAML 1.2 it gives back exactly the given texts.
 *
 * @param comment lines for the top of the file, without `#`
 */
export function propertyYaml(property: PropertyFile, comment: readonly string[] = []): string {
  const groups = [
    comment.map((line) => `# ${line}\n`).join(''),
    entry('id', code(property.id)) + entry('title', prose(property.title)),
    entry('currency', code(property.currency)) +
      entry('email', code(property.email)) +
      entry('phone', code(property.phone)),
    entry('zip_code', code(property.zip_code)) +
      entry('city', prose(property.city)) +
      entry('state', prose(property.state)) +
      entry('address', prose(property.address)) +
      entry('country', code(property.country)) +
      entry('latitude', code(property.latitude)) +
      entry('longitude', code(property.longitude)),
    list(
      'facilities',
      property.facilities.map((facility) => `  - ${code(facility)}\n`),
    ),
    list('photo', property.photo.map(photoItem)),
    list(
      'hotel_policy',
      property.hotel_policy.map(
        (policy) =>
          `  - policy_type: ${code(policy.policy_type)}\n` + `    detail: ${prose(policy.detail)}\n`,
      ),
    ),
    list(
      'payment_method',
      property.payment_method.map(
        (method) => `  - is_enabled: ${method.is_enabled}\n    method_type: ${method.method_type}\n`,
      ),
    ),
  ];
  return groups.filter((group) => group !== '').join('\n');
}

/** A YAML list of texts under a key, indented by `indent` spaces; for configuration files. */
export function textList(key: string, texts: readonly string[], indent = 0): string {
  const margin = ' '.repeat(indent);
  return `${margin}${key}:\n${texts.map((text) => `${margin}  - ${code(text)}\n`).join('')}`;
}

function photoItem(photo: PhotoEntry): string {
  const description = prose(photo.description);
  return (
    ('file' in photo ? `  - file: ${code(photo.file)}\n` : `  - url: ${code(photo.url)}\n`) +
    (description === '' ? '' : `    description: ${description}\n`) +
    (photo.position === undefined ? '' : `    position: ${photo.position}\n`)
  );
}

function entry(key: string, scalar: string): string {
  return scalar === '' ? '' : `${key}: ${scalar}\n`;
}

function list(key: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${key}:\n${items.join('')}`;
}

/** Anything that cannot stand in a plain scalar of one line (YAML 1.2.2, 7.3.3), and white space at its ends. */
const NOT_PLAIN =
  /^[\s?:,[\]{}#&*!|>'"%@`]|^-(?!\d)|:(?:\s|$)|\s#|\s$|[^ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** What other readers of YAML, or a human, would take for a number, a boolean or nothing. */
const MISLEADING =
  /^(?:~|null|true|false|yes|no|on|off|y|n|<<|=|[-+]?\.(?:inf|nan)|0[xo][\da-f]+|[-+]?[.\d][\d.,_:+-]*(?:e[-+]?\d+)?)$/i;

/** A scalar of a fixed form, such as a code, a number or a path: quoted only where the syntax asks for it. */
function code(text = ''): string {
  return NOT_PLAIN.test(text) ? quoted(text) : text;
}

/** A scalar of free text: quoted also where it could be taken for something else. */
function prose(text = ''): string {
  return NOT_PLAIN.test(text) || MISLEADING.test(text) ? quoted(text) : text;
}

/** What a double-quoted scalar must or should write as an escape, besides those of JSON. */
const ESCAPED = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g;

function quoted(text: string): string {
  const double = JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const needsEscapes = double.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\') !== text;
  return !needsEscapes && /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : double;
}
