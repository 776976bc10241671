/** The ways in which an edit can be written, the nicest first. Each is tried until one does nothing else. */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import { scalarText } from '../scalar.ts';
import type { Authored, Edit, Path } from './edit.ts';
import { fieldInsertions, fieldRemoval, fieldReplacement } from './field-edit.ts';
import { flowInsertion, flowMove, flowRemoval } from './flow-edit.ts';
import type { Splice } from './lines.ts';
import { itemInsertion, itemMove, itemRemoval } from './list-edit.ts';
import { flowText, sortedKeys } from './new-lines.ts';
import { colonEnd, refuseShared, type Slot, slotAt, startOfNode } from './nodes.ts';
import type { OpenFile } from './open.ts';
import { RefusedEdit } from './refusal.ts';
import { scalarWays } from './scalar-edit.ts';
import { changedAt, valueAt, type WrittenValue, withoutNulls } from './value.ts';

/** One way to make an edit. */
export type Change = {
  readonly splices: readonly Splice[];
  /** What the file says then. */
  readonly means: unknown;
  /** Whether the comments in the stretches that are written over go with them. */
  readonly isRemoval?: boolean;
};

/** An edit, as ways to write it, or as smaller ones; none, when the file says so already. */
export type EditPlan = Iterable<Change> | readonly Edit[];

/** Plans an edit. @throws RefusedEdit when it cannot be made. */
export function planOf(file: OpenFile, edit: Edit): EditPlan {
  switch (edit.kind) {
    case 'set': {
      const value = ordered(edit.value, edit.path);
      if (value !== undefined) return planToSet(file, edit.path, value);
      return slotAt(file, edit.path).index === undefined ? [] : planToRemove(file, edit.path);
    }
    case 'remove':
      return planToRemove(file, edit.path);
    case 'insert':
      return planToInsert(file, edit.path, ordered(edit.value, edit.path) ?? '');
    case 'move':
      return planToMove(file, edit.path, edit.to);
    case 'rename':
      return planToRename(file, edit.path, edit.to);
  }
}

/** The value without nulls, and with the fields of entries in the order of a file. */
function ordered(value: Authored, path: Path): WrittenValue | undefined {
  return inOrder(withoutNulls(value), String(path[0]));
}

function inOrder<Value extends WrittenValue | undefined>(value: Value, list: string): Value {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: WrittenValue) => inOrder(item, list)) as never;
  const fields = value as Fields;
  return Object.fromEntries(sortedKeys(list, fields).map((key) => [key, fields[key]])) as never;
}

/** The place of a value that is there, on which nothing else depends. */
function ownSlot(file: OpenFile, path: Path): Slot & { readonly index: number } {
  const slot = slotAt(file, path);
  if (slot.index === undefined) throw new RefusedEdit('no-such-value', startOfNode(slot.holder));
  if (slot.node) refuseShared(slot.node, true);
  return { ...slot, index: slot.index };
}

function planToSet(file: OpenFile, path: Path, value: WrittenValue): EditPlan {
  const slot = slotAt(file, path);
  const { holder, index, node, flow } = slot;
  if (index === undefined) return planToAdd(file, path, value, slot);
  if (node) refuseShared(node, true);
  const before = valueAt(file.value, path);
  if (node && isDeepStrictEqual(before, value)) return [];
  if (typeof value === 'string' && (!node || isScalar(node))) return waysToSetText(file, path, value, slot);
  if (isSeq(node) && Array.isArray(value)) return editsOfList(path, before as WrittenValue[], value);
  if (isMap(node) && typeof value === 'object' && !Array.isArray(value)) {
    return editsOfEntry(path, before as Fields, value as Fields);
  }
  const means = changedAt(file.value, path, () => value);
  const list = String(path[0]);
  if (isMap(holder) && !flow) return [{ splices: [fieldReplacement(file, holder, index, value)], means }];
  const [start = 0, end = 0] = node?.range ?? [];
  if (start === end) throw new RefusedEdit('unwritable', startOfNode(holder));
  return [{ splices: [{ start, end, text: flowText(list, value) }], means }];
}

function* waysToSetText(file: OpenFile, path: Path, to: string, slot: Slot): Generator<Change> {
  for (const { splices, means } of scalarWays(file.text, slot, String(path.at(-1)), to)) {
    yield { splices, means: changedAt(file.value, path, () => means) };
  }
}

/** Adds what is not there: a field, or an entry at the end of its list. */
function planToAdd(file: OpenFile, path: Path, value: WrittenValue, { holder, flow }: Slot): EditPlan {
  const name = path.at(-1)!;
  if (typeof name === 'number') return planToInsert(file, path, value);
  const list = path.length > 1 ? String(path[0]) : '';
  const map = holder as YAMLMap;
  const insertions = flow
    ? [{ splice: flowField(file.text, map, name, value), index: map.items.length }]
    : [...fieldInsertions(file, map, list, name, value)];
  return insertions.map(({ splice, index }) => {
    const means = (inner: unknown) =>
      Object.fromEntries(Object.entries(inner as object).toSpliced(index, 0, [name, value]));
    return { splices: [splice], means: changedAt(file.value, path.slice(0, -1), means) };
  });
}

function flowField(text: string, map: YAMLMap, name: string, value: WrittenValue): Splice {
  const written = `${scalarText(name, { flow: true })}: ${flowText(name, value, name)}`;
  return flowInsertion(text, map, map.items.length, written);
}

type Fields = Readonly<Record<string, WrittenValue>>;

function editsOfEntry(path: Path, before: Fields, value: Fields): Edit[] {
  const names = new Set([...Object.keys(before), ...Object.keys(value)]);
  return [...names].flatMap((name): Edit[] => {
    const at = [...path, name];
    if (!Object.hasOwn(value, name)) return [{ kind: 'remove', path: at }];
    return isDeepStrictEqual(before[name], value[name])
      ? []
      : [{ kind: 'set', path: at, value: value[name]! }];
  });
}

/** Entries that stay are not touched; those that differ are changed, at last those that are left come or go. */
function editsOfList(path: Path, before: readonly WrittenValue[], value: readonly WrittenValue[]): Edit[] {
  const edits: Edit[] = [];
  const now = [...before];
  const rest = [...value];
  // What stays is no longer wanted; everything else in `now` may become something that is.
  const stays = now.map((item) => {
    const place = rest.findIndex((other) => isDeepStrictEqual(item, other));
    if (place >= 0) rest.splice(place, 1);
    return place >= 0;
  });
  for (const [index] of now.entries()) {
    const next = stays[index] ? undefined : rest.shift();
    if (next === undefined) continue;
    edits.push({ kind: 'set', path: [...path, index], value: next });
    now[index] = next;
    stays[index] = true;
  }
  for (let index = now.length - 1; index >= 0; index--) {
    if (stays[index]) continue;
    edits.push({ kind: 'remove', path: [...path, index] });
    now.splice(index, 1);
  }
  for (const [index, item] of value.entries()) {
    if (isDeepStrictEqual(now[index], item)) continue;
    const from = now.findIndex((other, place) => place > index && isDeepStrictEqual(other, item));
    if (from < 0) {
      edits.push({ kind: 'insert', path: [...path, index], value: item });
      now.splice(index, 0, item);
    } else {
      edits.push({ kind: 'move', path: [...path, from], to: index });
      now.splice(index, 0, ...now.splice(from, 1));
    }
  }
  return edits;
}

function planToRemove(file: OpenFile, path: Path): EditPlan {
  const { holder, index, flow, pair } = ownSlot(file, path);
  const means = changedAt(file.value, path.slice(0, -1), (inner) =>
    Array.isArray(inner)
      ? inner.filter((_, place) => place !== index)
      : Object.fromEntries(Object.entries(inner as object).filter(([key]) => key !== path.at(-1))),
  );
  const change = (...splices: Splice[]): EditPlan => [{ splices, means, isRemoval: true }];
  if (flow) return change(flowRemoval(file.text, holder, index));
  if (pair) return change(fieldRemoval(file.text, holder as YAMLMap, index));
  const removal = itemRemoval(file.text, holder as YAMLSeq, index);
  if (holder.items.length > 1) return change(removal);
  // The last one leaves an empty list.
  const field = slotAt(file, path.slice(0, -1));
  if (!field.pair) throw new RefusedEdit('unwritable', startOfNode(holder));
  const end = colonEnd(field.pair);
  return change({ start: end, end, text: ' []' }, removal);
}

function planToInsert(file: OpenFile, path: Path, value: WrittenValue): EditPlan {
  const place = path.at(-1);
  const listPath = path.slice(0, -1);
  if (typeof place !== 'number') throw new RefusedEdit('wrong-kind', 0);
  const slot = slotAt(file, listPath);
  const { node, flow } = slot;
  if (slot.index === undefined || !node) return planToSet(file, listPath, [value]);
  if (!isSeq(node)) throw new RefusedEdit('wrong-kind', startOfNode(node));
  refuseShared(node, false);
  const index = Math.min(place, node.items.length);
  const means = changedAt(file.value, listPath, (inner) => (inner as unknown[]).toSpliced(index, 0, value));
  const name = String(path[0]);
  if (node.items.length === 0 && !flow && isMap(slot.holder)) {
    return [{ splices: [fieldReplacement(file, slot.holder, slot.index, [value])], means }];
  }
  const splice = node.flow
    ? flowInsertion(file.text, node, index, flowText(name, value))
    : itemInsertion(file.text, node as YAMLSeq, index, value, name);
  return [{ splices: [splice], means }];
}

function planToMove(file: OpenFile, path: Path, to: number): EditPlan {
  const { holder, index, flow } = ownSlot(file, path);
  if (!isSeq(holder) || to >= holder.items.length)
    throw new RefusedEdit('no-such-value', startOfNode(holder));
  if (to === index) return [];
  const order = holder.items.map((_, place) => place);
  order.splice(to, 0, ...order.splice(index, 1));
  const means = changedAt(file.value, path.slice(0, -1), (inner) =>
    order.map((place) => (inner as unknown[])[place]),
  );
  const splices = flow ? flowMove(file.text, holder, order) : itemMove(file.text, holder as YAMLSeq, order);
  return [{ splices, means }];
}

function planToRename(file: OpenFile, path: Path, to: string): EditPlan {
  const { holder, pair, flow } = ownSlot(file, path);
  const from = path.at(-1);
  if (!pair || !isScalar(pair.key) || !pair.key.range)
    throw new RefusedEdit('wrong-kind', startOfNode(holder));
  if (from === to) return [];
  const inner = valueAt(file.value, path.slice(0, -1)) as object;
  const [start, end] = pair.key.range;
  if (Object.hasOwn(inner, to)) throw new RefusedEdit('name-taken', start);
  const means = changedAt(file.value, path.slice(0, -1), (fields) =>
    Object.fromEntries(
      Object.entries(fields as object).map(([key, item]) => [key === from ? to : key, item]),
    ),
  );
  return [{ splices: [{ start, end, text: scalarText(to, { flow }) }], means }];
}
