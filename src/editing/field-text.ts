import { Document, isMap, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { isMapping } from '../values/mapping.ts';
import { memoizeBounded } from '../values/memoize.ts';
import { isPlainNull } from './editable-text.ts';
import type { AuthoredValue } from './field-values.ts';
import { NOT_PRINTABLE, scalarText } from './scalar.ts';

/** Whether list entries are indented below the name of their field. */
export type FieldStyle = { readonly indentSeq: boolean };

export const DEFAULT_FIELD_STYLE: FieldStyle = { indentSeq: true };

/**
 * A parser with the failsafe schema of YAML 1.2 reads every text back unchanged. Null is written as an empty text, but
 * a mapping's key with the value null is left out.
 */
export function fieldYaml(
  name: string,
  value: AuthoredValue,
  fields: FieldTable,
  style: FieldStyle = DEFAULT_FIELD_STYLE,
): string {
  return `${pairLines(name, name, value, fields, style).join('\n')}\n`;
}

const nameText = memoizeBounded((name) => scalarText(name));

function pairLines(
  key: string,
  name: string,
  value: AuthoredValue,
  fields: FieldTable,
  style: FieldStyle,
): string[] {
  const label = `${nameText(key)}:`;
  const lines = valueLines(name, value, fields, style);
  if (typeof value !== 'object' || value === null || /^[[{]/.test(lines[0]!))
    return below(`${label} `, lines);
  return Array.isArray(value) && !style.indentSeq ? [label, ...lines] : below(label, ['', ...lines]);
}

const below = (label: string, [first, ...rest]: readonly string[]) => [
  `${label}${first}`,
  ...rest.map((line) => line && `  ${line}`),
];

/** @param name such as `photo.position` */
function valueLines(name: string, value: AuthoredValue, fields: FieldTable, style: FieldStyle): string[] {
  if (Array.isArray(value)) {
    const items = value as readonly AuthoredValue[];
    return items.length === 0
      ? ['[]']
      : items.flatMap((item) => below('- ', valueLines(name, item, fields, style)));
  }
  if (isMapping(value)) {
    const known = fieldsIn(fields, name);
    const keys = [...known.keys(), ...Object.keys(value).filter((key) => !known.has(key))];
    const lines = keys.flatMap((key) => {
      const inner = (value as Values)[key] ?? null;
      return inner === null ? [] : pairLines(key, `${name}.${key}`, inner, fields, style);
    });
    return lines.length === 0 ? ['{}'] : lines;
  }
  const text = String(value ?? '');
  return fitsLiteralBlock(text)
    ? ['|-', ...text.split('\n')]
    : [scalarText(text, { number: fields.unquoted.has(name) })];
}

/**
 * Text of a value in a flow collection. Reuses nodes of `before` with their comments: an entry gets the node of an
 * equal old entry, or else the next unused node of the same kind.
 * @param name such as `photo.position`
 */
export function flowStyleYaml(
  name: string,
  value: AuthoredValue,
  before: unknown,
  fields: FieldTable,
): string {
  const root = new YAMLMap();
  root.items.push(new Pair(new Scalar('x'), flowNode(name, value, before, fields)));
  const document = new Document(root, { schema: 'failsafe' });
  const printed = { lineWidth: 0, doubleQuotedAsJSON: true, flowCollectionPadding: false };
  return document.toString(printed).slice('x: '.length, -1);
}

function flowNode(name: string, value: AuthoredValue, before: unknown, fields: FieldTable): Node {
  const list = Array.isArray(value) ? (value as readonly AuthoredValue[]) : undefined;
  if (list) return seqOf(name, list, isSeq(before) ? before : new YAMLSeq(), fields);
  if (isMapping(value)) return mapOf(name, value as Values, isMap(before) ? before : new YAMLMap(), fields);
  if (isScalar(before) && equalsValue(before, value)) return before as Node;
  const node = scalarOf(String(value ?? ''), fields.unquoted.has(name));
  const { comment, commentBefore, spaceBefore } = Object(before) as Scalar;
  return isScalar(before) ? Object.assign(node, { comment, commentBefore, spaceBefore }) : node;
}

type Values = { readonly [field: string]: AuthoredValue };

export function equalsValue(node: unknown, value: AuthoredValue | undefined): boolean {
  if (isScalar(node)) return isPlainNull(node) ? (value ?? null) === null : node.value === value;
  if (isSeq(node)) {
    const items = node.items;
    return (
      Array.isArray(value) &&
      items.length === value.length &&
      items.every((item, index) => equalsValue(item, value[index]))
    );
  }
  if (!isMap(node)) return (value ?? null) === null;
  if (!isMapping(value)) return false;
  const fields = value as Values;
  const names = new Set([...node.items.map(({ key }) => String(key)), ...Object.keys(fields)]);
  return [...names].every((name) => equalsValue(node.get(name, true), fields[name]));
}

function seqOf(name: string, values: readonly AuthoredValue[], seq: YAMLSeq, fields: FieldTable): YAMLSeq {
  const old = [...seq.items];
  const found = values.map((value) => take(old, (item) => equalsValue(item, value)));
  const isLike = (one: unknown, value: AuthoredValue) => isMap(one) === isMapping(value);
  seq.items = values.map(
    (value, index) =>
      found[index] ??
      flowNode(
        name,
        value,
        take(old, (one) => isLike(one, value)),
        fields,
      ),
  );
  seq.flow = true;
  return seq;
}

function take(items: unknown[], test: (item: unknown) => boolean): Node | undefined {
  const index = items.findIndex(test);
  return index < 0 ? undefined : (items.splice(index, 1)[0] as Node);
}

function mapOf(list: string, values: Values, map: YAMLMap, fields: FieldTable): YAMLMap {
  const order = [...fieldsIn(fields, list).keys()];
  map.items = map.items.filter(
    ({ key, value }) => (values[String(key)] ?? null) !== null || equalsValue(value, null),
  );
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const pair = map.items.find(({ key }) => String(key) === name);
    const node = flowNode(`${list}.${name}`, value, pair?.value, fields);
    if (pair) pair.value = node;
    else insertInOrder(map, order, new Pair(scalarOf(name, false), node));
  }
  map.flow = true;
  return map;
}

function insertInOrder({ items }: YAMLMap, order: readonly string[], pair: Pair): void {
  const rank = rankIn(order, String(pair.key));
  const next = items.findIndex(({ key }) => rankIn(order, String(key)) > rank);
  items.splice(next < 0 ? items.length : next, 0, pair);
}

/** An unknown name ranks after all others. */
export function rankIn(order: readonly string[], name: string): number {
  return (order.indexOf(name) + order.length + 1) % (order.length + 1);
}

/** True for a text of several lines that can be a literal block scalar (`|-`). */
export function fitsLiteralBlock(text: string): boolean {
  return (
    text.includes('\n') && !NOT_PRINTABLE.test(text.replace(/[\t\n]/g, '')) && !/\s$|^\n*[ \t]/.test(text)
  );
}

function scalarOf(text: string, number: boolean): Scalar {
  const styles = { '"': Scalar.QUOTE_DOUBLE, "'": Scalar.QUOTE_SINGLE } as const;
  const [first] = scalarText(text, { number, flow: true });
  return Object.assign(new Scalar(text), { type: styles[first as keyof typeof styles] ?? Scalar.PLAIN });
}
