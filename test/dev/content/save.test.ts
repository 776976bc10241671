/** Saving and checking one file: what is written, and when nothing is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeOutputLock } from '../../../src/compile/output-lock.ts';
import { idOf, sound, yaml } from '../../compile/workspace.ts';
import { type Editing, ROSE, startEditing } from '../editing.ts';

const LIST = '/api/v1/public/properties';

const textOf = ({ workspace }: Editing, path = 'rose.yaml') => workspace.file(path);

describe('a save', () => {
  it('writes only the lines of its field, and the next build serves it', async () => {
    const editing = await startEditing();
    const { ask, server, property } = editing;
    const before = await property();
    expect(before).toMatchObject({ text: ROSE, obstacle: null, findings: [], state: 'live' });
    expect(before.values).toMatchObject({ title: 'Rose Cottage', latitude: '53.27194' });
    const fields = { title: 'Rose House' };
    const checked = await ask('check', { path: 'rose.yaml', version: before.version, fields });
    expect(checked.json.lines).toEqual([
      {
        oldLine: 3,
        newLine: 3,
        removed: ["title: 'Rose Cottage'   # as on the sign"],
        added: ["title: 'Rose House'   # as on the sign"],
      },
    ]);
    expect(textOf(editing)).toBe(ROSE);
    const saved = await ask('save', { path: 'rose.yaml', version: before.version, fields });
    expect(saved.status).toBe(200);
    expect(saved.json).toMatchObject({ values: { title: 'Rose House' } });
    expect(textOf(editing)).toBe(ROSE.replace('Rose Cottage', 'Rose House'));
    const titles = async () => {
      const list = (await (await fetch(server.url + LIST)).json()) as { data: { title: string }[] };
      return list.data.map(({ title }) => title);
    };
    await expect.poll(titles).toEqual(['Rose House']);
  });

  it('answers with the problems, and with values that repair them', async () => {
    const { ask, property } = await startEditing();
    const { version } = await property();
    const fields = { country: 'Ireland', latitude: '53,27194' };
    const { json } = await ask('save', { path: 'rose.yaml', version, fields });
    expect(json.findings).toMatchObject([
      {
        code: 'unknown-country',
        severity: 'error',
        field: ['country'],
        line: 10,
        fix: { label: 'Write "Ireland"', changes: [{ path: ['country'], value: 'IE' }] },
      },
      {
        code: 'invalid-latitude',
        field: ['latitude'],
        fix: { changes: [{ path: ['latitude'], value: '53.27194' }] },
      },
    ]);
    const mended = await ask('save', {
      path: 'rose.yaml',
      version: json.version,
      fields: { country: 'IE', latitude: '53.27194' },
    });
    expect(mended.json).toMatchObject({ findings: [], text: ROSE });
  });

  it('corrects swapped coordinates together', async () => {
    const { ask, property } = await startEditing();
    const { version } = await property();
    const fields = { latitude: '-9.0489', longitude: '53.2719' };
    const { json } = await ask('save', { path: 'rose.yaml', version, fields });
    expect(json.findings).toMatchObject([
      {
        code: 'doubtful-coordinates',
        fix: {
          label: 'Write 53.2719, -9.0489',
          changes: [
            { path: ['latitude'], value: '53.2719' },
            { path: ['longitude'], value: '-9.0489' },
          ],
        },
      },
    ]);
  });

  it('reports problems across files before it writes', async () => {
    const { ask, property } = await startEditing((workspace) => workspace.add(2));
    const { version } = await property();
    const fields = { id: idOf(2) };
    const { json } = await ask('check', { path: 'rose.yaml', version, fields });
    expect(json.findings).toMatchObject([{ code: 'duplicate-id', field: ['id'] }]);
    expect(json.findings[0].message).toContain('house-2.yaml');
  });

  it('does not wait for a build', async () => {
    const { ask, property, workspace, next, events } = await startEditing();
    const { release: unlock } = takeOutputLock(join(workspace.out, 'dev/lock'));
    const from = events.length;
    for (const title of ['Rose House', 'Rose Lodge']) {
      const { version } = await property();
      const saved = await ask('save', { path: 'rose.yaml', version, fields: { title } });
      expect(saved).toMatchObject({ status: 200, json: { values: { title } } });
    }
    const created = await ask('create', { fields: { title: 'New', city: 'Galway', country: 'IE' } });
    expect(created.status).toBe(200);
    expect(await property(created.json.path)).toMatchObject({ values: { title: 'New' } });
    await next('waiting', from);
    unlock();
    await next('built', from);
    const { rows } = (await ask('properties')).json;
    expect(rows.map(({ title }: { title: string }) => title).sort()).toEqual(['New', 'Rose Lodge']);
  });

  it('of a file with errors works beside sound files before the first catalogue exists', async () => {
    const { ask, property } = await startEditing((workspace) => {
      workspace.write('rose.yaml', ROSE.replace('IE', 'Ireland'));
      workspace.add(2);
    });
    const rows = (await ask('properties')).json.rows;
    expect(rows).toMatchObject([
      { path: 'house-2.yaml', title: 'House 2', errors: 0 },
      { path: 'rose.yaml', title: 'Rose Cottage', errors: 1 },
    ]);
    const { version } = await property();
    const { json } = await ask('save', { path: 'rose.yaml', version, fields: { country: 'IE' } });
    expect(json.findings).toEqual([]);
  });
});

describe('a save writes nothing', () => {
  it('when the file changed meanwhile: the answer has theirs', async () => {
    const editing = await startEditing();
    const { ask, property, workspace } = editing;
    const { version } = await property();
    const theirs = ROSE.replace('Galway', 'Sligo');
    workspace.write('rose.yaml', theirs);
    const fields = { title: 'Rose House' };
    const { status, json } = await ask('save', { path: 'rose.yaml', version, fields });
    expect({ status, code: json.code }).toEqual({ status: 409, code: 'changed-meanwhile' });
    expect(json.conflict.theirs.text).toBe(theirs);
    expect(textOf(editing)).toBe(theirs);
    const again = await ask('save', { path: 'rose.yaml', version: json.conflict.theirs.version, fields });
    expect(again.json.text).toBe(theirs.replace('Rose Cottage', 'Rose House'));
  });

  it('when the file no longer exists', async () => {
    const { ask, property, workspace } = await startEditing((workspace) => workspace.add(2));
    const { version } = await property();
    workspace.remove('rose.yaml');
    const fields = { title: 'Rose House' };
    expect((await ask('save', { path: 'rose.yaml', version, fields })).status).toBe(404);
  });

  it.each([
    ['an anchor', 'title: &t Rose\nid: x\nstate: *t\n', /share one value/],
    ['two documents', 'title: Rose\n---\ntitle: Lime\n', /several properties/],
    ['a tag', 'title: !local Rose\n', /cannot change/],
  ])('when the file has %s: it opens in an editor instead', async (_what, text, reason) => {
    const { ask, property } = await startEditing((workspace) => workspace.write('rose.yaml', text));
    const { version } = await property();
    const { status, json } = await ask('save', {
      path: 'rose.yaml',
      version,
      fields: { title: 'x' },
    });
    expect({ status, code: json.code }).toEqual({ status: 422, code: 'not-editable' });
    expect(json.obstacle.reason).toMatch(reason);
    expect(json.obstacle.link).toMatch(/^vscode:\/\/file\/.*\/rose\.yaml:\d+$/);
  });
});

it.each([
  ['a text', 'state: &state Connacht   # the west\naddress: *state\n', 'Connacht'],
  ['a list', 'facilities: &all\n  - wifi\nstate: x\nhotel_policy: *all\n', ['wifi']],
])('separates places that share %s, and keeps comments', async (_what, lines, shared) => {
  const { ask, property } = await startEditing((workspace) =>
    workspace.write('rose.yaml', `${ROSE}${lines}`),
  );
  const { version, values } = await property();
  const save = { path: 'rose.yaml', version, fields: { state: 'Leinster' } };
  const { json } = await ask('save', { ...save, isSeparating: true });
  expect(json.values).toEqual({ ...values, state: 'Leinster' });
  expect(Object.values(json.values)).toContainEqual(shared);
  expect(json.text).not.toMatch(/[&*]/);
  expect(json.text.split('#')).toHaveLength(`${ROSE}${lines}`.split('#').length);
});

it('writes one of 40 saves of one version at once, and reports the others as conflicts', async () => {
  const editing = await startEditing();
  const { ask, property } = editing;
  const { version } = await property();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      ask('save', { path: 'rose.yaml', version, fields: { title: `House ${n}` } }),
    ),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(39);
  expect(textOf(editing)).toBe(done[0]!.json.text);
});

it('saves and foreign writes in any order lose nothing, and end in the output of a clean build', async () => {
  const editing = await startEditing((workspace) => workspace.add(2));
  const { ask, property, workspace, settle } = editing;
  let expected = ROSE;
  for (let round = 0; round < 30; round++) {
    const { version } = await property();
    if (round % 5 === 3) {
      expected = expected.replace(/^city: .*$/m, `city: Town ${round}`);
      writeFileSync(join(workspace.content, 'rose.yaml'), expected);
    }
    const fields = { title: `House ${round}` };
    const { status, json } = await ask('save', { path: 'rose.yaml', version, fields });
    expect(status).toBe(round % 5 === 3 ? 409 : 200);
    if (status !== 200) continue;
    expected = json.text;
    expect(textOf(editing)).toBe(expected);
  }
  await settle('house-2.yaml', yaml(sound(2, { title: 'Last' })));
  const clean = join(workspace.root, 'clean');
  await workspace.build({ out: clean, preview: true });
  expect(workspace.tree(join(workspace.out, 'dev/public'))).toEqual(
    workspace.tree(join(clean, 'dev/public')),
  );
});
