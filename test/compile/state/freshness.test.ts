/** A build takes no shortcut when the records of the last build may contain less than a full build would find now. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import { plain } from '../../media/picture.ts';
import { createWorkspace, idOf, readTree, type Workspace } from '../workspace.ts';

const world = vi.hoisted(() => ({ program: 'one', engine: '' }));
vi.mock('../../../src/compile/state/program-digest.ts', () => ({
  get programDigest() {
    return world.program;
  },
}));
vi.mock('../../../src/media/engine-version.ts', async (original) => {
  const module = await original<typeof import('../../../src/media/engine-version.ts')>();
  const engineName: typeof module.engineName = (versions) =>
    module.engineName({ ...versions, vips: `${versions.vips}${world.engine}` });
  return { ...module, engineName };
});

const FEW = 'page_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\n';

/** Recently changed files are always read again. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 40));

const jpeg = (colour: string) => plain(40, 30, colour).jpeg().toBuffer();

async function settledBuild(workspace: Workspace, options = {}) {
  await settle();
  return workspace.build(options);
}

describe('a build after one with --keep-going checks again what that one left out (C1)', () => {
  const keepGoing = { keepGoing: true };

  it('when a missing photo appears', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.add(1);
    workspace.add(2, { photo: [{ file: 'front.jpg' }] });
    expect((await settledBuild(workspace, keepGoing)).leftOut).toEqual(['house-2.yaml']);
    const again = await workspace.build(keepGoing);
    expect([again.outcome, again.leftOut]).toEqual(['published', ['house-2.yaml']]);
    workspace.write('front.jpg', await jpeg('#123456'));
    const mended = await workspace.build(keepGoing);
    expect([mended.leftOut, mended.diagnostics, mended.counts?.properties]).toEqual([[], [], 2]);
  });

  it('when another file with the same id is repaired', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.add(1);
    workspace.add(2, { id: idOf(1) });
    expect((await settledBuild(workspace, keepGoing)).leftOut).toEqual(['house-1.yaml', 'house-2.yaml']);
    workspace.add(2);
    expect(await workspace.build(keepGoing)).toMatchObject({ leftOut: [], diagnostics: [] });
  });

  it('when the problem was in the folder itself', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.add(1);
    mkdirSync(join(workspace.root, 'elsewhere'));
    symlinkSync(join(workspace.root, 'elsewhere'), join(workspace.content, 'more'));
    const first = await settledBuild(workspace, keepGoing);
    expect(first.diagnostics.map(({ code }) => code)).toEqual(['outside-content']);
    rmSync(join(workspace.content, 'more'));
    expect((await workspace.build(keepGoing)).diagnostics).toEqual([]);
    expect((await workspace.build(keepGoing)).outcome).toBe('unchanged');
  });

  it('and gives the same output with and without --keep-going when nothing was left out', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.add(1, { email: undefined });
    await settledBuild(workspace, keepGoing);
    const result = await workspace.build();
    expect([result.outcome, result.diagnostics.map(({ code }) => code)]).toEqual([
      'unchanged',
      ['missing-email'],
    ]);
    workspace.add(2, { latitude: '91' });
    expect((await settledBuild(workspace, keepGoing)).outcome).toBe('published');
    expect((await workspace.build()).outcome).toBe('refused');
  });
});

describe('a build does not trust what another program left (C8)', () => {
  async function built(): Promise<Workspace> {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.write('a.jpg', await jpeg('#abcdef'));
    workspace.add(1, { photo: [{ file: 'a.jpg' }] });
    workspace.add(2);
    await settledBuild(workspace);
    expect((await workspace.build()).outcome).toBe('unchanged');
    return workspace;
  }

  it('when its code or a library that validates values differs', async () => {
    const workspace = await built();
    const before = readTree(workspace.public);
    world.program = 'two';
    const result = await workspace.build();
    expect(result.outcome).toBe('published');
    // The build read and wrote everything, like a clean one.
    const clean = await workspace.build({ out: join(workspace.root, 'clean') });
    expect(result.work.written).toBe(clean.work.written);
    expect(readTree(workspace.public)).toEqual(before);
    expect((await workspace.build()).outcome).toBe('unchanged');
  });

  it('when its encoders differ, if there are images', async () => {
    const workspace = await built();
    const plainOne = createWorkspace();
    plainOne.configure(FEW);
    plainOne.add(1);
    await settledBuild(plainOne);
    world.engine = '.1';
    expect((await workspace.build()).work.made).toBe(2);
    expect((await workspace.build()).outcome).toBe('unchanged');
    expect((await plainOne.build()).outcome).toBe('unchanged');
    world.engine = '';
  });
});

describe('a build without other changes notices that a part of the output is missing (C12)', () => {
  it('and writes it again', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ntargets: [nginx, apache]\n');
    workspace.write('a.jpg', await jpeg('#abcdef'));
    workspace.add(1, { photo: [{ file: 'a.jpg' }] });
    await settledBuild(workspace);
    const parts = [
      'edge',
      'edge/nginx',
      ...['_catalogue/pages', '_catalogue/problems', '_catalogue/properties', '_catalogue/countries.json'],
      '_catalogue/countries',
      ...['_catalogue/chunks', '_catalogue/parts', '_catalogue/roots', '_catalogue/current.json'],
      ...['docs', 'explorer', 'media', 'index.html', 'openapi.yaml', 'properties.ndjson'],
    ].map((path) => (path.startsWith('edge') ? path : `public/${path}`));
    const output = () => new Map([...readTree(workspace.out)].filter(([path]) => !path.startsWith('state')));
    const sound = output();
    for (const part of parts) {
      expect(existsSync(join(workspace.out, part)), part).toBe(true);
      renameSync(join(workspace.out, part), join(workspace.root, 'gone'));
      rmSync(join(workspace.root, 'gone'), { recursive: true });
      expect((await workspace.build()).outcome, part).toBe('published');
      const mended = output();
      expect([...mended.keys()], part).toEqual([...sound.keys()]);
      expect(mended, part).toEqual(sound);
    }
    expect((await workspace.build()).outcome).toBe('unchanged');
  });
});

describe('a build that relies on a damaged state', () => {
  it.each(['texts', 'numbers'])('starts again from nothing (%s)', async (damaged) => {
    const workspace = createWorkspace();
    workspace.configure('layout: packed\nexplorer: { enabled: false }\n');
    for (let n = 1; n <= 700; n++) workspace.add(n);
    await settledBuild(workspace);
    const { contents } = JSON.parse(readFileSync(join(workspace.out, 'state'), 'utf8'));
    expect(contents.records.length).toBeGreaterThan(1);
    const [name, , start] = damaged === 'texts' ? contents.records.at(-1) : [contents.numbers, '', 0];
    const path = join(workspace.out, 'state-files', name);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.with(start + 100, bytes[start + 100]! ^ 1));
    // Its record is in the first piece. Its chunk has the summaries of all, read when the output is written.
    workspace.add(1, { title: 'Another title' });
    const result = await workspace.build();
    const clean = await workspace.build({ out: join(workspace.root, 'clean') });
    expect(result.outcome).toBe('published');
    expect(readTree(workspace.public)).toEqual(readTree(join(workspace.root, 'clean/public')));
    // All was written, as by the clean build.
    expect(result.work.written).toBe(clean.work.written);
  });

  it('finds its warnings again, if these are what is damaged', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW);
    workspace.add(1);
    workspace.add(2, { email: '' });
    const { diagnostics } = await settledBuild(workspace);
    const { contents } = JSON.parse(readFileSync(join(workspace.out, 'state'), 'utf8'));
    const stored = join(workspace.out, 'state-files', contents.findings);
    expect(deserialize(readFileSync(stored))).toEqual({ otherFindings: [], first: diagnostics });
    expect(diagnostics).not.toEqual([]);
    writeFileSync(stored, '[]');
    expect((await workspace.build()).diagnostics).toEqual(diagnostics);
    expect(await workspace.build()).toMatchObject({ outcome: 'unchanged', diagnostics });
  });
});
