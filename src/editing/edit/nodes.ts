/** Nodes of a file and where they stand. */
import {
  type CST,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Path } from './edit.ts';
import type { OpenFile } from './open.ts';
import { RefusedEdit } from './refusal.ts';

/** What holds values: fields, or entries of a list. */
export type Collection = YAMLMap | YAMLSeq;

/** The place of a value. */
export type Slot = {
  readonly holder: Collection;
  /** Place among what the holder holds; undefined where it has no such value. */
  readonly index: number | undefined;
  /** The field; undefined for an entry of a list. */
  readonly pair: Pair | undefined;
  /** The value; undefined when it is missing or empty. */
  readonly node: Node | undefined;
  /** Between brackets. */
  readonly flow: boolean;
};

/** Offset of the first character of a node. */
export const startOfNode = (node: Node): number => node.range?.[0] ?? 0;

/**
 * Finds the place of a path.
 *
 * @throws RefusedEdit where what holds it is not there, or another value depends on it.
 */
export function slotAt(file: OpenFile, path: Path): Slot {
  let slot: Slot = { holder: file.root, index: undefined, pair: undefined, node: file.root, flow: false };
  let offset = 0;
  for (const step of path) {
    const holder = slot.node;
    if (!isMap(holder) && !isSeq(holder))
      throw new RefusedEdit(holder ? 'wrong-kind' : 'no-such-value', offset);
    refuseShared(holder, false);
    offset = startOfNode(holder);
    slot = { ...stepInto(holder, step), flow: slot.flow || holder.flow === true };
    if (slot.node) offset = startOfNode(slot.node);
  }
  return slot;
}

function stepInto(holder: Collection, step: string | number): Omit<Slot, 'flow'> {
  if (isMap(holder) !== (typeof step === 'string')) throw new RefusedEdit('wrong-kind', startOfNode(holder));
  if (!isMap(holder)) {
    const index = (step as number) < holder.items.length ? (step as number) : undefined;
    return {
      holder,
      index,
      pair: undefined,
      node: index === undefined ? undefined : filled(holder.items[index]),
    };
  }
  const keys = holder.items.map(({ key }) => (isScalar(key) ? String(key.value) : undefined));
  if (keys.includes('<<')) throw new RefusedEdit('merge-key', startOfNode(holder));
  const place = keys.indexOf(step as string);
  const index = place < 0 ? undefined : place;
  const pair = index === undefined ? undefined : (holder.items[index] as Pair);
  if (pair && isExplicit(pair)) throw new RefusedEdit('explicit-key', startOfNode(pair.key as Node));
  if (isNode(pair?.key)) refuseShared(pair.key, true);
  return { holder, index, pair, node: filled(pair?.value) };
}

function isExplicit({ srcToken }: Pair): boolean {
  return srcToken?.start.some(({ type }) => type === 'explicit-key-ind') ?? false;
}

/** A node that says something; an anchor alone does. */
function filled(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  return isEmpty(node) && !node.anchor && !node.tag ? undefined : node;
}

function isEmpty(node: Node): node is Scalar {
  return isScalar(node) && node.type === 'PLAIN' && node.source === '';
}

/** @throws RefusedEdit where a node has an anchor, an alias or a tag. `deep`: or a node within it. */
export function refuseShared(node: Node, deep: boolean): void {
  visit(node, (_role, inner) => {
    if (!isNode(inner)) return undefined;
    if (isAlias(inner) || inner.anchor !== undefined) throw new RefusedEdit('anchor', startOfNode(inner));
    if (inner.tag !== undefined) throw new RefusedEdit('tag', startOfNode(inner));
    return deep ? undefined : visit.BREAK;
  });
}

/** Where a field's colon ends. @throws RefusedEdit for a key without one, as `{a}` has. */
export function colonEnd({ key, srcToken }: Pair): number {
  const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  if (!colon) throw new RefusedEdit('explicit-key', startOfNode(key as Node));
  return colon.offset + 1;
}

/** Where the dash of an entry is. @throws RefusedEdit for a list between brackets. */
export function dashOf(list: YAMLSeq, index: number): number {
  const { items = [] } = list.srcToken as CST.BlockSequence;
  const dashes = items.flatMap(({ start }) => start.filter(({ type }) => type === 'seq-item-ind'));
  const dash = dashes[index];
  if (!dash) throw new RefusedEdit('unwritable', startOfNode(list));
  return dash.offset;
}

/** Where a field or an entry ends, without comments behind it and without its last line end. */
export function endOfItem(text: string, holder: Collection, index: number): number {
  const item = holder.items[index];
  const node = filled(isMap(holder) ? (item as Pair).value : item);
  if (node) return endOfNode(text, node);
  if (isMap(holder)) return colonEnd(item as Pair);
  return holder.flow ? startOfNode(item as Node) : dashOf(holder as YAMLSeq, index) + 1;
}

function endOfNode(text: string, node: Node): number {
  const end = node.range?.[1] ?? 0;
  if ((isMap(node) || isSeq(node)) && !node.flow) return endOfItem(text, node, node.items.length - 1);
  if (!isScalar(node) || !isBlock(node)) return end;
  return text[end - 1] === '\n' ? end - (text[end - 2] === '\r' ? 2 : 1) : end;
}

/** Whether a text stands in lines below its header, `|` or `>`. */
export function isBlock({ type }: Scalar): boolean {
  return type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
}
