/** Writes one authored property as YAML, the way a careful editor would: as `format` leaves it. */
import { blockText, scalarText } from './scalar.ts';

/** A photo of the catalogue's own (`file`, relative to the YAML file) or elsewhere (`url`, https). */
export type PhotoEntry = ({ file: string } | { url: string; thumbnail?: string }) & {
  description?: string;
  id?: string;
  position?: number;
};

/** What one YAML file holds. Absent and empty texts and lists are left out of it. */
export type PropertyFile = {
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
};

/**
 * The text of the file. Read with the failsafe schema of YAML 1.2 it gives back exactly the given texts.
 *
 * @param comment lines for the top of the file, without `#`
 */
export function propertyYaml(property: PropertyFile, comment: readonly string[] = []): string {
  const groups = [
    comment.map((line) => `# ${line}\n`).join(''),
    entry('id', text(property.id)) + entry('title', text(property.title)),
    entry('currency', text(property.currency)) +
      entry('email', text(property.email)) +
      entry('phone', text(property.phone)),
    entry('zip_code', text(property.zip_code)) +
      entry('city', text(property.city)) +
      entry('state', text(property.state)) +
      entry('address', text(property.address)) +
      entry('country', text(property.country)) +
      entry('latitude', number(property.latitude)) +
      entry('longitude', number(property.longitude)),
    list(
      'facilities',
      property.facilities.map((facility) => `  - ${text(facility)}\n`),
    ),
    list('photo', property.photo.map(photoItem)),
    list(
      'hotel_policy',
      property.hotel_policy.map(
        (policy) =>
          `  - policy_type: ${text(policy.policy_type)}\n` + `    detail: ${lines(policy.detail)}\n`,
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
  return `${margin}${key}:\n${texts.map((entry) => `${margin}  - ${scalarText(entry)}\n`).join('')}`;
}

function photoItem(photo: PhotoEntry): string {
  const description = lines(photo.description);
  return (
    ('file' in photo ? `  - file: ${text(photo.file)}\n` : `  - url: ${text(photo.url)}\n`) +
    ('thumbnail' in photo && photo.thumbnail ? `    thumbnail: ${text(photo.thumbnail)}\n` : '') +
    (description === '' ? '' : `    description: ${description}\n`) +
    (photo.id === undefined ? '' : `    id: ${text(photo.id)}\n`) +
    (photo.position === undefined ? '' : `    position: ${photo.position}\n`)
  );
}

function entry(key: string, scalar: string): string {
  return scalar === '' ? '' : `${key}: ${scalar}\n`;
}

function list(key: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${key}:\n${items.join('')}`;
}

function text(value = ''): string {
  return value === '' ? '' : scalarText(value);
}

/** A text of an entry, whose line breaks are shown as such. */
function lines(value = ''): string {
  return blockText(value, '      ') ?? text(value);
}

function number(value: string): string {
  return scalarText(value, { number: true });
}
