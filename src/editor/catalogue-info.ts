/** What the page has to know of a catalogue and its words, as `api.ts` describes the request for it. */
import type { ExplorerSettings } from '../contract/explorer.ts';
import type { Field } from '../contract/fields.ts';

/** A code, and the texts that stand for it, as a choice has them. */
export type CodeInfo = { readonly code: string; readonly name: string; readonly synonyms: readonly string[] };

/** What there is to edit, and with which words. */
export type CatalogueAnswer = {
  readonly title: string;
  /** Every field of a property, in the order of the form. */
  readonly fields: readonly FieldInfo[];
  readonly vocabulary: { readonly facilities: readonly Word[]; readonly policy_types: readonly Word[] };
  /** Whether other words than those of the vocabulary are welcome. */
  readonly isOpen: { readonly facilities: boolean; readonly policy_types: boolean };
  /** By name. `currency`: the main currency of the country, or null. */
  readonly countries: readonly (CodeInfo & { readonly currency: string | null })[];
  readonly currencies: readonly CodeInfo[];
  /** Cities in use by code of the country, the commonest first. */
  readonly cities: Readonly<Record<string, readonly string[]>>;
  readonly photos: PhotoLimits;
  /** Of the explorer: the preview shows a property as it does. */
  readonly settings: ExplorerSettings;
};

/** A field of a property, or of the entries of a list. */
export type FieldInfo = {
  readonly name: string;
  readonly label: string;
  /** What it is, from the schema. */
  readonly help: string;
  /** A value that would do; empty when the schema has none. */
  readonly example: string;
  readonly kind: Field['kind'];
  /** Null for a field of an entry. */
  readonly group: Field['group'] | null;
  readonly required: boolean;
  /** The part of the vocabulary that its words come from. */
  readonly vocabulary: 'facilities' | 'policy_types' | null;
  /** The only values that it takes; null where there are more. */
  readonly values: readonly string[] | null;
  /** Fields of its entries; empty for every other kind. */
  readonly fields: readonly FieldInfo[];
};

/** A word of the vocabulary. */
export type Word = {
  readonly word: string;
  readonly label: string;
  /** Other texts that stand for it, as letters and digits alone in lower case. */
  readonly synonyms: readonly string[];
};

/** What a photo may be. */
export type PhotoLimits = {
  /** Bytes. */
  readonly maxBytes: number;
  /** Media types. */
  readonly types: readonly string[];
  /** Pixels to which a wider one is shrunk. */
  readonly maxWidth: number;
};
