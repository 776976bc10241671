/** Reads and checks a content folder as an external tool would, without the compiler. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import parsePhoneNumber from 'libphonenumber-js/max';
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { parse } from 'yaml';
import { foldedName } from '../../scripts/sample-data/cities.ts';
import { type AuthoredProperty, authoredSchemaOf } from '../../src/contract/authored.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';

/** One property file: where it is, and what it holds. */
export interface ContentFile {
  /** Relative to the content folder, with `/`. */
  path: string;
  text: string;
  property: AuthoredProperty;
}

/** Every file of a folder, sorted, relative to it, with `/`. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

/** All properties; a file that does not fit the schema throws with its path. */
export function readContent(folder: string): ContentFile[] {
  const schema = authoredSchemaOf(declaredTerms(readConfiguration(folder).usable).fields);
  return listFiles(folder)
    .filter((path) => path.endsWith('.yaml') && path !== 'catalogue.yaml')
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const checked = schema.safeParse(parse(text, { schema: 'failsafe' }));
      if (!checked.success) throw new Error(`${path}: ${JSON.stringify(checked.error.issues)}`);
      return { path, text, property: checked.data };
    });
}

/** The warnings of a build, as `path: problem`. */
export function warningsOf(files: readonly ContentFile[]): string[] {
  const spellings = new Map<string, string>();
  return files.flatMap(({ path, property, text }) => {
    const { city, country, email, phone, title, zip_code } = property;
    const folded = `${country} ${foldedName(city)}`;
    const spelling = spellings.get(folded) ?? city;
    spellings.set(folded, spelling);
    const typed = parse(text, { schema: 'failsafe' }) as { title: string; city: string };
    const zipFits =
      zip_code === '' || (postcodeValidatorExistsForCountry(country) && postcodeValidator(zip_code, country));
    const found: [boolean, string][] = [
      [email === '', 'no email'],
      [phone === '', 'no phone'],
      [phone !== '' && parsePhoneNumber(phone)?.isValid() !== true, `phone ${phone}`],
      [!zipFits, `zip_code ${zip_code}`],
      [typed.title !== title || typed.city !== city, 'title or city not trimmed or not NFC'],
      [spelling !== city, `city ${city} is ${spelling} elsewhere`],
    ];
    return found.filter(([wrong]) => wrong).map(([, what]) => `${path}: ${what}`);
  });
}

/** Control characters, zero-width characters, direction marks and byte-order marks, but for line feeds. */
export const INVISIBLE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
