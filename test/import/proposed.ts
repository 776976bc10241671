import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldTable } from '../../src/contract/fields.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';
import type { Proposal } from '../../src/import/mapping/mapping.ts';
import { proposeMapping } from '../../src/import/mapping/propose.ts';
import { profileRows } from '../../src/import/table/profile.ts';
import { openRows } from '../../src/import/table/row-source.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Proposes the mapping of a table. */
export async function proposed(text: string, fields: FieldTable, name = 'table.csv'): Promise<Proposal> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  const table = await openRows(path, {});
  return proposeMapping(await profileRows(table), { name, facilities: vocabularyFrom().facilities, fields });
}
