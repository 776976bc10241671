import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { INDEX_KEY } from '../../src/contract/document-keys.ts';
import {
  CHUNKS_FOLDER,
  CURRENT_KEY,
  DOCUMENT_COPIES_FOLDER,
  PAGES_FOLDER,
  PARTS_FOLDER,
  PROPERTIES_FOLDER,
  pageKey,
  parseScopeFolder,
  ROOTS_FOLDER,
  scopeFolder,
} from '../../src/contract/object-keys.ts';
import { createWorkspace, idOf, type Workspace } from '../compile/workspace.ts';
import { openTree } from './page-reader.ts';

const SIZES = [7, 25, 100];
const settings = (layout: string, more = '') =>
  `layout: ${layout}\npage_sizes: [${SIZES}]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n${more}`;

const CITIES = ['Cork', 'cork', 'Newport', 'Paris', '東京', '\ufb01nn', '😀', 'Ulm'];
const COUNTRIES = ['IE', 'GB', 'FR', 'JP'];

/** Properties of many scopes, enough for some chunks. */
function fill(workspace: Workspace, properties: number): void {
  for (let n = 1; n <= properties; n++) {
    const city = CITIES[(n * 7) % CITIES.length];
    workspace.add(n, {
      city,
      country: COUNTRIES[(n * 5 + (n >> 3)) % COUNTRIES.length],
      title: `House ${(n * 7919) % 1009}`,
    });
  }
}

const keysBelow = (workspace: Workspace, folder: string) =>
  [...workspace.tree().keys()].filter((key) => key.startsWith(`${folder}/`));

describe('the packed layout', () => {
  it('leaves no empty folders when the last property goes (E6)', async () => {
    const workspace = createWorkspace();
    fill(workspace, 1);
    workspace.configure(settings('packed'));
    await workspace.build();
    workspace.remove('house-1.yaml');
    await workspace.build();
    const folders = readdirSync(workspace.public, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const empty = folders.filter(({ parentPath, name }) => readdirSync(join(parentPath, name)).length === 0);
    expect(empty).toEqual([]);
  });

  it('has the content of the pages layout, and no page files', async () => {
    const workspace = createWorkspace();
    fill(workspace, 500);
    workspace.configure(settings('packed'));
    const result = await workspace.build();
    expect(keysBelow(workspace, PAGES_FOLDER)).toEqual([]);
    expect(keysBelow(workspace, CHUNKS_FOLDER)).toHaveLength(1);
    expect(result.counts).toMatchObject({ pages: 0, files: workspace.tree().size });
    const packed = workspace.tree();

    workspace.configure(settings('pages'));
    const inFiles = await workspace.build();
    expect(inFiles.counts?.files).toBe(workspace.tree().size);
    const pages = [...workspace.tree()].filter(([key]) => key.startsWith(`${PAGES_FOLDER}/`));
    const { page } = openTree((key) => readFileSync(join(workspace.public, key)));
    let compared = 0;
    for (const [key, text] of pages) {
      const [, folder = '', size, number] = /^(.+)\/(\d+)-(\d+)\.json$/.exec(key) ?? [];
      if (!folder) continue;
      const { country, city } = parseScopeFolder(folder)!;
      expect(page(country, city, Number(number), Number(size)).text).toBe(
        Buffer.from(text, 'latin1').toString(),
      );
      compared++;
    }
    expect(compared).toBeGreaterThan(400);
    // Its details, in parts ordered by id.
    const lines = [...packed].flatMap(([key, text]) =>
      key.startsWith(`${PARTS_FOLDER}/`) ? text.trimEnd().split('\n') : [],
    );
    const details = [...workspace.tree()]
      .filter(([key]) => key.startsWith(`${PROPERTIES_FOLDER}/`))
      .map(([key, text]) => `{"id":"${key.slice(PROPERTIES_FOLDER.length + 1, -5)}",${text.slice(1)}`);
    expect(lines.sort()).toEqual(details.sort());
    expect([...packed.keys()].filter((key) => key.startsWith(`${PROPERTIES_FOLDER}/`))).toEqual([]);
    // The common files are equal, except for what has the name of the release, which depends on the layout, and for the
    // documents that list the problems, and explain how to page through one release, with their copies.
    const named = [INDEX_KEY, CURRENT_KEY];
    const folders = [PAGES_FOLDER, ROOTS_FOLDER, PROPERTIES_FOLDER, DOCUMENT_COPIES_FOLDER].map(
      (name) => `${name}/`,
    );
    const ofLayout =
      /^(?:openapi\.\w+|problems\.html|_catalogue\/problems\/(?:release-gone|list-unavailable)\.json)$/;
    const shared = (tree: ReadonlyMap<string, string>) =>
      [...tree].filter(
        ([key]) =>
          !named.includes(key) && !ofLayout.test(key) && !folders.some((folder) => key.startsWith(folder)),
      );
    expect(shared(workspace.tree())).toEqual(shared(packed));
    // Each root names the same tree.
    const treeOf = (tree: ReadonlyMap<string, string>) =>
      [...tree]
        .filter(([key]) => key.startsWith(`${ROOTS_FOLDER}/`))
        .map(([, text]) => ({ ...JSON.parse(text), settings: {}, headers: {}, documents: {} }));
    expect(treeOf(packed)).toHaveLength(1);
    expect(treeOf(workspace.tree())).toEqual(treeOf(packed));
  });

  it('writes only the changed chunks, and removes the unused ones', async () => {
    const workspace = createWorkspace();
    fill(workspace, 600);
    workspace.configure(settings('packed'));
    await workspace.build();
    const before = new Set(keysBelow(workspace, CHUNKS_FOLDER));
    workspace.add(5, { city: 'Paris', country: 'FR', title: 'Another title' });
    const result = await workspace.build();
    const after = keysBelow(workspace, CHUNKS_FOLDER);
    const made = after.filter((key) => !before.has(key));
    expect(made.length).toBeGreaterThan(0);
    expect(made.length).toBeLessThanOrEqual(4);
    // The detail, the chunks, one or two shards, the root, current.json, and at most the small documents with two city lists.
    expect(result.work.written).toBeLessThanOrEqual(1 + made.length + 2 + 2 + 5 + 2);
    const clean = createWorkspace();
    fill(clean, 600);
    clean.add(5, { city: 'Paris', country: 'FR', title: 'Another title' });
    clean.configure(settings('packed'));
    await clean.build();
    expect(workspace.tree()).toEqual(clean.tree());
  });

  it('is repaired after a change by hand', async () => {
    const workspace = createWorkspace();
    fill(workspace, 300);
    workspace.configure(settings('packed'));
    await workspace.build();
    const sound = workspace.tree();
    const [first = '', second = ''] = keysBelow(workspace, CHUNKS_FOLDER);
    rmSync(join(workspace.public, first));
    if (second) writeFileSync(join(workspace.public, second), 'no chunk');
    writeFileSync(join(workspace.public, CURRENT_KEY), '{}');
    const stray = `${CHUNKS_FOLDER}/${'0'.repeat(32)}.json`;
    writeFileSync(join(workspace.public, stray), 'left over');
    const { damaged } = await workspace.build();
    expect(damaged).toEqual([first, second, CURRENT_KEY, stray].filter(Boolean).sort());
    expect(workspace.tree()).toEqual(sound);
  });

  it('has an empty list for an empty catalogue', async () => {
    const workspace = createWorkspace();
    workspace.configure(settings('packed'));
    await workspace.build();
    const { page } = openTree((key) => readFileSync(join(workspace.public, key)));
    for (const [country, city] of [
      ['', ''],
      ['IE', ''],
      ['', 'Cork'],
    ] as const) {
      expect(page(country, city, 1, 25).text).toBe(
        '{"data":[],"meta":{"pagination":{"current_page":1,"per_page":25,"total_entries":0}}}',
      );
    }
  });
});

describe('the reader in Python', () => {
  const PROGRAM = fileURLToPath(new URL('../../docs/programs/release.py', import.meta.url));
  it('gives details of the packed layout alone', async () => {
    const workspace = createWorkspace();
    fill(workspace, 30);
    workspace.configure(settings('packed'));
    await workspace.build();
    const packed = workspace.public;
    const other = createWorkspace();
    fill(other, 30);
    other.configure(settings('pages'));
    await other.build();
    for (const n of [1, 17, 30]) {
      const id = idOf(n);
      const options = { encoding: 'utf8', stdio: 'pipe' } as const;
      const detail = execFileSync('python3', [PROGRAM, packed, id], options);
      expect(detail).toBe(other.read(`${PROPERTIES_FOLDER}/${id}.json`));
      expect(() => execFileSync('python3', [PROGRAM, packed, `f${id.slice(1)}`], options)).toThrow();
    }
  });

  const ask = (workspace: Workspace, ...request: (string | number)[]) =>
    execFileSync('python3', [PROGRAM, workspace.public, ...request.map(String)], {
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('gives the same answers as the pages, and reports damage', async () => {
    const workspace = createWorkspace();
    fill(workspace, 500);
    workspace.configure(settings('pages'));
    await workspace.build();
    let asked = 0;
    for (const country of ['', 'FR']) {
      for (const city of ['', '東京', 'cork']) {
        for (const [number, size] of [
          [1, 100],
          [3, 7],
        ] as const) {
          const key = pageKey(scopeFolder(country, city), size, number);
          expect(ask(workspace, country, city, number, size)).toBe(workspace.read(key));
          asked++;
        }
      }
    }
    expect(asked).toBe(12);
    const none = '{"data":[],"meta":{"pagination":{"current_page":2,"per_page":25,"total_entries":0}}}';
    expect(ask(workspace, 'XX', '', 2, 25)).toBe(none);
    expect(ask(workspace, '', 'Atlantis', 2, 25)).toBe(none);
    for (const name of readdirSync(join(workspace.public, CHUNKS_FOLDER))) {
      const path = join(workspace.public, CHUNKS_FOLDER, name);
      const bytes = readFileSync(path);
      bytes[bytes.length - 5]! ^= 1;
      writeFileSync(path, bytes);
    }
    expect(() => ask(workspace, '', '', 1, 25)).toThrow(/is damaged/);
  });
});
