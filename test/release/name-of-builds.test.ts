/** The name of a release is the digest of its root, which determines everything else (B8). */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { CURRENT_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { createWorkspace } from '../compile/workspace.ts';

const PLAIN = { page_sizes: [25], docs: false, explorer: { enabled: false } };

async function nameOf(settings: object = {}, fields: object = { title: 'A' }): Promise<string> {
  const workspace = createWorkspace();
  workspace.configure(JSON.stringify({ ...PLAIN, ...settings }));
  workspace.add(1, { ...fields });
  const { release, findings } = await workspace.build();
  expect(findings.first, JSON.stringify(settings)).toEqual([]);
  const name = release!;
  const root = workspace.read(rootKey(name));
  expect(createHash('sha256').update(root).digest('hex').slice(0, 32)).toBe(name);
  expect(workspace.json(CURRENT_KEY)).toEqual({
    ...{ version: 3, release: name, commit: null, time: null, before: [] },
  });
  expect(workspace.json('index.json')).toMatchObject({ release: name });
  return name;
}

it('is that of its content and its settings', async () => {
  const plain = await nameOf();
  const names = [plain];
  for (const fields of [{ title: 'B' }, { title: 'A', phone: '+353 1 605 7701' }])
    names.push(await nameOf({}, fields));
  const key = 'ab'.repeat(32);
  for (const settings of [
    { base_url: 'https://stays.example' },
    { page_sizes: [25, 50] },
    { layout: 'packed' },
    { cache_control: { api: 'no-store' } },
    { explorer: { enabled: true } },
    { bulk: false },
    { license: { name: 'CC0', url: 'https://cc0.example/' } },
    { title: 'Stays' },
    { api_keys: [key] },
  ])
    names.push(await nameOf(settings));
  expect(new Set(names).size).toBe(names.length);
  const unpublished = {
    targets: [],
    cache: { location: '/var/cache' },
    max_files: 700,
    vocabulary: { facilities: ['Garden'] },
  };
  expect(await nameOf(unpublished)).toBe(plain);
  expect(await nameOf({ api_keys: ['cd'.repeat(32)] })).toBe(names.at(-1));
});
