import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHUNKS_FOLDER } from '../../src/contract/object-keys.ts';
import { openBuiltCatalogue } from '../../src/serve/built-catalogue.ts';
import { createWorkspace } from '../compile/workspace.ts';

it('is refused when the chunk of its first property is damaged or gone', async () => {
  const workspace = createWorkspace();
  workspace.add(1);
  await workspace.build();
  const open = () => openBuiltCatalogue(workspace.out, workspace.content);
  expect(open().urls).toHaveLength(4);
  const folder = join(workspace.public, CHUNKS_FOLDER);
  const [chunk] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{32}/.test(name),
  );
  writeFileSync(join(folder, chunk!), 'x');
  expect(open).toThrow(expect.objectContaining({ code: 'dist-damaged' }));
  rmSync(join(folder, chunk!));
  expect(open).toThrow(expect.objectContaining({ code: 'dist-damaged' }));
});
