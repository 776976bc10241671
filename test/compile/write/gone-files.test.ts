/** What a killed build left behind goes. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../workspace.ts';

it('empty folders of a killed build go, and those of users stay', async () => {
  const workspace = createWorkspace();
  const settings = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
  workspace.configure(`${settings}layout: packed\n`);
  workspace.add(1);
  await workspace.build();
  const at = (key: string) => join(workspace.public, key);
  for (const key of ['_catalogue/pages/IE/436f726b', '_catalogue/chunks/x', 'own/empty'])
    mkdirSync(at(key), { recursive: true });
  rmSync(join(workspace.out, 'state'));
  await workspace.build();
  expect(['_catalogue/pages', '_catalogue/chunks/x', 'own/empty'].map((key) => existsSync(at(key)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(existsSync(at('_catalogue/properties'))).toBe(false);
});
