/** A problem across files is reported once, at the current place of its field. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from './workspace.ts';

it('an incremental build finds the same problems in the same places as a clean build', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n');
  for (const n of [1, 2, 3]) workspace.add(n, { city: 'Galway' });
  for (const n of [4, 5]) workspace.add(n, { city: 'galway' });
  const found = async (force = false) =>
    (await workspace.build({ force })).diagnostics.map(({ code, file, span }) => [code, file, span?.line]);
  const first = await found();
  expect(first.map(([code]) => code)).toEqual(['similar-city', 'similar-city']);

  // The city moves two lines down in one of the files with a warning.
  const text = readFileSync(join(workspace.content, 'house-4.yaml'), 'utf8');
  workspace.write('house-4.yaml', `# One\n# Two\n${text}`);
  const second = await found();
  expect(second).toEqual([[first[0]![0], first[0]![1], Number(first[0]![2]) + 2], first[1]]);
  expect(await found(true)).toEqual(second);

  workspace.add(5, { city: 'Galway' });
  const third = await found();
  expect(third.map(([, file]) => file)).toEqual(['house-4.yaml']);
  expect(await found(true)).toEqual(third);
});
