/** Which column ids are made from, and when they look rounded. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { idNotes } from '../../../src/import/mapping/id-mapping.ts';
import { profileRows } from '../../../src/import/table/profile.ts';
import { openRows } from '../../../src/import/table/row-source.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { declared } from '../../support/terms.ts';
import { proposed } from '../proposed.ts';

const rowsOf = (ids: readonly string[]) => ids.map((id, n) => `${id},House ${n},Domburg,51.5${n},3.5${n}`);
const textOf = (rows: readonly string[]) => ['id,name,city,lat,lng', ...rows, ''].join('\n');
const IDS = Array.from({ length: 12 }, (_, n) => `${3000 + n}`);

it('a refused row does not keep ids from being made from the id column', async () => {
  const text = textOf(rowsOf(IDS).with(4, '3004,House 4,51.54,3.54'));
  const { id } = await proposed(text, declared({}).fields);
  expect(id).toMatchObject({ from: 'id' });
});

it.each([
  ['no', (n: number) => `482130000110000${String(n * 7).padStart(2, '0')}`, 0],
  ['a', (n: number) => `482130000110${String(n).padStart(3, '0')}00`, 1],
])('long ids give %s warning of rounded ones', async (_, idOf, count) => {
  const path = join(temporaryFolder(), 't.csv');
  writeFileSync(path, textOf(rowsOf(IDS.map((_, n) => idOf(n)))));
  const profile = await profileRows(await openRows(path, {}));
  const notes = idNotes({ id: { from: 'id' } }, profile, 't.csv');
  expect(notes.filter(({ code }) => code === 'rounded-id')).toHaveLength(count);
});
