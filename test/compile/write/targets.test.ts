/** What owners put into `dist`, or change there, is theirs; what builds wrote goes when it is not needed. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace, type Workspace } from '../workspace.ts';

const PLAIN = 'page_sizes: [25]\ndocs: false\nbulk: false\nexplorer: { enabled: false }\n';
const WORKER = 'edge/cloudflare-worker';

function withTargets(targets: string, more = ''): Workspace {
  const workspace = createWorkspace();
  workspace.configure(`${PLAIN}targets: [${targets}]\n${more}`);
  workspace.add(1);
  return workspace;
}

const put = (workspace: Workspace, path: string, text = 'mine') => {
  mkdirSync(dirname(join(workspace.out, path)), { recursive: true });
  writeFileSync(join(workspace.out, path), text);
};
const textOf = ({ out }: Workspace, path: string) => readFileSync(join(out, path), 'utf8');

describe('files below dist/edge that no build wrote (D2)', () => {
  const own = [
    `${WORKER}/.dev.vars`,
    `${WORKER}/.wrangler/state/v3/a.sqlite`,
    `${WORKER}/notes.md`,
    'edge/nginx/wrangler.jsonc',
    'edge/apache/_catalogue/pages/IE/notes',
    'edge/own.txt',
  ];
  const changes: Record<string, (workspace: Workspace) => unknown> = {
    'a change of settings': ({ configure }) =>
      configure(`${PLAIN}targets: [cloudflare-worker, apache]\nbase_url: https://stays.example\n`),
    'a target that is switched off': ({ configure }) => configure(`${PLAIN}targets: []\n`),
    'a forced build': ({ build }) => build({ force: true }),
    'a lost state': ({ out }) => rmSync(join(out, 'state')),
    'a lost state and journal': ({ out }) => ['state', 'journal'].map((name) => rmSync(join(out, name))),
    'a new city': ({ add }) => add(2, { city: 'Cork' }),
  };
  for (const [name, change] of Object.entries(changes))
    it(`survive ${name}`, async () => {
      const workspace = withTargets('cloudflare-worker, apache');
      await workspace.build();
      for (const path of own) put(workspace, path);
      await change(workspace);
      const { kept } = await workspace.build();
      expect(kept).toEqual([]);
      for (const path of own) expect(textOf(workspace, path), path).toBe('mine');
    });
});

describe('a generated file that its owner changed (D2)', () => {
  const path = `${WORKER}/wrangler.jsonc`;
  it('is kept and named by each build that would write it, until he removes it', async () => {
    const workspace = withTargets('cloudflare-worker');
    await workspace.build();
    const generated = textOf(workspace, path);
    put(workspace, path, `${generated}// mine`);
    expect((await workspace.build()).kept).toEqual([path]);
    expect((await workspace.build()).outcome).toBe('unchanged');
    workspace.configure(`${PLAIN}targets: [cloudflare-worker]\ncache_control: { media: no-store }\n`);
    expect((await workspace.build()).kept).toEqual([path]);
    expect((await workspace.build({ force: true })).kept).toEqual([path]);
    expect(textOf(workspace, path)).toBe(`${generated}// mine`);
    rmSync(join(workspace.out, path));
    expect((await workspace.build()).kept).toEqual([]);
    expect(textOf(workspace, path)).toBe(generated);
  });

  it('is kept when its target is switched off, and the others of it go', async () => {
    const workspace = withTargets('cloudflare-worker, nginx');
    await workspace.build();
    put(workspace, path);
    workspace.configure(`${PLAIN}targets: []\n`);
    expect((await workspace.build()).kept).toEqual([path]);
    expect([...workspace.tree(join(workspace.out, 'edge')).keys()]).toEqual([
      'cloudflare-worker/wrangler.jsonc',
    ]);
    expect((await workspace.build({ force: true })).kept).toEqual([]);
  });

  it('may be a link or a folder now', async () => {
    const workspace = withTargets('apache, nginx');
    await workspace.build();
    put(workspace, 'elsewhere.conf');
    rmSync(join(workspace.out, 'edge/nginx/site.conf'));
    symlinkSync('../../elsewhere.conf', join(workspace.out, 'edge/nginx/site.conf'));
    rmSync(join(workspace.out, 'edge/nginx/http.conf'));
    put(workspace, 'edge/nginx/http.conf/mine.conf');
    const { kept } = await workspace.build({ force: true });
    expect(kept).toEqual(['edge/nginx/http.conf', 'edge/nginx/site.conf']);
    expect(textOf(workspace, 'edge/nginx/http.conf/mine.conf')).toBe('mine');
    expect(textOf(workspace, 'elsewhere.conf')).toBe('mine');
  });
});

it('a build after a killed one removes what that one wrote, and nothing else (D2)', async () => {
  const workspace = withTargets('nginx');
  await workspace.build();
  // As a killed build leaves it: files of other settings, a journal of both builds, no state.
  const journal = join(workspace.out, 'journal');
  const before = readFileSync(journal, 'utf8');
  workspace.configure('page_sizes: [25]\ntargets: [nginx, cloudflare-worker]\nbulk: false\n');
  await workspace.build();
  writeFileSync(journal, `${before}\n${readFileSync(journal, 'utf8')}\n00112233`);
  rmSync(join(workspace.out, 'state'));
  for (const path of [
    `${WORKER}/mine.txt`,
    'public/problems/mine.json',
    'public/docs/mine.html',
    'public/mine.html',
  ])
    put(workspace, path);
  workspace.configure(`${PLAIN}targets: [nginx]\n`);
  expect((await workspace.build()).kept).toEqual([]);
  expect([...workspace.tree(join(workspace.out, 'edge', 'cloudflare-worker')).keys()]).toEqual(['mine.txt']);
  const fresh = withTargets('nginx');
  await fresh.build();
  expect([...workspace.tree().keys()].filter((key) => !fresh.tree().has(key))).toEqual([
    'docs/mine.html',
    'mine.html',
    'problems/mine.json',
  ]);
});

it('pages of an owner stay beside a catalogue without an explorer, known state or not (D2, D7)', async () => {
  const workspace = withTargets('nginx');
  for (const key of ['404.html', 'index.html', 'docs/index.html', '_catalogue/countries/XX.json'])
    put(workspace, `public/${key}`);
  for (const options of [{}, { force: true }]) await workspace.build(options);
  workspace.configure(`${PLAIN}targets: []\n`);
  await workspace.build();
  for (const key of ['404.html', 'index.html', 'docs/index.html', '_catalogue/countries/XX.json'])
    expect(workspace.read(key)).toBe('mine');
});

it('an empty configuration, as a power failure leaves it, is written again (D2)', async () => {
  const workspace = withTargets('nginx');
  await workspace.build();
  const sound = textOf(workspace, 'edge/nginx/site.conf');
  writeFileSync(join(workspace.out, 'edge/nginx/site.conf'), '');
  expect((await workspace.build()).kept).toEqual([]);
  expect(textOf(workspace, 'edge/nginx/site.conf')).toBe(sound);
});

it('a target that comes back finds its folder moved away', async () => {
  const workspace = withTargets('nginx');
  await workspace.build();
  renameSync(join(workspace.out, 'edge'), join(workspace.root, 'edge'));
  expect((await workspace.build()).outcome).toBe('published');
  expect(existsSync(join(workspace.out, 'edge/nginx/site.conf'))).toBe(true);
});
