/** A file with the marks of a merge that Git did not finish: both versions are offered, one is written, and a record finishes it. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WholeFileChoice } from '../../../src/editor/changes.ts';
import type { Workspace } from '../../compile/workspace.ts';
import { type Editing, ROSE, startEditing } from '../editing.ts';
import { repository, run } from './repository.ts';

const OTHER = ROSE.replace(/0001$/m, '0002').replace('Rose Cottage', 'Oak House');

/** Both changed the title; Lena, the city too, a second property, and `more`. */
const between =
  (...command: string[]) =>
  (
    workspace: Parameters<NonNullable<Parameters<typeof startEditing>[0]>>[0],
    mine: (text: string) => string = (text) => text.replace("'Rose Cottage'", "'Rose House'"),
    more = () => {},
  ) => {
    workspace.write('oak.yaml', OTHER);
    repository(workspace);
    const { root } = workspace;
    const record = (changed: string) => {
      workspace.write('rose.yaml', changed);
      run(root, 'add', '.');
      run(root, 'commit', '--quiet', '--message=Rose');
    };
    run(root, 'switch', '--quiet', '--create', 'lena');
    workspace.write('oak.yaml', OTHER.replace('Oak House', 'Oak Lodge'));
    more();
    record(ROSE.replace('Rose Cottage', 'Rose Inn').replace('city: Galway', 'city: Cork'));
    run(root, 'switch', '--quiet', 'main');
    record(mine(ROSE));
    expect(() => run(root, ...command)).toThrow();
  };

const state = async ({ ask }: Editing) => (await ask('changes')).json;
const chosen = (files: readonly { path: string; version: string }[]) =>
  files.map(({ path, version }) => ({ path, version }));

async function choose({ ask, property }: Editing, fields: object = { title: 'Rose Inn' }) {
  const { version } = await property();
  const saved = await ask('save', { path: 'rose.yaml', version, fields, isMerging: true });
  expect(saved.json.obstacle).toBe(null);
}

it('takes nothing back that would drop what came with a merge', async () => {
  const editing = await startEditing((workspace) => {
    between('merge', '--quiet', 'lena')(workspace);
    workspace.add(3);
  });
  const { ask, workspace } = editing;
  const before = workspace.file('rose.yaml');
  const take = async (path: string, fields?: readonly string[]) => {
    const { files } = await state(editing);
    const { version, isMerging = false } = files.find((file: { path: string }) => file.path === path);
    return { isMerging, ...(await ask('revert', { path, version, ...(fields && { fields }) })).json };
  };
  const lost = "Your colleagues' changes to this property would be lost";
  expect(await take('rose.yaml')).toMatchObject({
    isMerging: true,
    code: 'not-editable',
    message: `${lost}: choose by field instead.`,
  });
  expect(await take('oak.yaml')).toMatchObject({
    isMerging: true,
    message: `${lost}: change its fields instead.`,
  });
  expect(workspace.file('rose.yaml')).toBe(before);
  await choose(editing);
  expect((await take('rose.yaml', ['city'])).message).toBe(`${lost}: change its fields instead.`);
  expect(workspace.file('rose.yaml')).toContain('city: Cork');
  const added = (await state(editing)).files.find(({ kind }: { kind: string }) => kind === 'added').path;
  expect(await take(added)).toEqual({ isMerging: false, fields: null });
  // Marks alone, without a merge that Git knows of.
  run(workspace.root, 'merge', '--abort');
  workspace.write('rose.yaml', before);
  expect((await take('rose.yaml')).message).toContain('would be lost: choose by field');
});

it('is finished by a record with both parents, and with all that the merge brought', async () => {
  const editing = await startEditing((workspace) => {
    between('merge', '--quiet', 'lena')(workspace);
    workspace.add(3);
  });
  const { ask, workspace } = editing;
  const { root } = workspace;
  const open = await state(editing);
  expect(open.git.merge).toMatchObject({
    kind: 'merge',
    open: [{ path: 'rose.yaml', title: 'Rose House' }],
    isReady: false,
  });
  expect(open.git.obstacle).toBe(
    "A merge of your colleagues' changes with yours is not finished. First choose in: Rose House.",
  );
  const { rows } = (await ask('properties')).json;
  expect(rows.map(({ title }: { title: string }) => title)).toContain('Rose House');
  const request = { message: 'Join', files: chosen(open.files) };
  expect((await ask('commit', request)).json.message).toBe(open.git.obstacle);
  expect((await ask('merge', { mark: '', choices: {} })).json.message).toBe(open.git.obstacle);
  expect((await ask('switch-branch', { branch: 'lena' })).json.message).toBe(open.git.obstacle);
  await choose(editing);
  const { git, files, message } = await state(editing);
  expect(git).toMatchObject({ obstacle: null, merge: { open: [], isReady: true } });
  expect((await ask('remote')).json.merge.rest).toBe('Record these changes: that finishes it.');
  expect((await ask('merge', { mark: '', choices: {} })).json.message).toMatch(/Record these changes/);
  expect(message).toBe("Merge branch 'lena'");
  const kept = files.filter(({ isMerging = false }) => isMerging);
  expect(kept.map(({ path }: { path: string }) => path)).toEqual(['oak.yaml', 'rose.yaml']);
  const body = { message, files: chosen(kept) };
  expect((await ask('commit', { ...body, branch: 'apart' })).json.message).toMatch(/^Finish the merge first/);

  const before = run(root, 'ls-files', '--stage');
  writeFileSync(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\necho "Not now" >&2\nexit 1\n', {
    mode: 0o755,
  });
  expect((await ask('commit', body)).json.message).toMatch(/Not now/);
  expect(run(root, 'ls-files', '--stage')).toBe(before);
  rmSync(join(root, '.git/hooks/pre-commit'));

  expect((await ask('commit', body)).status).toBe(200);
  expect(run(root, 'log', '-1', '--format=%P %s').trim()).toBe(
    `${run(root, 'rev-parse', 'HEAD~1').trim()} ${run(root, 'rev-parse', 'lena').trim()} ${message}`,
  );
  const recorded = (path: string) => run(workspace.content, 'show', `HEAD:./${path}`);
  expect(recorded('rose.yaml')).toContain('city: Cork');
  expect(recorded('rose.yaml')).toMatch(/^title: .*Rose Inn/m);
  expect(recorded('oak.yaml')).toContain('Oak Lodge');
  expect(run(root, 'status', '--porcelain')).toMatch(/^\?\? \S+\n$/);
  expect(await state(editing)).toMatchObject({ git: { merge: null, obstacle: null } });
});

it('is finished by a record also if one keeps all that one had', async () => {
  const editing = await startEditing((workspace) => {
    between('merge', '--quiet', 'lena')(workspace);
    const { root } = workspace;
    run(root, 'checkout', '--quiet', 'HEAD', '--', '.');
  });
  const { files, message, git } = await state(editing);
  expect([files, git.merge.isReady]).toEqual([[], true]);
  expect((await editing.ask('commit', { message, files: [] })).status).toBe(200);
  expect(run(editing.workspace.root, 'rev-list', '--count', '--merges', 'HEAD').trim()).toBe('1');
});

it('names the files that only git can settle', async () => {
  const editing = await startEditing((workspace) => {
    const { root } = workspace;
    const note = (text: string) => writeFileSync(join(root, 'notes.txt'), text);
    between('merge', '--quiet', 'lena')(
      workspace,
      (text) => {
        note('mine');
        return text.replace('Galway', 'Sligo');
      },
      () => note('theirs'),
    );
  });
  await choose(editing, { city: 'Cork' });
  const { obstacle } = (await state(editing)).git;
  expect(obstacle).toContain('cannot show both versions of notes.txt. Ask a colleague who knows git');
  expect(obstacle).toContain('"git status"');
});

describe('versions of which one is kept whole', () => {
  const PHOTO = 'photos/front.jpg';
  const PHOTOS = { mine: Buffer.from([255, 1, 0]), theirs: Buffer.from([255, 2, 0]) };
  /** Lena changed what I removed, removed what I changed and what I left, and has another photo. */
  const bothWays = (workspace: Workspace) => {
    const { root, content } = workspace;
    const write = (path: string, bytes: Buffer | string) => {
      mkdirSync(join(content, path, '..'), { recursive: true });
      writeFileSync(join(content, path), bytes);
    };
    const all = (message: string) => {
      run(root, 'add', '--all', '.');
      run(root, 'commit', '--quiet', `--message=${message}`);
    };
    workspace.write('oak.yaml', OTHER);
    workspace.write('elm.yaml', OTHER.replace(/0002$/m, '0003').replace('Oak House', 'Elm House'));
    write('photos/old.jpg', Buffer.from([255, 0]));
    repository(workspace);
    run(root, 'switch', '--quiet', '--create', 'lena');
    workspace.write('oak.yaml', OTHER.replace('Oak House', 'Oak Lodge'));
    for (const path of ['rose.yaml', 'elm.yaml']) workspace.remove(path);
    write(PHOTO, PHOTOS.theirs);
    rmSync(join(content, 'photos/old.jpg'));
    all('Of Lena');
    run(root, 'switch', '--quiet', 'main');
    workspace.write('rose.yaml', ROSE.replace('Rose Cottage', 'Rose House'));
    workspace.remove('oak.yaml');
    write(PHOTO, PHOTOS.mine);
    write('photos/old.jpg', Buffer.from([255, 3]));
    all('Of Ada');
    expect(() => run(root, 'merge', '--quiet', 'lena')).toThrow();
  };
  const wholeOf = async (editing: Editing): Promise<readonly WholeFileChoice[]> =>
    (await state(editing)).git.merge.whole;

  it.each(['yours', 'theirs'] as const)(
    'are offered, %s is written, and a record finishes the merge',
    async (side) => {
      const editing = await startEditing(bothWays);
      const { ask, workspace } = editing;
      const { root, content } = workspace;
      const whole = await wholeOf(editing);
      expect(whole.map(({ path, title, yours, theirs }) => [path, title, yours, theirs])).toEqual([
        ['oak.yaml', 'Oak Lodge', null, { title: 'Oak Lodge' }],
        ['photos/front.jpg', 'photos/front.jpg', {}, {}],
        ['photos/old.jpg', 'photos/old.jpg', {}, null],
        ['rose.yaml', 'Rose House', { title: 'Rose House' }, null],
      ]);
      expect((await state(editing)).git.obstacle).toMatch(
        /not finished\. Choose which version to keep of: Oak Lodge, photos\/front\.jpg, photos\/old\.jpg, Rose House\.$/,
      );
      const keep = ({ path, version }: WholeFileChoice) => ask('keep-side', { path, version, side });
      expect((await keep({ ...whole[0]!, version: 'old' })).json.code).toBe('changed-meanwhile');
      for (const file of whole) expect(await keep(file)).toMatchObject({ status: 200, json: {} });
      expect((await keep(whole[0]!)).json.code).toBe('changed-meanwhile');
      expect(readFileSync(join(content, PHOTO))).toEqual(PHOTOS[side === 'yours' ? 'mine' : 'theirs']);
      const isMine = side === 'yours';
      const there = (path: string) => existsSync(join(content, path));
      expect(['oak.yaml', 'rose.yaml', 'elm.yaml', 'photos/old.jpg'].map(there)).toEqual([
        !isMine,
        isMine,
        false,
        isMine,
      ]);
      const { git, files, message } = await state(editing);
      expect(git.merge).toMatchObject({ isReady: true, whole: [] });
      expect((await ask('commit', { message, files: chosen(files) })).json).toEqual({
        commit: expect.any(String),
        branch: 'main',
      });
      expect(run(root, 'rev-list', '--count', '--merges', 'HEAD').trim()).toBe('1');
      expect(run(root, 'status', '--porcelain')).toBe('');
    },
  );

  it.each(['yours', 'theirs'] as const)('keep the photos that %s shows', async (side) => {
    const shown = (path: string) => `photo:\n  - file: ${path}\n`;
    const mine = { property: 'oak.yaml', photo: 'photos/oak.jpg', text: OTHER + shown('photos/oak.jpg') };
    const lenas = { property: 'rose.yaml', photo: 'photos/rose.jpg', text: ROSE + shown('photos/rose.jpg') };
    const editing = await startEditing((workspace) => {
      const { root, content } = workspace;
      mkdirSync(join(content, 'photos'));
      for (const { property, photo, text } of [mine, lenas]) {
        workspace.write(property, text);
        writeFileSync(join(content, photo), photo);
      }
      repository(workspace);
      const change = (changed: typeof mine, gone: typeof mine) => {
        workspace.write(changed.property, changed.text.replace(/title: .*/, 'title: Changed'));
        for (const path of [gone.property, gone.photo]) rmSync(join(content, path));
        run(root, 'commit', '--all', '--quiet', '--message=Change');
      };
      run(root, 'switch', '--quiet', '--create', 'lena');
      change(lenas, mine);
      run(root, 'switch', '--quiet', 'main');
      change(mine, lenas);
      expect(() => run(root, 'merge', '--quiet', 'lena')).toThrow();
    });
    const { ask, workspace } = editing;
    const { root, content } = workspace;
    for (const { path, version } of await wholeOf(editing))
      expect((await ask('keep-side', { path, version, side })).status).toBe(200);
    const [kept, gone] = side === 'yours' ? [mine, lenas] : [lenas, mine];
    expect([kept, gone].map(({ photo }) => existsSync(join(content, photo)))).toEqual([true, false]);
    // A record without it is not made either.
    run(content, 'rm', '--quiet', '--force', kept.photo);
    const record = async () => {
      const { files, message } = await state(editing);
      return ask('commit', { message, files: chosen(files) });
    };
    expect((await record()).json.message).toContain(`${kept.property} shows ${kept.photo}, which one side`);
    expect((await record()).status).toBe(200);
    expect(run(content, 'show', `HEAD:./${kept.photo}`)).toBe(kept.photo);
    expect(run(root, 'status', '--porcelain')).toBe('');
  });

  it('leave what was typed into the kept one, and are asked again when a file changed', async () => {
    const editing = await startEditing(bothWays);
    const { ask, workspace } = editing;
    const before = (await wholeOf(editing)).at(-1)!;
    workspace.write('rose.yaml', ROSE.replace('Rose Cottage', 'Rose Barn'));
    const now = (await wholeOf(editing)).at(-1)!;
    expect([now.yours, now.version === before.version]).toEqual([{ title: 'Rose Barn' }, false]);
    const { path } = now;
    expect((await ask('keep-side', { path, version: before.version, side: 'theirs' })).json.code).toBe(
      'changed-meanwhile',
    );
    await ask('keep-side', { path, version: now.version, side: 'yours' });
    expect(workspace.file('rose.yaml')).toContain('Rose Barn');
  });

  it('are of what was put aside, too', async () => {
    const editing = await startEditing((workspace) => {
      repository(workspace);
      const { root } = workspace;
      workspace.write('rose.yaml', ROSE.replace('Rose Cottage', 'Rose Inn'));
      run(root, 'stash', '--quiet');
      workspace.remove('rose.yaml');
      run(root, 'commit', '--all', '--quiet', '--message=Gone');
      expect(() => run(root, 'stash', 'pop', '--quiet')).toThrow();
    });
    const { ask, workspace } = editing;
    const [{ path, version, ...sides } = {} as WholeFileChoice] = await wholeOf(editing);
    expect(sides).toEqual({ title: 'Rose Inn', yours: null, theirs: { title: 'Rose Inn' } });
    expect((await ask('keep-side', { path, version, side: 'theirs' })).status).toBe(200);
    const { git, files, message } = await state(editing);
    expect([git.merge, git.obstacle]).toEqual([null, null]);
    expect((await ask('commit', { message, files: chosen(files) })).status).toBe(200);
    expect(run(workspace.root, 'show', '--name-status', '--format=').trim()).toMatch(/^A\s+\S*rose.yaml$/);
  });
});

it.each([
  ['rebase', /calls it a rebase/],
  ['cherry-pick', /calls it a cherry-pick/],
] as const)('is finished in the terminal after %s, and the sentence says how', async (command, words) => {
  const editing = await startEditing(between(command, 'lena'));
  const { ask, property, workspace } = editing;
  const first = (await property()).obstacle!.versions!;
  expect([first.kind, first.yours.title]).toEqual([
    command,
    command === 'rebase' ? 'Rose Inn' : 'Rose House',
  ]);
  const { version } = await property();
  const taken = await ask('revert', { path: 'rose.yaml', version });
  expect(taken.json.code).toBe('not-editable');
  await choose(editing);
  const { git, files } = await state(editing);
  expect(git.obstacle).toMatch(words);
  const path = run(workspace.content, 'rev-parse', '--show-prefix').trim();
  expect(git.obstacle).toContain(
    `finished in the terminal, and not here: git add ${path}rose.yaml, then git ${command} --continue.`,
  );
  expect((await ask('commit', { message: 'X', files: chosen(files) })).json.message).toBe(git.obstacle);
  const back = await ask('switch-branch', { branch: 'main' });
  expect(back.json.message).toBe(git.obstacle);
});

it('after what was put aside came back, is recorded like any change', async () => {
  const editing = await startEditing((workspace) => {
    repository(workspace);
    const { root } = workspace;
    workspace.write('rose.yaml', ROSE.replace('Rose Cottage', 'Rose Inn'));
    run(root, 'stash', '--quiet');
    workspace.write('rose.yaml', ROSE.replace('Rose Cottage', 'Rose House'));
    run(root, 'commit', '--all', '--quiet', '--message=House');
    expect(() => run(root, 'stash', 'pop', '--quiet')).toThrow();
  });
  const { ask, property, workspace } = editing;
  expect((await property()).obstacle!.versions).toMatchObject({
    kind: 'stash',
    yours: { title: 'Rose House' },
    theirs: { title: 'Rose Inn' },
  });
  const [{ version }] = (await state(editing)).files;
  expect((await ask('revert', { path: 'rose.yaml', version })).json.message).toBe(
    'The other changes to this property would be lost: choose by field instead.',
  );
  await choose(editing);
  const { git, files } = await state(editing);
  expect(git).toMatchObject({ obstacle: null, merge: { kind: 'unmerged', isReady: true } });
  expect((await ask('commit', { message: 'Inn', files: chosen(files) })).status).toBe(200);
  expect(run(workspace.root, 'status', '--porcelain')).toBe('');
  expect(run(workspace.root, 'log', '-1', '--format=%s')).toBe('Inn\n');
});

it('has the values of both versions and of the common one, and is written from the first', async () => {
  const editing = await startEditing((workspace) => {
    // A change of the next line is in the conflict too.
    const text = ROSE.replace('\n\ncurrency', '\ncurrency');
    workspace.write('rose.yaml', text);
    repository(workspace);
    const { root } = workspace;
    const record = (changed: string) => {
      workspace.write('rose.yaml', changed);
      run(root, 'commit', '--all', '--quiet', '--message=Rose');
    };
    run(root, 'switch', '--quiet', '--create', 'lena');
    record(text.replace('Rose Cottage', 'Rose Inn').replace(/^currency.*\n/m, 'currency: GBP # new\n'));
    run(root, 'switch', '--quiet', 'main');
    record(text.replace("'Rose Cottage'", "'Rose House'"));
    expect(() => run(root, 'merge', '--quiet', 'lena')).toThrow();
  });
  const { ask, property, workspace } = editing;
  const { text, version, obstacle } = await property();
  expect(text).toContain('<<<<<<< HEAD\n');
  const { base, yours, theirs, names, kind } = obstacle!.versions!;
  expect([base.title, yours.title, theirs.title]).toEqual(['Rose Cottage', 'Rose House', 'Rose Inn']);
  expect([base.currency, yours.currency, theirs.currency]).toEqual(['EUR', 'EUR', 'GBP']);
  expect([...names, kind]).toEqual(['HEAD', 'lena', 'merge']);

  const body = { path: 'rose.yaml', version, fields: { currency: 'GBP' } };
  expect((await ask('save', body)).json.code).toBe('not-editable');
  expect((await ask('save', { ...body, version: 'old', isMerging: true })).json.code).toBe(
    'changed-meanwhile',
  );
  expect(workspace.file('rose.yaml')).toBe(text);
  const saved = await ask('save', { ...body, isMerging: true });
  expect(saved.json).toMatchObject({ obstacle: null, values: { title: 'Rose House', currency: 'GBP' } });
  const written = workspace.file('rose.yaml');
  expect(written).not.toMatch(/^[<=>|]{7}/m);
  for (const comment of ['# Kept by Ada.', '# as on the sign', '# new']) expect(written).toContain(comment);
  // Saved again, nothing is taken for a merge.
  const again = { path: 'rose.yaml', version: saved.json.version, fields: { city: 'Cork' }, isMerging: true };
  expect((await ask('save', again)).json.values).toMatchObject({ title: 'Rose House', city: 'Cork' });
});
