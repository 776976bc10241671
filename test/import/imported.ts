/** Imports a table from the folder beside the content; `ask` accepts the proposal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceOptions } from '../../src/import/import-options.ts';
import { importSource } from '../../src/import/import-source.ts';
import type { Workspace } from '../compile/workspace.ts';

export function imported(
  { content, root }: Workspace,
  name: string,
  text: string | Uint8Array,
  options: Partial<SourceOptions> = {},
) {
  writeFileSync(join(root, name), text);
  const given = {
    content,
    force: false,
    photos: false,
    ask: async (proposal: never) => proposal,
    ...options,
  };
  return importSource(join(root, name), given as SourceOptions);
}
