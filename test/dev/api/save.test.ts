/** Saving, checking and undoing edits of one file: what is written, and when nothing is written. */
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf, sound, yaml } from '../../build/workspace.ts';
import { type Editing, ROSE, setting, startEditing } from './editing.ts';

const LIST = '/api/v1/public/properties';

const textOf = ({ workspace }: Editing, path = 'rose.yaml') => workspace.file(path);

describe('a save', () => {
  it('writes only the lines of its field, is served at once, and can be undone', async () => {
    const editing = await startEditing();
    const { ask, server, property } = editing;
    const before = await property();
    expect(before).toMatchObject({ text: ROSE, obstacle: null, canUndo: false, findings: [], state: 'live' });
    expect(before.values).toMatchObject({ title: 'Rose Cottage', latitude: '53.27194' });
    const edits = [setting('title', 'Rose House')];
    const checked = await ask('check', { path: 'rose.yaml', version: before.version, edits });
    expect(checked.json.lines).toEqual([
      {
        oldLine: 3,
        newLine: 3,
        removed: ["title: 'Rose Cottage'   # as on the sign"],
        added: ["title: 'Rose House'   # as on the sign"],
      },
    ]);
    expect(textOf(editing)).toBe(ROSE);
    const saved = await ask('save', { path: 'rose.yaml', version: before.version, edits });
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({ canUndo: true, preview: { title: 'Rose House' } });
    expect(textOf(editing)).toBe(ROSE.replace('Rose Cottage', 'Rose House'));
    const list = (await (await fetch(server.url + LIST)).json()) as { data: { title: string }[] };
    expect(list.data.map(({ title }) => title)).toEqual(['Rose House']);

    const undone = await ask('undo', { path: 'rose.yaml', version: saved.json.version });
    expect(undone.json.property).toMatchObject({ version: before.version, canUndo: false });
    expect(textOf(editing)).toBe(ROSE);
    const again = await ask('undo', { path: 'rose.yaml', version: before.version });
    expect(again).toMatchObject({ status: 409, json: { code: 'nothing-to-undo' } });
  });

  it('answers with the problems, and with edits that repair them', async () => {
    const { ask, property } = await startEditing();
    const { version } = await property();
    const edits = [setting('country', 'Ireland'), setting('latitude', '53,27194')];
    const { json } = await ask('save', { path: 'rose.yaml', version, edits });
    expect(json.preview).toBeNull();
    expect(json.findings).toMatchObject([
      {
        code: 'unknown-country',
        severity: 'error',
        field: ['country'],
        line: 10,
        fix: { label: 'Write "IE"', edits: [{ kind: 'set', path: ['country'], value: 'IE' }] },
      },
      { code: 'invalid-latitude', field: ['latitude'], fix: { edits: [{ value: '53.27194' }] } },
    ]);
    const fixes = json.findings.flatMap((finding: { fix: { edits: unknown[] } }) => finding.fix.edits);
    const mended = await ask('save', { path: 'rose.yaml', version: json.version, edits: fixes });
    expect(mended.json).toMatchObject({ findings: [], text: ROSE });
  });

  it('reports problems across files before it writes', async () => {
    const { ask, property } = await startEditing((workspace) => workspace.add(2));
    const { version } = await property();
    const edits = [setting('id', idOf(2))];
    const { json } = await ask('check', { path: 'rose.yaml', version, edits });
    expect(json.findings).toMatchObject([{ code: 'duplicate-id', field: ['id'] }]);
    expect(json.findings[0].message).toContain('house-2.yaml');
  });

  it('of a file with errors works beside sound files before the first catalogue exists', async () => {
    const { ask, property } = await startEditing((workspace) => {
      workspace.write('rose.yaml', ROSE.replace('IE', 'Ireland'));
      workspace.add(2);
    });
    const rows = (await ask('properties')).json.properties;
    expect(rows).toMatchObject([
      { path: 'house-2.yaml', title: 'House 2', errors: 0 },
      { path: 'rose.yaml', title: 'Rose Cottage', errors: 1 },
    ]);
    const { version } = await property();
    const { json } = await ask('save', { path: 'rose.yaml', version, edits: [setting('country', 'IE')] });
    expect(json.findings).toEqual([]);
  });
});

describe('a save writes nothing', () => {
  it('when the file changed meanwhile: the answer has both versions', async () => {
    const editing = await startEditing();
    const { ask, property, workspace } = editing;
    const { version } = await property();
    const theirs = ROSE.replace('Galway', 'Sligo');
    workspace.write('rose.yaml', theirs);
    const edits = [setting('title', 'Rose House')];
    const { status, json } = await ask('save', { path: 'rose.yaml', version, edits });
    expect({ status, code: json.code }).toEqual({ status: 409, code: 'changed-meanwhile' });
    expect(json.conflict.theirs.text).toBe(theirs);
    expect(json.conflict.yours).toBe(ROSE.replace('Rose Cottage', 'Rose House'));
    expect(textOf(editing)).toBe(theirs);
    const again = await ask('save', { path: 'rose.yaml', version: json.conflict.theirs.version, edits });
    expect(again.json.text).toBe(theirs.replace('Rose Cottage', 'Rose House'));
    // An undo does not replace changes made after the save.
    workspace.write('rose.yaml', `${again.json.text}state: Connacht\n`);
    const undone = await ask('undo', { path: 'rose.yaml', version: again.json.version });
    expect(undone.status).toBe(409);
    expect(textOf(editing)).toContain('Connacht');
  });

  it('when the file no longer exists', async () => {
    const { ask, property, workspace } = await startEditing((workspace) => workspace.add(2));
    const { version } = await property();
    workspace.remove('rose.yaml');
    const edits = [setting('title', 'Rose House')];
    expect((await ask('save', { path: 'rose.yaml', version, edits })).status).toBe(404);
  });

  it.each([
    ['an anchor', 'title: &t Rose\nid: x\nstate: *t\n', /anchor/],
    ['two documents', 'title: Rose\n---\ntitle: Lime\n', /several documents/],
    ['a tag', 'title: !!str Rose\n', /tag/],
  ])('when the file has %s: it opens in an editor instead', async (_what, text, reason) => {
    const { ask, property } = await startEditing((workspace) => workspace.write('rose.yaml', text));
    const { version } = await property();
    const { status, json } = await ask('save', {
      path: 'rose.yaml',
      version,
      edits: [setting('title', 'x')],
    });
    expect({ status, code: json.code }).toEqual({ status: 422, code: 'not-editable' });
    expect(json.obstacle.reason).toMatch(reason);
    expect(json.obstacle.link).toMatch(/^vscode:\/\/file\/.*\/rose\.yaml:\d+$/);
  });

  it('when another program has unsaved changes', async () => {
    const editing = await startEditing();
    const { ask, property, workspace } = editing;
    const { version } = await property();
    const request = { path: 'rose.yaml', version, edits: [setting('title', 'Rose House')] };
    const swap = (dirty: number) => {
      const block = Buffer.alloc(4096);
      block.write('b0VIM 9.1');
      block[1007] = dirty;
      workspace.write('.rose.yaml.swp', block);
    };
    swap(0x55);
    expect(await ask('save', request)).toMatchObject({ status: 423, json: { code: 'open-elsewhere' } });
    // Open in Vim, without changes.
    swap(0);
    symlinkSync('ada@desk.1:1', join(workspace.content, '.#rose.yaml'));
    expect(await ask('save', request)).toMatchObject({ status: 423 });
    expect(textOf(editing)).toBe(ROSE);
    rmSync(join(workspace.content, '.#rose.yaml'));
    expect((await ask('save', request)).status).toBe(200);
  });
});

it('writes one of 40 saves of one version at once, and reports the others as conflicts', async () => {
  const editing = await startEditing();
  const { ask, property } = editing;
  const { version } = await property();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      ask('save', { path: 'rose.yaml', version, edits: [setting('title', `House ${n}`)] }),
    ),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(39);
  expect(textOf(editing)).toBe(done[0]!.json.text);
});

it('saves, foreign writes and undos in any order lose nothing, and end in the output of a clean build', async () => {
  const editing = await startEditing((workspace) => workspace.add(2));
  const { ask, property, workspace, next, events } = editing;
  let expected = ROSE;
  for (let round = 0; round < 30; round++) {
    const { version } = await property();
    if (round % 5 === 3) {
      expected = expected.replace(/^city: .*$/m, `city: Town ${round}`);
      writeFileSync(join(workspace.content, 'rose.yaml'), expected);
    }
    const edits = [setting('title', `House ${round}`)];
    const { status, json } = await ask('save', { path: 'rose.yaml', version, edits });
    expect(status).toBe(round % 5 === 3 ? 409 : 200);
    if (status !== 200) continue;
    if (round % 4 === 2) {
      expect((await ask('undo', { path: 'rose.yaml', version: json.version })).status).toBe(200);
    } else expected = json.text;
    expect(textOf(editing)).toBe(expected);
  }
  const from = events.length;
  workspace.write('house-2.yaml', yaml(sound(2, { title: 'Last' })));
  await next('settled', from);
  const clean = join(workspace.root, 'clean');
  await workspace.build({ out: clean });
  expect(workspace.tree()).toEqual(workspace.tree(join(clean, 'public')));
});
