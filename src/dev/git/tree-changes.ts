import { git } from './git.ts';

/** `path` is from the top of the repository. For a removed file, `idAfter` is all zeros and `mode` is `0`. */
export type TreeChange = {
  readonly path: string;
  readonly mode: string;
  readonly modeBefore: string;
  readonly idBefore: string;
  readonly idAfter: string;
};

export const isRemoved = ({ mode }: TreeChange) => mode === '0';
/** A merge leaves submodules as they are. */
export const isSubmodule = ({ mode }: TreeChange) => mode === '160000';

export async function treeChangesBetween(top: string, before: string, after: string): Promise<TreeChange[]> {
  const output = await git(top, ['diff-tree', '-r', '-z', '--no-renames', before, after]);
  const fields = output.split('\0');
  const changes: TreeChange[] = [];
  for (let place = 0; place + 1 < fields.length; place += 2) {
    const [modeBefore = '', mode = '', idBefore = '', idAfter = ''] = fields[place]!.slice(1).split(' ');
    const path = fields[place + 1]!;
    changes.push({ path, mode: mode === '000000' ? '0' : mode, modeBefore, idBefore, idAfter });
  }
  // Removals come first: a folder may replace a removed file, or a file may replace a removed folder.
  return changes.sort((one, other) => Number(isRemoved(other)) - Number(isRemoved(one)));
}
