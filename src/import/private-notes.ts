import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { caution } from './candidate.ts';
import { columnsOf, isPathOf, type TableMapping } from './mapping.ts';
import type { Profile } from './profile.ts';
import type { SourceNote } from './row.ts';
import type { RowSource } from './rows.ts';

export function privateNotes(
  mapping: TableMapping,
  { columns }: Profile,
  { name, folder }: Pick<RowSource, 'name' | 'folder'>,
): SourceNote[] {
  const used = columnsOf(mapping);
  const secrets = columns.filter(({ secret, filled }) => secret !== undefined && filled > 0);
  const published = secrets
    .filter((column) => used.some((one) => isPathOf(one, column.name)))
    .map((column) =>
      caution(
        'private-column',
        `The mapping publishes the column "${column.name}", which looks like ${column.secret}.`,
        'If guests must not read it, remove it from the mapping.',
      ),
    );
  if (secrets.length === 0 || folder === undefined || !wouldCommit(folder, basename(name))) return published;
  const committed = caution(
    'private-table',
    `${basename(name)} has private columns, and git would commit it with the catalogue.`,
    `Add a line "${basename(name)}" to .gitignore, or move the table out of the repository.`,
  );
  return [...published, committed];
}

function wouldCommit(folder: string, file: string): boolean {
  return spawnSync('git', ['-C', folder, 'check-ignore', '-q', '--', file], { stdio: 'ignore' }).status === 1;
}
