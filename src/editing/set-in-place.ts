import { CST, isMap, isScalar, isSeq, type Pair, Scalar } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { isMapping } from '../values/mapping.ts';
import type { FieldLines } from './editable-text.ts';
import { equalsValue, fitsLiteralBlock } from './field-text.ts';
import type { AuthoredValue } from './field-values.ts';
import { doubleQuoted, isMisleadingScalar, scalarText, singleQuoted } from './scalar.ts';

/**
 * Overwrites a value within the tokens of the `yaml` package. Returns false if that is impossible, as when entries or
 * keys are added, removed or moved.
 */
export function setInPlace(
  { pair, token, name }: FieldLines,
  value: AuthoredValue,
  fields: FieldTable,
): boolean {
  const number = (of: string) => fields.unquoted.has(of);
  if (typeof value === 'string' && isEmpty(pair.value)) return fillEmpty(token, number(name), value);
  return setNode(pair.value, value, { name, number }, false);
}

const isEmpty = (node: unknown) =>
  node === null || (isScalar(node) && node.source === '' && node.type === 'PLAIN');

function fillEmpty({ sep = [] }: CST.CollectionItem, number: boolean, value: string): boolean {
  const colon = sep.findIndex(({ type }) => type === 'map-value-ind');
  if (colon < 0 || value.includes('\n')) return false;
  const source = ` ${scalarText(value, { number })}`;
  sep.splice(colon + 1, 0, { type: 'space', offset: 0, indent: 0, source });
  return true;
}

type Place = { readonly name: string; readonly number: (name: string) => boolean };

function setNode(node: unknown, value: AuthoredValue | undefined, place: Place, inFlow: boolean): boolean {
  if (equalsValue(node, value)) return true;
  if (isScalar(node))
    return typeof value === 'string' && setScalar(node, value, place.number(place.name), inFlow);
  if (isSeq(node)) {
    const flow = inFlow || node.flow === true;
    if (!Array.isArray(value) || value.length !== node.items.length) return false;
    // Entries that move take their comments along, so the list has to be printed again.
    const isKept = (index: number) => equalsValue(node.items[index], value[index]);
    const moves = (item: unknown, index: number) =>
      !isKept(index) && value.some((other, at) => !isKept(at) && equalsValue(item, other));
    return (
      !node.items.some(moves) && node.items.every((item, index) => setNode(item, value[index], place, flow))
    );
  }
  if (!isMap(node) || !isMapping(value)) return false;
  const fields = value as { readonly [field: string]: AuthoredValue };
  const keys = node.items.map(({ key }) => String(key));
  if (Object.keys(fields).some((key) => fields[key] !== null && !keys.includes(key))) return false;
  return (node.items as Pair[]).every((pair, index) =>
    setNode(
      pair.value,
      fields[keys[index]!],
      { ...place, name: `${place.name}.${keys[index]}` },
      inFlow || node.flow === true,
    ),
  );
}

function setScalar(node: Scalar, value: string, number: boolean, inFlow: boolean): boolean {
  const token = node.srcToken as CST.FlowScalar | CST.BlockScalar | undefined;
  if (!token || isEmpty(node)) return false;
  if (token.type === 'block-scalar') {
    // Trailing line breaks belong to the block scalar, whose header decides how many are kept.
    const ending = /\n*$/.exec(String(node.value))![0];
    const body = value.replace(/\n+$/, '');
    if (fitsLiteralBlock(`${body}\n.`))
      CST.setScalarValue(token, body + ending, { afterKey: true, type: node.type! });
    else {
      CST.setScalarValue(token, '', { afterKey: true, type: Scalar.QUOTE_DOUBLE });
      token.source = doubleQuoted(value);
    }
  } else if (!inFlow && fitsLiteralBlock(value) && !String(node.value).includes('\n')) {
    CST.setScalarValue(token, value, { afterKey: true, type: 'BLOCK_LITERAL' });
  } else token.source = inStyle(node, value, { number, flow: inFlow });
  return true;
}

function inStyle(node: Scalar, to: string, place: { flow: boolean; number: boolean }): string {
  if (node.type === 'QUOTE_DOUBLE') return doubleQuoted(to);
  if (node.type === 'QUOTE_SINGLE') return singleQuoted(to) ?? doubleQuoted(to);
  // An unquoted number such as 01234 is replaced by an unquoted one.
  const isNumeric = [String(node.source), to].every(
    (text) => /^[+.\d]/.test(text) && isMisleadingScalar(text),
  );
  return scalarText(to, { ...place, number: place.number || isNumeric });
}
