/** The changes since the last commit, and the commit of some of them, with real git. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { type ChangedFile, chosenFiles, commitMessageFor } from '../../../src/editor/changes.ts';
import type { Workspace } from '../../compile/workspace.ts';
import { type Editing, ROSE, startEditing } from '../editing.ts';
import { repository, run } from './repository.ts';

async function inRepository(prepare: (workspace: Workspace) => void = () => {}): Promise<Editing> {
  return startEditing((workspace) => {
    workspace.add(2);
    repository(workspace);
    prepare(workspace);
  });
}

async function retitled({ ask, property }: Editing, title: string) {
  const { version } = await property();
  await ask('save', {
    path: 'rose.yaml',
    version,
    fields: { title, phone: '+353 1 605 7701' },
  });
}

const chosen = (files: readonly ChangedFile[]) => files.map(({ path, version }) => ({ path, version }));

it('lists changes in words and lines, commits the chosen ones, and leaves other staged changes staged', async () => {
  const editing = await inRepository();
  const { ask, workspace } = editing;
  const { root } = workspace;
  await retitled(editing, 'Rose House');
  workspace.remove('house-2.yaml');
  workspace.add(3, { title: 'Lime [1]*' }, 'new [1]*.yaml');
  writeFileSync(join(root, 'notes.txt'), 'staged by hand');
  run(root, 'add', 'notes.txt');
  await expect
    .poll(async () => (await ask('properties')).json.rows)
    .toMatchObject([
      { path: 'new [1]*.yaml', changed: 'added' },
      { path: 'rose.yaml', changed: 'changed' },
    ]);
  const { json } = await ask('changes');
  expect(json.git).toEqual({ branch: 'main', author: 'Ada <ada@example.com>', merge: null, obstacle: null });
  expect(json.files).toMatchObject([
    { path: 'house-2.yaml', kind: 'removed', version: '', title: 'House 2' },
    { path: 'new [1]*.yaml', kind: 'added', title: 'Lime [1]*' },
    {
      path: 'rose.yaml',
      kind: 'changed',
      fields: [
        { label: 'Title', before: 'Rose Cottage', after: 'Rose House' },
        { label: 'Phone', before: '+353 1 605 7700', after: '+353 1 605 7701' },
      ],
      lines: [{ oldLine: 3 }, { oldLine: 7 }],
    },
  ]);
  expect(json.message).toBe('Add Lime [1]*, change title and phone of Rose House, remove House 2');

  const files = chosen(json.files.slice(1));
  const done = await ask('commit', { message: '# Two\n\nof three', files });
  expect(done.json).toMatchObject({ branch: 'main' });
  expect(run(root, 'log', '-1', '--format=%B').trim()).toBe('# Two\n\nof three');
  expect(run(root, 'show', '--name-status', '--format=').trim().split('\n')).toEqual([
    'A\tcontent/new [1]*.yaml',
    'M\tcontent/rose.yaml',
  ]);
  expect(run(root, 'status', '--porcelain').trim().split('\n')).toEqual([
    'D content/house-2.yaml',
    'A  notes.txt',
  ]);
  const rest = (await ask('changes')).json;
  const branched = await ask('commit', { message: rest.message, branch: 'less', files: chosen(rest.files) });
  expect(branched.json.branch).toBe('less');
  expect(run(root, 'status', '--porcelain').trim()).toBe('A  notes.txt');
});

it('refuses in plain words, and leaves the repository as it was', async () => {
  const editing = await inRepository();
  const { ask, workspace } = editing;
  const { root } = workspace;
  await retitled(editing, 'Rose House');
  workspace.add(3);
  const { files } = (await ask('changes')).json;
  const before = () => run(root, 'status', '--porcelain', '--branch') + run(root, 'rev-parse', 'HEAD');
  const start = before();
  const refused = async (change: object, words: RegExp) => {
    const answer = await ask('commit', { message: 'Change', files: chosen(files), ...change });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.json.message).toMatch(words);
  };
  await refused({ message: ' ' }, /Write a message/);
  await refused({ files: [] }, /Choose/);
  await refused({ branch: '-x' }, /cannot be used/);
  await refused({ branch: '@{-1}' }, /it has "@\{"/);
  await refused({ branch: 'main/next' }, /the same before or behind a slash/);
  for (const change of [{ message: 'a\0b' }, { branch: 'a\0b' }])
    expect((await ask('commit', { message: 'Change', files: chosen(files), ...change })).status).toBe(400);
  await refused({ branch: 'main' }, /taken already/);
  await refused({ files: [{ path: '../notes.txt', version: '' }] }, /changed meanwhile/);
  await refused({ files: [{ path: 'rose.yaml', version: '0' }] }, /changed meanwhile/);
  expect(before()).toBe(start);

  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\necho "Prices must be round" >&2\nexit 1\n');
  chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
  await refused({}, /Prices must be round/);
  await refused({ branch: 'next' }, /Prices must be round/);
  expect(before()).toBe(start);
  expect(run(root, 'branch', '--list').trim()).toBe('* main');

  writeFileSync(join(root, '.git/REVERT_HEAD'), run(root, 'rev-parse', 'HEAD'));
  await refused({}, /calls it a revert/);
  expect((await ask('changes')).json.git.obstacle).toMatch(
    /in the terminal, and not here: git revert --continue\.$/,
  );
});

it('takes a record of more files than a body of other requests may name', async () => {
  const { ask } = await inRepository();
  const files = Array.from({ length: 20_001 }, (_, number) => ({
    path: `photos/${number}.jpg`,
    version: 'a'.repeat(32),
  }));
  const { json } = await ask('commit', { message: 'Change', files });
  expect(json.message).toMatch(/^photos\/0\.jpg changed meanwhile/);
});

it('creates a property while the network hangs', async () => {
  const { ask, workspace } = await inRepository();
  const { root } = workspace;
  const answered = join(root, 'answered');
  run(root, 'config', 'core.sshCommand', `sh -c 'while [ ! -e "${answered}" ]; do sleep 0.02; done; exit 1'`);
  run(root, 'remote', 'add', 'origin', 'git@stays.example:stays.git');
  let isFetched = false;
  const fetched = ask('fetch', {}).then(({ json }) => {
    isFetched = true;
    return json.problem;
  });
  const { files } = (await ask('changes')).json;
  expect(files).toEqual([]);
  const fields = { id: '00000000-0000-4000-8000-000000000009', title: 'Oak', city: 'Cork', country: 'IE' };
  expect((await ask('create', { fields })).status).toBe(200);
  expect(isFetched).toBe(false);
  writeFileSync(answered, '');
  expect(await fetched).toContain('cannot be looked for');
});

it('says what to do without a repository', async () => {
  const { ask, workspace } = await startEditing();
  expect(await ask('changes')).toMatchObject({ status: 422, json: { code: 'git-failed' } });
  expect((await ask('changes')).json.message).toContain('git init');
  expect(workspace.file('rose.yaml')).toBe(ROSE);
});

it('takes the photos of a property along, and commits no property without its new photos', async () => {
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const editing = await inRepository((workspace) => {
    workspace.write('old.jpg', photo);
    workspace.write('rose.yaml', `${ROSE}photo:\n  - file: old.jpg\n`);
    run(workspace.root, 'add', '.');
    run(workspace.root, 'commit', '--quiet', '--message=Photo');
  });
  const { ask, workspace } = editing;
  workspace.write('new.jpg', photo);
  workspace.write('other.jpg', photo);
  workspace.write('rose.yaml', `${ROSE}photo:\n  - file: new.jpg\n`);
  workspace.remove('old.jpg');
  const { files } = (await ask('changes')).json as { files: ChangedFile[] };
  expect(files.map(({ path, photos }) => [path, photos])).toEqual([
    ['new.jpg', []],
    ['old.jpg', []],
    ['other.jpg', []],
    ['rose.yaml', ['new.jpg', 'old.jpg']],
  ]);
  expect((await ask('properties')).json.changed).toBe(2);
  const commit = (...paths: string[]) =>
    ask('commit', { message: 'Change', files: chosen(files.filter(({ path }) => paths.includes(path))) });
  const head = run(workspace.root, 'rev-parse', 'HEAD');
  expect((await commit('rose.yaml')).json.message).toContain('new photo new.jpg');
  expect((await commit('old.jpg')).json.message).toContain('old.jpg, which is removed');
  expect(run(workspace.root, 'rev-parse', 'HEAD')).toBe(head);
  const taken = chosenFiles(files, new Set(['other.jpg'])).map(({ path }) => path);
  expect(taken).toEqual(['new.jpg', 'old.jpg', 'rose.yaml']);
  expect((await commit(...taken)).status).toBe(200);
  expect(run(workspace.root, 'status', '--porcelain').trim()).toBe('?? content/other.jpg');
});

it('tells the errors that a record would bring from those that are recorded already', async () => {
  const editing = await inRepository((workspace) => {
    workspace.write('old.yaml', ROSE.replace('country: IE', 'country: Ireland'));
    run(workspace.root, 'add', '.');
    run(workspace.root, 'commit', '--quiet', '--no-verify', '--message=With an error');
    workspace.write('old.yaml', ROSE.replace('country: IE', 'country: Ireland').replace('Rose', 'Red'));
  });
  const { version } = await editing.property();
  await editing.ask('save', { path: 'rose.yaml', version, fields: { email: 'nora at rose' } });
  expect((await editing.ask('changes')).json.files).toMatchObject([
    { path: 'old.yaml', errors: 1, newErrors: 0 },
    { path: 'rose.yaml', errors: 1, newErrors: 1 },
  ]);
  // What a draft lacks is a warning, as for the check.
  const faulty = await editing.property();
  await editing.ask('save', { path: 'rose.yaml', version: faulty.version, fields: { draft: 'true' } });
  await editing.ask('create', { fields: { title: 'Oak House', draft: 'true' } });
  const { files } = (await editing.ask('changes')).json;
  const judged = files.map(({ title, errors, newErrors }: ChangedFile) => [title, errors, newErrors]);
  expect(judged.sort()).toEqual([
    ['Oak House', 0, 0],
    ['Red Cottage', 1, 0],
    ['Rose Cottage', 0, 0],
  ]);
});

it('leaves out the photos of properties that are left out, unless another one needs them', () => {
  const file = (path: string, kind: ChangedFile['kind'], photos: string[] = []): ChangedFile => ({
    path,
    kind,
    photos,
    version: '',
    title: path,
    city: '',
    errors: 0,
    newErrors: 0,
    fields: [],
    lines: null,
  });
  const files = [
    file('a.yaml', 'changed', ['new.jpg', 'gone.jpg']),
    file('b.yaml', 'changed', ['new.jpg', 'gone.jpg']),
    file('gone.jpg', 'removed'),
    file('new.jpg', 'added'),
  ];
  const without = (...left: string[]) => chosenFiles(files, new Set(left)).map(({ path }) => path);
  expect(without()).toHaveLength(4);
  expect(without('a.yaml')).toEqual(['b.yaml', 'new.jpg']);
  expect(without('a.yaml', 'b.yaml')).toEqual([]);
  // What is suggested as the text of the record follows.
  const suggested = (...left: string[]) => commitMessageFor(chosenFiles(files, new Set(left)));
  expect([suggested(), suggested('a.yaml'), suggested('a.yaml', 'b.yaml')]).toEqual([
    'Change 2 properties',
    'Change b.yaml',
    '',
  ]);
});

it('puts the chosen files in order when a check of the repository wants that, and no others (C4)', async () => {
  const editing = await inRepository((workspace) => {
    mkdirSync(join(workspace.root, '.git/hooks'), { recursive: true });
    const check =
      'git diff --cached | grep -q "^+title: 1984" && { echo "Not formatted" >&2; exit 1; }; exit 0';
    writeFileSync(join(workspace.root, '.git/hooks/pre-commit'), `#!/bin/sh\n${check}\n`, { mode: 0o755 });
  });
  const { ask, workspace } = editing;
  const plain = ROSE.replace("'Rose Cottage'   # as on the sign", '1984');
  workspace.write('rose.yaml', plain);
  workspace.write('house-2.yaml', plain.replace('0001', '0002'));
  const { files } = (await ask('changes')).json as { files: ChangedFile[] };
  const done = await ask('commit', {
    message: 'Title',
    files: chosen(files.filter(({ path }) => path === 'rose.yaml')),
  });
  expect(done.status).toBe(200);
  expect(run(workspace.root, 'show', 'HEAD:content/rose.yaml')).toContain('title: "1984"');
  expect(workspace.file('house-2.yaml')).toContain('title: 1984');
});

/** Puts a script before git. It gets the arguments of each call first. */
function beforeGit(folder: string, script: string): void {
  const path = process.env.PATH!;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const rest = `PATH='${path}' exec git "$@"`;
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n${script}\n${rest}\n`, { mode: 0o755 });
  process.env.PATH = `${join(folder, 'bin')}${delimiter}${path}`;
}

it.each(['add', 'commit'])(
  'commits no version that the page did not show: a save before git %s',
  async (command) => {
    const editing = await inRepository();
    const { ask, workspace } = editing;
    const { root } = workspace;
    await retitled(editing, 'Rose House');
    const { files } = (await ask('changes')).json;
    const shown = workspace.file('rose.yaml');
    const unseen = shown.replace('Rose House', 'Rose Palace');
    writeFileSync(join(root, 'unseen'), unseen);
    writeFileSync(join(root, 'staged.txt'), 'by hand');
    run(root, 'add', 'staged.txt');
    const index = run(root, 'ls-files', '--stage');
    const save = `cp '${join(root, 'unseen')}' '${join(workspace.content, 'rose.yaml')}'`;
    beforeGit(root, `case " $* " in *" ${command} "*) ${save};; esac`);
    const { status, json } = await ask('commit', { message: 'Change', files: chosen(files) });
    expect(workspace.file('rose.yaml')).toBe(unseen);
    if (command === 'commit') {
      expect([status, run(root, 'show', 'HEAD:content/rose.yaml')]).toEqual([200, shown]);
      expect(run(root, 'status', '--porcelain', '--untracked-files=no')).toBe(
        ' M content/rose.yaml\nA  staged.txt\n',
      );
    } else {
      expect([status, json.code]).toEqual([409, 'changed-meanwhile']);
      expect([
        run(root, 'log', '--oneline').trim().split('\n').length,
        run(root, 'ls-files', '--stage'),
      ]).toEqual([1, index]);
    }
  },
);

it('formats nothing, and commits once, if Git refuses for a reason of its own', async () => {
  const editing = await inRepository();
  const { ask, workspace } = editing;
  const { root } = workspace;
  const plain = ROSE.replace("'Rose Cottage'   # as on the sign", '1984');
  workspace.write('rose.yaml', plain);
  const signer = join(root, 'signer');
  writeFileSync(signer, `#!/bin/sh\necho asked >> '${join(root, 'asked')}'\nexit 1\n`, { mode: 0o755 });
  run(root, 'config', 'commit.gpgsign', 'true');
  run(root, 'config', 'gpg.program', signer);
  const { files } = (await ask('changes')).json;
  const { json } = await ask('commit', { message: 'Title', files: chosen(files) });
  expect(json.message).toMatch(/^Records of this catalogue are signed, and that failed/);
  expect(readFileSync(join(root, 'asked'), 'utf8')).toBe('asked\n');
  expect(workspace.file('rose.yaml')).toBe(plain);
});

it('says why a hook refused, even if the formatted file cannot be put back', async () => {
  const editing = await inRepository();
  const { ask, workspace } = editing;
  const { root, content } = workspace;
  const once = join(root, 'once');
  const hook = `[ -e '${once}' ] && rm '${join(content, 'rose.yaml')}'\ntouch '${once}'\necho "Prices must be round" >&2\nexit 1`;
  writeFileSync(join(root, '.git/hooks/pre-commit'), `#!/bin/sh\n${hook}\n`, { mode: 0o755 });
  workspace.write('rose.yaml', ROSE.replace("'Rose Cottage'   # as on the sign", '1984'));
  const { files } = (await ask('changes')).json;
  const { json } = await ask('commit', { message: 'Title', files: chosen(files) });
  expect(json.message).toMatch(/Prices must be round/);
  expect(existsSync(join(content, 'rose.yaml'))).toBe(false);
});
