/** The points files of a release: their content, when they are written again, and their size (F). */
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import type { Points } from '../../src/contract/downloads.ts';
import { createWorkspace, idOf, type Workspace } from './workspace.ts';

const SETTINGS = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n';

type Point = { id: string; title: string; city: string; latitude: number; longitude: number };

/** Reads a points file according to its documentation, without code of the compiler. */
function pointsOf(workspace: Workspace, country: string): Point[] {
  const file = workspace.json(`_catalogue/points/${country}.json`) as Points;
  expect(file.country).toBe(country);
  return file.points;
}

/** The points of a country, from its lists and details. */
function publishedOf(workspace: Workspace, country: string): Point[] {
  const page = workspace.json(`_catalogue/pages/${country}/-/25-1.json`) as {
    data: { id: string; title: string; city: string }[];
  };
  return page.data.map(({ id, title, city }) => {
    const detail = workspace.json(`_catalogue/properties/${id}.json`) as Record<string, string>;
    return { id, title, city, latitude: Number(detail.latitude), longitude: Number(detail.longitude) };
  });
}

const field = {
  title: fc.constantFrom('House', '"Quoted","city":"x"', 'Back\\slash \\', 'Zoë', '東京 😀', '","city":"'),
  city: fc.constantFrom('Galway', 'Cork', 'A "b"'),
  country: fc.constantFrom('IE', 'FR'),
  latitude: fc.constantFrom('53.27194', '-0.000004', '0', '53.2719449999', '-89.5', '12.3456789012345'),
  longitude: fc.constantFrom('-9.04889', '179.99999', '0.1', '-179.123456'),
};

describe('points files', () => {
  it('agree with the list and the details of each country after any change (F)', async () => {
    const edit = fc.record({
      n: fc.integer({ min: 1, max: 8 }),
      gone: fc.boolean(),
      fields: fc.record(field),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 8 }),
        fc.array(edit, { maxLength: 3 }),
        async (first, then) => {
          const workspace = createWorkspace();
          workspace.configure(SETTINGS);
          const apply = (edits: typeof first) => {
            for (const { n, gone, fields } of edits) {
              if (gone && existsSync(join(workspace.content, `house-${n}.yaml`)))
                workspace.remove(`house-${n}.yaml`);
              else if (!gone) workspace.add(n, fields);
            }
          };
          for (const edits of [first, then]) {
            apply(edits);
            await workspace.build();
            for (const country of ['IE', 'FR']) {
              if (existsSync(join(workspace.public, `_catalogue/pages/${country}`)))
                expect(pointsOf(workspace, country)).toEqual(publishedOf(workspace, country));
              else
                expect(existsSync(join(workspace.public, `_catalogue/points/${country}.json`))).toBe(false);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('are rewritten only for the countries that changed, and removed with the last property (F)', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    workspace.add(1);
    workspace.add(2, { country: 'FR', city: 'Paris' });
    workspace.add(3, { country: 'FR', city: 'Paris' });
    await workspace.build();
    const path = (country: string) => join(workspace.public, `_catalogue/points/${country}.json`);
    for (const country of ['IE', 'FR']) utimesSync(path(country), 1000, 1000);
    workspace.add(2, { country: 'FR', city: 'Paris', latitude: '48.85' });
    await workspace.build();
    expect(statSync(path('IE')).mtimeMs).toBe(1_000_000);
    expect(statSync(path('FR')).mtimeMs).not.toBe(1_000_000);
    expect(pointsOf(workspace, 'FR')[0]?.latitude).toBe(48.85);
    workspace.remove('house-1.yaml');
    const { counts } = await workspace.build();
    expect(existsSync(path('IE'))).toBe(false);
    expect(counts?.files).toBe(workspace.tree().size);
  });

  it('are not trusted after a change by hand, and --check-output repairs them (F)', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    workspace.add(1);
    workspace.add(2, { latitude: '52.5' });
    await workspace.build();
    const path = join(workspace.public, '_catalogue/points/IE.json');
    const sound = readFileSync(path, 'utf8');
    writeFileSync(path, sound.replace('53.27194', '11.11111'));
    workspace.add(1, { title: 'House 0' });
    await workspace.build();
    expect(readFileSync(path, 'utf8')).toBe(sound.replace('House 1', 'House 0'));
    writeFileSync(path, sound);
    const { damaged } = await workspace.build({ checkOutput: true });
    expect(damaged).toEqual(['_catalogue/points/IE.json']);
    expect(readFileSync(path, 'utf8')).toBe(sound.replace('House 1', 'House 0'));
  });

  it('of a large country are in parts: a change writes one part and the file that names them', async () => {
    const workspace = createWorkspace();
    workspace.configure(`${SETTINGS}layout: packed\n`);
    for (let n = 1; n <= 4200; n++) workspace.add(n);
    const [many, few] = ['IE', 'FR'].map((country) => `_catalogue/points/${country}.json`);
    workspace.add(4201, { country: 'FR', city: 'Paris' });
    const read = async () => {
      await workspace.build();
      const client = createClient({
        baseUrl: 'http://x.example',
        fetch: async (url) => new Response(workspace.read(new URL(String(url)).pathname.slice(1))),
      });
      const { points } = await client.getPoints('IE');
      return { points, tree: workspace.tree(), file: workspace.json(many!) as Points };
    };
    const first = await read();
    expect(first.file).toMatchObject({ country: 'IE', points: [] });
    expect(first.file.parts!.length).toBeGreaterThan(1);
    expect(first.points.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 4200 }, (_, n) => idOf(n + 1)),
    );
    workspace.add(9, { title: 'House 9b' });
    const second = await read();
    expect(second.points.find(({ id }) => id === idOf(9))?.title).toBe('House 9b');
    expect(second.file.parts!.filter((href) => !first.file.parts!.includes(href))).toHaveLength(1);
    expect(second.tree.get(few!)).toBe(first.tree.get(few!));
    // Nothing of the country changes: its parts stay without being made again.
    workspace.add(4201, { country: 'FR', city: 'Lyon' });
    const third = await read();
    expect(third.file).toEqual(second.file);
    rmSync(workspace.out, { recursive: true });
    expect((await read()).tree).toEqual(third.tree);
    for (let n = 200; n <= 4200; n++) workspace.remove(`house-${n}.yaml`);
    expect((await read()).file.parts).toBeUndefined();
  });

  it('take at most 60 bytes a property, compressed, when the ids are random (F)', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    const random = (seed: number) => Math.abs(Math.sin(seed * 12.9898) * 43_758.5453) % 1;
    for (let n = 1; n <= 500; n++) {
      const digits = Array.from({ length: 32 }, (_, index) =>
        Math.floor(random(n * 32 + index) * 16).toString(16),
      );
      const id = digits.join('').replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
      workspace.add(n, {
        id,
        title: `The ${['Old', 'Quiet', 'Green', 'Upper'][n % 4]} ${['Mill', 'Inn', 'Lodge'][n % 3]} by lake ${n}`,
        city: `Town ${Math.floor(random(n) * 50)}`,
        latitude: (51.5 + 3 * random(n + 0.25)).toFixed(6),
        longitude: (-10 + 4 * random(n + 0.5)).toFixed(6),
      });
    }
    await workspace.build();
    const size = gzipSync(readFileSync(join(workspace.public, '_catalogue/points/IE.json'))).length;
    expect(size / 500).toBeLessThan(60);
  });
});
