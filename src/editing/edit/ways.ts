/** The ways in which an edit can be written, the nicest first. Each is tried until one does nothing else. */
import type { Edit, Path } from './edit.ts';
import type { Splice } from './lines.ts';
import { refuseShared, slotAt, startOf } from './nodes.ts';
import type { OpenFile } from './open.ts';
import { RefusedEdit } from './refusal.ts';
import { scalarWays } from './scalar-edit.ts';
import { changedAt, valueAt, type Written, withoutNulls } from './value.ts';

/** One way to make an edit. */
export type Change = {
  readonly splices: readonly Splice[];
  /** What the file says then. */
  readonly means: unknown;
  /** The stretch that is taken out, with its comments. */
  readonly removed?: Omit<Splice, 'text'>;
};

/** The ways to make an edit; `nothing` when the file says so already. @throws RefusedEdit when there is none. */
export function waysOf(file: OpenFile, edit: Edit): Iterable<Change> | 'nothing' {
  if (edit.kind === 'set') {
    const value = withoutNulls(edit.value);
    if (value !== undefined) return waysToSet(file, edit.path, value);
  }
  throw new RefusedEdit('unwritable', 0);
}

function waysToSet(file: OpenFile, path: Path, value: Written): Iterable<Change> | 'nothing' {
  const slot = slotAt(file, path);
  if (slot.node) refuseShared(slot.node, true);
  if (typeof value !== 'string' || slot.index === undefined)
    throw new RefusedEdit('unwritable', slot.node ? startOf(slot.node) : 0);
  if (valueAt(file.value, path) === value && slot.node) return 'nothing';
  return waysToSetText(file, path, value, slot);
}

function* waysToSetText(
  file: OpenFile,
  path: Path,
  to: string,
  slot: ReturnType<typeof slotAt>,
): Generator<Change> {
  for (const { splices, means } of scalarWays(file.text, slot, String(path.at(-1)), to)) {
    yield { splices, means: changedAt(file.value, path, () => means) };
  }
}
