import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  Scalar,
  type ScalarTag,
  Schema,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { isMapping } from '../values/mapping.ts';
import { memoizeBounded } from '../values/memoize.ts';
import { isPlainNull } from './editable-text.ts';
import type { AuthoredValue } from './field-values.ts';
import { type ScalarPlace, scalarText } from './scalar.ts';

/** Whether list entries are indented below the name of their field. */
export type FieldStyle = { readonly indentSeq: boolean };

export const DEFAULT_FIELD_STYLE: FieldStyle = { indentSeq: true };

export function fieldText(
  name: string,
  value: AuthoredValue | Node,
  fields: FieldTable,
  style: FieldStyle = DEFAULT_FIELD_STYLE,
): string {
  const plain = isNode(value) ? undefined : plainFieldText(name, value, style, fields);
  if (plain !== undefined) return plain;
  const node = isNode(value) ? value : nodeForValue(name, value, undefined, fields);
  const root = new YAMLMap();
  root.items.push(new Pair(scalarOf(name, {}), node));
  const document = new Document(undefined, { schema: SCHEMA });
  document.contents = root as never;
  return document.toString({ ...PRINTED, ...style });
}

// Prints nearly all fields without nodes of the `yaml` package, which would take ten times as long.
function plainFieldText(
  name: string,
  value: AuthoredValue,
  { indentSeq }: FieldStyle,
  fields: FieldTable,
): string | undefined {
  const line = plainValue(name, value, '  ', fields);
  if (line !== undefined) return `${nameText(name)}: ${line}\n`;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) return `${nameText(name)}: []\n`;
  const indent = indentSeq ? '  ' : '';
  const items = value.map((item: AuthoredValue) =>
    isMapping(item) ? plainEntry(name, item as Values, indent, fields) : plainLine(name, item, fields),
  );
  if (items.includes(undefined)) return undefined;
  return `${nameText(name)}:\n${items.map((item) => `${indent}- ${item}\n`).join('')}`;
}

const nameText = memoizeBounded((name) => scalarText(name));

function plainValue(
  name: string,
  value: AuthoredValue,
  indent: string,
  fields: FieldTable,
): string | undefined {
  // Leaves a block that starts with an empty line to the `yaml` package.
  return typeof value === 'string' && fitsLiteralBlock(value) && !value.startsWith('\n')
    ? `|-\n${indent}${value.replace(/\n+/g, `$&${indent}`)}`
    : plainLine(name, value, fields);
}

function plainLine(name: string, value: AuthoredValue, fields: FieldTable): string | undefined {
  if (typeof value !== 'string' || /[\n\r]/.test(value)) return undefined;
  return scalarText(value, { number: fields.unquoted.has(name) });
}

function plainEntry(list: string, entry: Values, indent: string, fields: FieldTable): string | undefined {
  const known = fieldsIn(fields, list);
  const lines: string[] = [];
  for (const key of [...known.keys(), ...Object.keys(entry).filter((name) => !known.has(name))]) {
    const value = entry[key] ?? null;
    if (value === null) continue;
    const line = plainValue(`${list}.${key}`, value, `${indent}    `, fields);
    if (line === undefined) return undefined;
    lines.push(`${nameText(key)}: ${line}`);
  }
  return lines.length === 0 ? undefined : lines.join(`\n${indent}  `);
}

/** Text of a scalar as it is printed. Lines after the first are those of a block scalar, without indentation. */
export class PrintedScalar {
  constructor(readonly text: string) {}
}

const AS_WRITTEN_TAG: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => value instanceof PrintedScalar,
  resolve: (text) => text,
  stringify({ comment, value }, { indent }, onComment) {
    const [first = '', ...lines] = (value as PrintedScalar).text.split('\n');
    if (lines.length === 0) return first;
    onComment?.();
    return [`${first}${comment ? ` #${comment}` : ''}`, ...lines.map((line) => line && indent + line)].join(
      '\n',
    );
  },
};

const SCHEMA = new Schema({ schema: 'failsafe', customTags: [AS_WRITTEN_TAG] });

/** Keeps long lines unfolded, and quoted texts on one line. */
const PRINTED = {
  lineWidth: 0,
  doubleQuotedAsJSON: true,
  flowCollectionPadding: false,
} as const;

const isNode = (value: AuthoredValue | Node): value is Node =>
  isScalar(value) || isSeq(value) || isMap(value);

/**
 * Reuses nodes of `before` with their comments. A list entry gets the node of an equal entry, else the next unused one.
 * @param name such as `photo.position`
 */
export function nodeForValue(
  name: string,
  value: AuthoredValue,
  before: unknown,
  fields: FieldTable,
  flow = false,
): Node {
  const list = Array.isArray(value) ? (value as readonly AuthoredValue[]) : undefined;
  if (list) return seqOf(name, list, isSeq(before) ? before : new YAMLSeq(), fields, flow);
  if (isMapping(value))
    return mapOf(name, value as Values, isMap(before) ? before : new YAMLMap(), fields, flow);
  const text = String(value ?? '');
  const place = { number: fields.unquoted.has(name), flow };
  if (!isScalar(before)) return scalarOf(text, place);
  if (equalsValue(before, value)) return before as Node;
  const node = scalarOf(text, place);
  const { comment, commentBefore, spaceBefore } = before;
  return Object.assign(node, { comment, commentBefore, spaceBefore });
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

function seqOf(
  name: string,
  values: readonly AuthoredValue[],
  seq: YAMLSeq,
  fields: FieldTable,
  flow: boolean,
): YAMLSeq {
  const old = [...seq.items];
  if (old.length === 0) seq.flow = flow || values.length === 0;
  const isFlow = flow || seq.flow === true;
  const found = values.map((value) => take(old, (item) => equalsValue(item, value)));
  seq.items = values.map(
    (value, index) =>
      found[index] ??
      nodeForValue(
        name,
        value,
        take(old, (one) => isMap(one) === isMapping(value)),
        fields,
        isFlow,
      ),
  );
  return seq;
}

function take(items: unknown[], test: (item: unknown) => boolean): Node | undefined {
  const index = items.findIndex(test);
  return index < 0 ? undefined : (items.splice(index, 1)[0] as Node);
}

function mapOf(list: string, values: Values, map: YAMLMap, fields: FieldTable, flow: boolean): YAMLMap {
  const isFlow = flow || map.flow === true;
  map.items = map.items.filter(
    ({ key, value }) => (values[String(key)] ?? null) !== null || equalsValue(value, null),
  );
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const pair = map.items.find(({ key }) => String(key) === name);
    const node = nodeForValue(`${list}.${name}`, value, pair?.value, fields, isFlow);
    if (pair) pair.value = node;
    else
      insertInOrder(
        map,
        [...fieldsIn(fields, list).keys()],
        new Pair(scalarOf(name, { flow: isFlow }), node),
      );
  }
  return map;
}

function insertInOrder({ items }: YAMLMap, order: readonly string[], pair: Pair): void {
  const rank = (one: Pair) => (order.indexOf(String(one.key)) + order.length + 1) % (order.length + 1);
  const next = items.findIndex((one) => rank(one as Pair) > rank(pair));
  items.splice(next < 0 ? items.length : next, 0, pair);
}

/** Characters that a block scalar cannot contain (YAML 1.2.2, 5.1). A tab is allowed within a line. */
const NOT_IN_BLOCK = /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** True for a text of several lines that can be a literal block scalar (`|-`). */
export function fitsLiteralBlock(text: string): boolean {
  return text.includes('\n') && !NOT_IN_BLOCK.test(text) && !/\s$|^\n*[ \t]/.test(text);
}

function scalarOf(text: string, place: ScalarPlace): Scalar {
  const node = new Scalar(text);
  const style = { '"': Scalar.QUOTE_DOUBLE, "'": Scalar.QUOTE_SINGLE } as const;
  if (!place.flow && fitsLiteralBlock(text)) node.type = Scalar.BLOCK_LITERAL;
  else node.type = style[scalarText(text, place)[0] as keyof typeof style] ?? Scalar.PLAIN;
  return node;
}
