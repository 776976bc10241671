/** A file with the marks of a merge that Git did not finish: both versions are offered, and one of them is written. */
import { expect, it } from 'vitest';
import { ROSE, startEditing } from './editing.ts';
import { repository, run } from './repository.ts';

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
  const { base, yours, theirs, names } = obstacle!.versions!;
  expect([base.title, yours.title, theirs.title]).toEqual(['Rose Cottage', 'Rose House', 'Rose Inn']);
  expect([base.currency, yours.currency, theirs.currency]).toEqual(['EUR', 'EUR', 'GBP']);
  expect(names).toEqual(['HEAD', 'lena']);

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
