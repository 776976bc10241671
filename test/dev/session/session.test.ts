/** An editing session shows the result of a build of the content, and its output ends the same. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { takeOutputLock } from '../../../src/compile/output-lock.ts';
import { type DevServer, startDevServer } from '../../../src/dev/preview/server.ts';
import { type SessionEvent, startSession } from '../../../src/dev/session/session.ts';
import { createWorkspace, idOf, readTree, sound, type Workspace, yaml } from '../../compile/workspace.ts';
import { type HeardSession, startHeardSession } from '../heard-session.ts';

const PLAIN = 'page_sizes: [1, 2, 25]\ntargets: [nginx]\ndocs: false\n';
const SERIES = 6;

type Running = HeardSession & { readonly workspace: Workspace; readonly server: DevServer };

async function run(prepare: (workspace: Workspace) => void, asOf?: Date): Promise<Running> {
  const workspace = createWorkspace();
  workspace.configure(PLAIN);
  prepare(workspace);
  const heard = await startHeardSession(workspace, asOf && { asOf });
  const { content } = workspace;
  const server = await startDevServer({ session: heard.session, content, port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  return { workspace, server, ...heard };
}

const LIST = '/api/v1/public/properties';
const titles = async ({ server }: Pick<Running, 'server'>): Promise<string[]> => {
  const page = (await (await fetch(server.url + LIST)).json()) as { data: { title: string }[] };
  return page.data.map(({ title }) => title);
};
const titleOf = async ({ server }: Running, n: number) =>
  ((await (await fetch(`${server.url + LIST}/${idOf(n)}`)).json()) as { title: string }).title;

/** The detail of a property in the parts of the output; an empty text when none has it. */
const detailIn = ({ out }: Workspace, n: number) => {
  const folder = join(out, 'dev/public/_catalogue/parts');
  const start = `{"id":"${idOf(n)}",`;
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const line = lines.find((one) => one.startsWith(start));
  return line === undefined ? '' : `{${line.slice(start.length)}`;
};

/** Waits until the server shows some titles; a change may arrive in parts. */
async function shows(running: Running, expected: string[]): Promise<void> {
  await expect.poll(() => titles(running), { interval: 5 }).toEqual(expected);
}

/** Builds the same content elsewhere, and compares everything. */
async function expectClean({ workspace, settle }: Running, note = '', asOf?: Date): Promise<void> {
  // Changes in progress arrive before a change that is made now.
  await settle('note.txt', note);
  const clean = join(workspace.root, 'clean');
  rmSync(clean, { recursive: true, force: true });
  await workspace.build({ out: clean, preview: true, ...(asOf && { asOf }) });
  expect(readTree(join(workspace.out, 'dev/public')), note).toEqual(readTree(join(clean, 'dev/public')));
  expect(existsSync(workspace.public)).toBe(false);
}

describe('a session', () => {
  it('shows written, renamed, added, moved and removed files, and updates the output', async () => {
    const running = await run((workspace) => {
      for (const n of [1, 2, 3]) workspace.add(n);
    });
    const { workspace } = running;
    await shows(running, ['House 1', 'House 2', 'House 3']);

    workspace.add(2, { title: 'House 2b' });
    await shows(running, ['House 1', 'House 2b', 'House 3']);
    expect(await titleOf(running, 2)).toBe('House 2b');

    // As vim saves: a new file beside the old one, then a rename over it.
    writeFileSync(join(workspace.content, '4913'), '');
    rmSync(join(workspace.content, '4913'));
    writeFileSync(join(workspace.content, '.house-1.yaml.swp'), 'b0VIM');
    writeFileSync(join(workspace.content, 'house-1.yaml~'), yaml(sound(1, { title: 'House 1b' })));
    renameSync(join(workspace.content, 'house-1.yaml~'), join(workspace.content, 'house-1.yaml'));
    await shows(running, ['House 1b', 'House 2b', 'House 3']);

    // Truncated first, as other editors save, and twice within the time in which the watch waits.
    for (const title of ['x', 'y', 'House 3b']) {
      writeFileSync(join(workspace.content, 'house-3.yaml'), '');
      writeFileSync(join(workspace.content, 'house-3.yaml'), yaml(sound(3, { title })));
    }
    await shows(running, ['House 1b', 'House 2b', 'House 3b']);

    workspace.add(4, {}, 'fr/house-4.yaml');
    mkdirSync(join(workspace.content, 'ie'));
    renameSync(join(workspace.content, 'house-2.yaml'), join(workspace.content, 'ie/house-2.yaml'));
    await shows(running, ['House 1b', 'House 2b', 'House 3b', 'House 4']);
    workspace.remove('fr');
    await shows(running, ['House 1b', 'House 2b', 'House 3b']);
    expect((await fetch(`${running.server.url + LIST}/${idOf(4)}`)).status).toBe(404);
    expect(running.session.diagnostics()).toEqual([]);
    await expectClean(running);
  });

  it('shows drafts as well, and properties on a chosen day; the output folder has no draft (20.5)', async () => {
    const asOf = new Date('2027-07-01');
    const running = await run((workspace) => {
      workspace.add(1);
      workspace.add(2, { live_from: '2027-06-01' });
      workspace.add(3, { live_from: '2027-07-02' });
      workspace.add(4, { draft: 'true', city: 'Westport' });
    }, asOf);
    const { workspace, server, session } = running;
    const drafts = () => session.drafts().toSorted();
    await shows(running, ['House 1', 'House 2', 'House 4']);
    expect(await titleOf(running, 4)).toBe('House 4');
    const json = async (key: string) => (await fetch(`${server.url}/_catalogue/${key}.json`)).json();
    expect((await json('countries')).countries).toMatchObject([{ code: 'IE', properties: 3, cities: 2 }]);
    expect((await json('countries/IE')).cities).toEqual([
      { name: 'Galway', properties: 2 },
      { name: 'Westport', properties: 1 },
    ]);
    expect(drafts()).toEqual([idOf(4)]);
    const picture = { create: { width: 40, height: 30, channels: 3 as const, background: 'red' } };
    workspace.write('red.jpg', await sharp(picture).jpeg().toBuffer());
    workspace.add(1, { draft: 'true', photo: [{ file: 'red.jpg' }] });
    await expect.poll(() => drafts()).toEqual([idOf(1), idOf(4)]);
    await shows(running, ['House 1', 'House 2', 'House 4']);
    const { photo } = (await (await fetch(`${server.url + LIST}/${idOf(1)}`)).json()) as {
      photo: { url: string }[];
    };
    const image = await fetch(photo[0]!.url);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await fetch(photo[0]!.url.replace(/[0-9a-f]{8}/, '00000000'))).status).toBe(404);
    workspace.add(3, { live_from: '2027-07-01' });
    await shows(running, ['House 1', 'House 2', 'House 3', 'House 4']);
    workspace.add(1);
    workspace.add(2, { live_until: '2027-06-30' });
    await shows(running, ['House 1', 'House 3', 'House 4']);
    expect(drafts()).toEqual([idOf(4)]);
    expect(session.diagnostics().map(({ code }) => code)).toEqual(['no-longer-live']);
    const found = (await session.index()).diagnostics.get('house-2.yaml');
    expect(found).toMatchObject([{ code: 'no-longer-live', fieldPath: ['live_until'] }]);
    await expectClean(running, '', asOf);
    workspace.add(2);
    await shows(running, ['House 1', 'House 2', 'House 3', 'House 4']);
    expect(session.diagnostics()).toEqual([]);
  });

  it('tells pages of changes while it was closed', async () => {
    const { workspace, session } = await run((workspace) => workspace.add(1));
    await session.close();
    workspace.add(1, { title: 'House 1b' });
    const { content, out } = workspace;
    const events: SessionEvent[] = [];
    const again = await startSession({ content, out, jobs: 1, listener: (event) => void events.push(event) });
    onTestFinished(() => again.close());
    await expect.poll(() => events.map(({ kind }) => kind)).toEqual(['built', 'files', 'settled']);
    expect(events[1]).toEqual({ kind: 'files', paths: null });
    expect((await again.index()).files.get('house-1.yaml')?.title).toBe('House 1b');
  });

  it('shows the folder that a link on the way to the content is switched to, and changes in it (42)', async () => {
    const workspace = createWorkspace();
    const { root, out } = workspace;
    const write = (version: string, title: string) =>
      writeFileSync(join(root, version, 'content/house-1.yaml'), yaml(sound(1, { title })));
    for (const version of ['v1', 'v2', 'v3']) {
      mkdirSync(join(root, version, 'content'), { recursive: true });
      writeFileSync(join(root, version, 'content/catalogue.yaml'), PLAIN);
      write(version, `House ${version}`);
    }
    symlinkSync('v1', join(root, 'current'));
    const content = join(root, 'current/content');
    // Only the watch can report a change, since the scans are an hour apart.
    const { session } = await startHeardSession(workspace, { content, out, idle: 3_600_000 });
    const server = await startDevServer({ session, content, port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    const shows = (title: string) =>
      expect.poll(() => titles({ server }), { interval: 5, timeout: 5000 }).toEqual([title]);
    symlinkSync('v2', join(root, 'new'));
    renameSync(join(root, 'new'), join(root, 'current'));
    await shows('House v2');
    expect(session.content).toBe(join(realpathSync(root), 'v2/content'));
    write('v2', 'House v2b');
    await shows('House v2b');
    rmSync(join(root, 'current'));
    await expect.poll(() => session.failure(), { interval: 5 }).toBeDefined();
    expect(session.content).toBe(join(realpathSync(root), 'v2/content'));
    symlinkSync('v3', join(root, 'current'));
    await shows('House v3');
    write('v3', 'House v3b');
    await shows('House v3b');
  });

  it('shows many changed files at once, as after a checkout', async () => {
    const running = await run((workspace) => {
      for (let n = 1; n <= 60; n++) workspace.add(n);
    });
    for (let n = 1; n <= 60; n++) running.workspace.add(n, { title: `Home ${n}` });
    await expect
      .poll(async () => (await titles(running)).filter((title) => title.startsWith('Home')))
      .toHaveLength(25);
    await expectClean(running);
  });

  it('shows cities and pages of any size', async () => {
    const running = await run((workspace) => {
      for (const n of [1, 2]) workspace.add(n);
    });
    const { workspace, server } = running;
    workspace.add(2, { title: 'House 2b', city: 'Cork' });
    await shows(running, ['House 2b', 'House 1']);
    const ask = async (query: string) =>
      (await (await fetch(`${server.url + LIST}?${query}`)).json()) as { data: { title: string }[] };
    expect((await ask('filter[city]=Cork')).data.map(({ title }) => title)).toEqual(['House 2b']);
    expect((await ask('filter[city]=Sligo')).data).toEqual([]);
    expect((await ask('page[size]=1&page[number]=2')).data.map(({ title }) => title)).toEqual(['House 1']);
    await expectClean(running);
  });

  it('shows a new photo and a new configuration', async () => {
    const running = await run((workspace) => workspace.add(1));
    const { workspace, server } = running;
    const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    workspace.write('photos/a.png', picture);
    workspace.configure(`base_url: https://stays.example/api\n${PLAIN}`);
    workspace.add(1, { photo: [{ file: 'photos/a.png' }] });
    const detail = async () =>
      (await (await fetch(`${server.url}/api${LIST}/${idOf(1)}`)).json()) as { photo?: { url: string }[] };
    await expect.poll(async () => (await detail()).photo?.length).toBe(1);
    // This server serves the photo here; the output names its published address.
    const { url } = (await detail()).photo![0]!;
    expect(url).toMatch(new RegExp(`^${server.url}/api/media/`));
    expect((await fetch(url)).status).toBe(200);
    await expectClean(running);
    expect(detailIn(workspace, 1)).toContain('"https://stays.example/api/media/');
    // The same photo again changes nothing.
    const from = running.events.length;
    await running.settle('photos/a.png', picture);
    expect(running.events.slice(from).map(({ kind }) => kind)).not.toContain('built');
  });
});

describe('errors', () => {
  it('leave out their property, are reported with their place, and disappear after a repair', async () => {
    const running = await run((workspace) => {
      workspace.add(1);
      workspace.add(2);
    });
    const { workspace, session, next } = running;
    const codes = () => session.diagnostics().map(({ code }) => code);
    let from = running.events.length;
    workspace.add(1, { title: 'House 1b', country: 'Ireland' });
    expect(await next('built', from)).toMatchObject({
      diagnostics: [{ code: 'unknown-country', file: 'house-1.yaml' }],
      leftOut: ['house-1.yaml'],
    });
    workspace.add(2, { title: 'House 2b' });
    await shows(running, ['House 2b']);
    // A second error, across files, while the first one exists.
    workspace.add(1, {}, 'copy.yaml');
    workspace.add(1, { title: 'House 1c' });
    await expect.poll(codes).toEqual(['duplicate-id', 'duplicate-id']);
    workspace.remove('copy.yaml');
    await shows(running, ['House 1c', 'House 2b']);
    await expect.poll(codes).toEqual([]);

    from = running.events.length;
    workspace.configure('page_sizes: none\n');
    expect(await next('built', from)).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ file: 'catalogue.yaml' }],
    });
    await shows(running, ['House 1c', 'House 2b']);
    workspace.configure('max_files: 5\n');
    await expect.poll(() => String(session.failure())).toContain('makes');
    workspace.configure(PLAIN);
    await expect.poll(() => session.failure()).toBeUndefined();
    await expectClean(running);
  });

  it('of the configuration at the start show a waiting page, and then the catalogue', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: none\n');
    workspace.add(1);
    const { content, out } = workspace;
    const session = await startSession({ content, out, jobs: 1, idle: 40 });
    onTestFinished(() => session.close());
    const server = await startDevServer({
      session,
      content,
      port: 0,
      host: '127.0.0.1',
    });
    onTestFinished(() => server.close());
    await expect.poll(() => session.diagnostics()).toHaveLength(1);
    const response = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('/_dev/overlay.js');
    expect([...(await session.index()).files.keys()]).toEqual(['house-1.yaml']);
    workspace.configure(PLAIN);
    await expect.poll(async () => (await fetch(server.url + LIST)).status).toBe(200);
  });
});

it('waits for another build, and keeps answering', async () => {
  const running = await run((workspace) => workspace.add(1));
  const { workspace, next, events } = running;
  const { release: unlock } = takeOutputLock(join(workspace.out, 'dev/lock'));
  const from = events.length;
  workspace.add(1, { title: 'House 1b' });
  await next('waiting', from);
  expect(await titles(running)).toEqual(['House 1']);
  unlock();
  await next('settled', from);
  expect(detailIn(workspace, 1)).toContain('House 1b');
});

type Edit =
  | { kind: 'write'; n: number; title: string; city: string }
  | { kind: 'remove'; n: number }
  | { kind: 'break'; n: number }
  | { kind: 'rest'; milliseconds: number };

const number = fc.integer({ min: 1, max: 6 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    n: number,
    title: fc.constantFrom('A', 'B', 'Ö', 'Zz'),
    city: fc.constantFrom('Cork', 'Galway'),
  }),
  fc.record({ kind: fc.constant('remove' as const), n: number }),
  fc.record({ kind: fc.constant('break' as const), n: number }),
  fc.record({ kind: fc.constant('rest' as const), milliseconds: fc.constantFrom(0, 30, 60, 150) }),
);

it(`ends ${SERIES} series of edits in the output of a clean build`, async () => {
  const running = await run((workspace) => workspace.add(1));
  const { workspace } = running;
  const all = fc.sample(fc.array(edit, { minLength: 8, maxLength: 16 }), { numRuns: SERIES, seed: 7 });
  for (const [index, edits] of all.entries()) {
    const broken = new Set<number>();
    for (const one of edits) {
      if (one.kind === 'rest') await new Promise((resolve) => setTimeout(resolve, one.milliseconds));
      else if (one.kind === 'remove') rmSync(join(workspace.content, `house-${one.n}.yaml`), { force: true });
      else if (one.kind === 'break') writeFileSync(join(workspace.content, `house-${one.n}.yaml`), 'id: x\n');
      else workspace.add(one.n, { title: `${one.title} ${one.n}`, city: one.city });
      if (one.kind === 'break') broken.add(one.n);
      else if (one.kind !== 'rest') broken.delete(one.n);
    }
    for (const n of broken) workspace.add(n);
    await expectClean(running, `series ${index}: ${JSON.stringify(edits)}`);
    const { server } = running;
    for (let n = 1; n <= 6; n++) {
      const response = await fetch(`${server.url + LIST}/${idOf(n)}`);
      expect(response.status === 200 ? await response.text() : '').toBe(detailIn(workspace, n));
    }
  }
}, 600_000);
