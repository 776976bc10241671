import type { ExplorerSettings } from '../contract/explorer.ts';
import type { Field, FieldType } from '../contract/fields.ts';

export type CodeInfo = { readonly code: string; readonly name: string; readonly synonyms: readonly string[] };

export type CatalogueResponse = {
  readonly title: string;
  /** Identifies the content folder in the browser's storage, which all catalogues at the same address share. */
  readonly storageId: string;
  readonly fields: readonly FieldInfo[];
  readonly vocabulary: {
    readonly facilities: readonly VocabularyWord[];
    readonly policy_types: readonly VocabularyWord[];
  };
  readonly isOpen: { readonly facilities: boolean; readonly policy_types: boolean };
  /** Sorted by name. `currency`: the country's main currency; null if it has none. */
  readonly countries: readonly (CodeInfo & { readonly currency: string | null })[];
  readonly currencies: readonly CodeInfo[];
  /** Names of cities in use, most frequent first, by country code. */
  readonly cities: Readonly<Record<string, readonly string[]>>;
  readonly photos: PhotoLimits;
  readonly settings: ExplorerSettings;
};

export type FieldInfo = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** A valid value; empty if the schema has none. */
  readonly example: string;
  readonly kind: Field['kind'];
  readonly group: Field['group'] | null;
  readonly required: boolean;
  readonly vocabulary: 'facilities' | 'policy_types' | null;
  readonly values: readonly string[] | null;
  /** Values to offer, if the settings declare the field with `type: choice` or `type: language`; otherwise null. */
  readonly choices: readonly VocabularyWord[] | null;
  readonly isDeclared: boolean;
  /** Type of a field that the settings declare, or of its entries if it is a list; null for other fields. */
  readonly type: FieldType | null;
  /** Empty if the field has none. */
  readonly unit: string;
  /** Name of the field that this one translates; null if it is not a translation. */
  readonly base: string | null;
  readonly language: string | null;
  readonly isTranslated: boolean;
  /** Fields of an entry if the field is a list of mappings; otherwise empty. */
  readonly fields: readonly FieldInfo[];
};

export type VocabularyWord = {
  readonly word: string;
  readonly label: string;
  /** In lower case, with only letters and digits. */
  readonly synonyms: readonly string[];
};

export type PhotoLimits = {
  readonly maxBytes: number;
  readonly types: readonly string[];
  readonly maxWidth: number;
};
