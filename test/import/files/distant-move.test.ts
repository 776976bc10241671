import { expect, it } from 'vitest';
import { createWorkspace, type Workspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';

const HEADER = 'ref,name,zip,city,country,lat,lon';
const MATERA = 'h-1,Sassi,75100,Matera,IT,40.638,16.603';
const OTHER = 'h-2,Duomo,75100,Matera,IT,40.66,16.61';
const table = (row: string) => `${HEADER}\n${row}\n${OTHER}\n`;

async function movesOf(workspace: Workspace, row: string) {
  const { result } = await imported(workspace, 'a.csv', table(row));
  expect(result).toMatchObject({ refused: 0 });
  return result!.causes.filter(({ code }) => code === 'distant-move');
}

it.each([
  ['latitude', MATERA.replace('40.638', '38.5'), 238],
  ['longitude', MATERA.replace('16.603', '15.603'), 84],
])('a %s that moves far from the town is told once', async (_, moved, distance) => {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(MATERA));
  const [, , , , , lat, lon] = moved.split(',');
  const message = `The property moves ${distance} km, from 40.638, 16.603 to ${lat}, ${lon}, but its town is still Matera.`;
  expect(await movesOf(workspace, moved)).toMatchObject([
    { fresh: 1, examples: [{ at: 'line 2', message }] },
  ]);
  expect(await movesOf(workspace, moved)).toEqual([]);
});

it.each([
  ['near', MATERA.replace('40.638', '40.9')],
  ['with its town', 'h-1,Sassi,75100,Crotone,IT,39.08,17.12'],
  ['with its postal code', 'h-1,Sassi,88900,Matera,IT,39.08,17.12'],
])('a move %s is not told', async (_, moved) => {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(MATERA));
  expect(await movesOf(workspace, moved)).toEqual([]);
});

it('coordinates that a file did not have are not told', async () => {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(MATERA.replace('40.638,16.603', ',')));
  expect(await movesOf(workspace, MATERA)).toEqual([]);
});
