/**
 * The catalogue's fields, vocabulary and settings, as the editor page needs them: the answer to `GET catalogue` in
 * `api.ts`.
 */
import type { ExplorerSettings } from '../contract/explorer.ts';
import type { Field, FieldType } from '../contract/fields.ts';

export type CodeInfo = { readonly code: string; readonly name: string; readonly synonyms: readonly string[] };

export type CatalogueResponse = {
  readonly title: string;
  /** All fields of a property, in the form's order. */
  readonly fields: readonly FieldInfo[];
  readonly vocabulary: { readonly facilities: readonly Word[]; readonly policy_types: readonly Word[] };
  /** Whether values outside the vocabulary are allowed. */
  readonly isOpen: { readonly facilities: boolean; readonly policy_types: boolean };
  /** Sorted by name. `currency`: the country's main currency, or null. */
  readonly countries: readonly (CodeInfo & { readonly currency: string | null })[];
  readonly currencies: readonly CodeInfo[];
  /** Cities in use by country code, the most frequent first. */
  readonly cities: Readonly<Record<string, readonly string[]>>;
  readonly photos: PhotoLimits;
  /** The explorer's settings; the preview shows a property as the explorer does. */
  readonly settings: ExplorerSettings;
};

/** A field of a property, or of a list's entries. */
export type FieldInfo = {
  readonly name: string;
  readonly label: string;
  /** Explanation in the form. */
  readonly help: string;
  /** A valid value; empty when the schema has none. */
  readonly example: string;
  readonly kind: Field['kind'];
  readonly group: Field['group'] | null;
  readonly required: boolean;
  readonly vocabulary: 'facilities' | 'policy_types' | null;
  readonly values: readonly string[] | null;
  /** Of a declared choice: its values with their labels; null for other fields. */
  readonly choices: readonly Word[] | null;
  /** Whether `catalogue.yaml` declares it. */
  readonly isDeclared: boolean;
  /** Type of a declared field, or of the entries of its list; else null. */
  readonly type: FieldType | null;
  /** Unit of a number; empty for none. */
  readonly unit: string;
  /** Of a translation: the field that it translates, and the language; else null. */
  readonly base: string | null;
  readonly language: string | null;
  /** Whether its text can be translated. */
  readonly isTranslated: boolean;
  /** Fields of the entries; empty for other kinds. */
  readonly fields: readonly FieldInfo[];
};

/** A term of the vocabulary. */
export type Word = {
  readonly word: string;
  readonly label: string;
  /** Synonyms, in lower case with only letters and digits. */
  readonly synonyms: readonly string[];
};

export type PhotoLimits = {
  readonly maxBytes: number;
  readonly types: readonly string[];
  /** Width in pixels to which wider photos are shrunk. */
  readonly maxWidth: number;
};
