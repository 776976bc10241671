/** What is taken back can be brought back, until the session ends. */
import { expect, it } from 'vitest';
import { type Editing, ROSE, startEditing } from '../editing.ts';
import { repository } from './repository.ts';

const CHANGED = ROSE.replace('Rose Cottage', 'Rose House').replace('Galway', 'Cork').replace('EUR', 'GBP');

async function takeBack({ ask }: Editing, path: string, fields?: readonly string[]) {
  const { files } = (await ask('changes')).json;
  const { version } = files.find((file: { path: string }) => file.path === path);
  return ask('revert', { path, version, ...(fields && { fields }) });
}

it('by field: all that was taken back one after another comes back at once', async () => {
  const editing = await startEditing(repository);
  const { ask, workspace } = editing;
  workspace.write('rose.yaml', CHANGED);
  expect((await takeBack(editing, 'rose.yaml', ['title'])).json).toEqual({ fields: ['title'] });
  expect((await takeBack(editing, 'rose.yaml', ['city'])).json).toEqual({ fields: ['title', 'city'] });
  expect(workspace.file('rose.yaml')).toBe(ROSE.replace('EUR', 'GBP'));
  expect((await ask('restore', { path: 'rose.yaml' })).json.values).toMatchObject({ title: 'Rose House' });
  expect(workspace.file('rose.yaml')).toBe(CHANGED);
  expect((await ask('restore', { path: 'rose.yaml' })).json.code).toBe('not-found');
});

it('as a whole, and never over what was written since', async () => {
  const editing = await startEditing(repository);
  const { ask, workspace } = editing;
  const restore = (path: string) => ask('restore', { path });
  workspace.write('rose.yaml', CHANGED);
  expect((await takeBack(editing, 'rose.yaml')).json).toEqual({ fields: null });
  expect(workspace.file('rose.yaml')).toBe(ROSE);
  workspace.write('rose.yaml', ROSE.replace('Galway', 'Sligo'));
  expect((await restore('rose.yaml')).json.message).toBe(
    'rose.yaml changed after that: Undo would lose the change.',
  );
  // A change between two starts anew.
  expect((await takeBack(editing, 'rose.yaml', ['city'])).json).toEqual({ fields: ['city'] });
  expect((await restore('rose.yaml')).status).toBe(200);
  expect(workspace.file('rose.yaml')).toBe(ROSE.replace('Galway', 'Sligo'));
});

it('of settings, and of a photo that has more bytes than a property may have', async () => {
  const photo = Buffer.alloc((1 << 20) + 1, 255);
  const editing = await startEditing(repository);
  const { ask, workspace } = editing;
  const before = workspace.file('catalogue.yaml');
  workspace.write('catalogue.yaml', `${before}title: Stays\n`);
  workspace.write('photos/new.jpg', photo);
  for (const path of ['catalogue.yaml', 'photos/new.jpg'])
    expect((await takeBack(editing, path)).status).toBe(200);
  expect(workspace.file('catalogue.yaml')).toBe(before);
  expect(() => workspace.file('photos/new.jpg')).toThrow('ENOENT');
  for (const path of ['catalogue.yaml', 'photos/new.jpg'])
    expect((await ask('restore', { path })).status).toBe(200);
  expect(workspace.file('catalogue.yaml')).toBe(`${before}title: Stays\n`);
  expect(workspace.file('photos/new.jpg')).toHaveLength(photo.length);
});

it.each(['before', 'after'])('of a property with an error %s, the lines have all changes', async (when) => {
  const broken = ROSE.replace('country: IE', 'country: Irland');
  const editing = await startEditing((workspace) => {
    if (when === 'before') workspace.write('rose.yaml', broken);
    repository(workspace);
  });
  editing.workspace.write('rose.yaml', (when === 'before' ? ROSE : broken).replace('Cottage', 'House'));
  const [file] = (await editing.ask('changes')).json.files;
  expect([file.isPartial, file.fields, file.lines.length]).toEqual([true, [], 2]);
  editing.workspace.write('rose.yaml', ROSE);
  expect((await editing.ask('changes')).json.files[0]?.isPartial).toBe(when === 'before' ? true : undefined);
});
