/** Properties with the fields that a catalogue declares. */
import type { Declarations } from '../contract/declarations.ts';
import type { Property as InterfaceProperty, PropertyRecord as InterfaceRecord } from './types.ts';

/** The declared fields of a catalogue, as its OpenAPI document has them in `Attributes`; undefined: of any catalogue. */
type Declared<Attributes> = ([Attributes] extends [undefined]
  ? Pick<Declarations, 'attributes'>
  : { readonly attributes: Attributes }) &
  Pick<Declarations, 'translations'>;

export type Property<Attributes = undefined> = InterfaceProperty & Declared<Attributes>;
export type PropertyRecord<Attributes = undefined> = InterfaceRecord & Declared<Attributes>;
