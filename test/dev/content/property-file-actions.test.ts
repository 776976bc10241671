/** New, copied, renamed and removed properties, and their photos. */
import { existsSync, lstatSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { type Editing, ROSE, startEditing } from '../editing.ts';

const NEW: Readonly<Record<string, string>> = {
  title: 'Lime House',
  country: 'IE',
  city: 'Galway',
  currency: 'EUR',
  latitude: '53.27194',
  longitude: '-9.04889',
  email: 'stay@lime.example',
  phone: '+353 1 605 7700',
};

/** A photo from a phone: turned on its side, with its location. */
const photo = (side = 40) =>
  sharp({ create: { width: 2 * side, height: side, channels: 3, background: 'red' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExif({ IFD3: { GPSLatitude: '53/1 16/1 0/1' } })
    .toBuffer();

async function withPhoto({ ask }: Editing, path: string, version: string, name = 'Front door.JPG') {
  const taken = await ask(`add-photo?path=${path}&name=${encodeURIComponent(name)}`, await photo(), {
    'Content-Type': 'image/jpeg',
  });
  const saved = await ask('save', { path, version, fields: { photo: [{ file: taken.json.file }] } });
  return { photo: taken.json, property: saved.json };
}

it('checks a new property before it has a file, and creates it', async () => {
  const { ask } = await startEditing();
  const checked = await ask('check', {
    path: null,
    version: '',
    fields: { title: 'Lime House', country: 'IE' },
  });
  expect(checked.json.findings.map(({ code }: { code: string }) => code)).toContain('missing-key');
  const made = await ask('create', { fields: NEW });
  expect(made.status).toBe(200);
  expect(made.json).toMatchObject({ path: 'properties/ie/lime-house.yaml', findings: [] });
  expect(made.json.values).toMatchObject(NEW);
  const second = await ask('create', { fields: NEW });
  expect(second.json.path).toBe('properties/ie/lime-house-galway.yaml');
  // The page asks again, since the answer did not arrive.
  const id = '00000000-0000-4000-8000-0000000000aa';
  const third = await ask('create', { fields: { ...NEW, id, title: 'Fig House' } });
  expect(third.json.values.id).toBe(id);
  const again = await ask('create', { fields: { ...NEW, id, title: 'Fig House' } });
  expect(again.status).toBe(409);
  expect(again.json.conflict.theirs.path).toBe(third.json.path);
});

it('finds the file of an id that the last build did not see: no second file gets it, and a moved one is found', async () => {
  const { ask, workspace } = await startEditing();
  const id = '00000000-0000-4000-8000-0000000000ab';
  // As a switch of the branch brings it.
  workspace.write('spring/fig.yaml', ROSE.replace(/^id: .*/m, `id: ${id}`));
  const made = await ask('create', { fields: { ...NEW, id } });
  expect([made.status, made.json.conflict?.theirs.path]).toEqual([409, 'spring/fig.yaml']);
  renameSync(join(workspace.content, 'spring/fig.yaml'), join(workspace.content, 'moved.yaml'));
  expect((await ask(`property?id=${id}`)).json.path).toBe('moved.yaml');
});

it('turns a photo upright, shrinks it, removes its location, and deletes it when no save named it', async () => {
  const editing = await startEditing((workspace) =>
    workspace.configure('photo: {max_width: 30}\ntargets: []\n'),
  );
  const { ask, workspace, api } = editing;
  const made = (await ask('create', { fields: NEW })).json;
  const { photo: taken, property } = await withPhoto(editing, made.path, made.version);
  expect(taken).toMatchObject({
    path: 'photos/ie/lime-house/front-door.jpg',
    file: '../../photos/ie/lime-house/front-door.jpg',
    width: 30,
    height: 60,
  });
  const kept = await sharp(join(workspace.content, taken.path)).metadata();
  expect(kept).toMatchObject({ width: 30, height: 60 });
  expect(kept.exif).toBeUndefined();
  expect(property.values.photo).toEqual([{ file: taken.file }]);
  const shown = await ask(`photo?path=${encodeURIComponent(taken.path)}`);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');

  const unused = await ask(`add-photo?path=${made.path}&name=front door.png`, await photo(), {
    'Content-Type': 'image/png',
  });
  expect(unused.json.path).toBe('photos/ie/lime-house/front-door-2.jpg');
  // A saved photo stays, even if its property is on another branch when the session ends.
  rmSync(join(workspace.content, made.path));
  await api.close();
  expect(readdirSync(join(workspace.content, 'photos/ie/lime-house'))).toEqual(['front-door.jpg']);
});

it('refuses a file that is no photo, with advice', async () => {
  const { ask, workspace } = await startEditing();
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic')]);
  for (const [bytes, words] of [
    [heic, /cannot be decoded/],
    [Buffer.from('no photo'), /./],
    [Buffer.alloc(0), /empty/],
  ] as const) {
    const answer = await ask('add-photo?path=rose.yaml&name=a.jpg', new Uint8Array(bytes), {
      'Content-Type': 'image/jpeg',
    });
    expect(answer).toMatchObject({ status: 422, json: { code: 'bad-photo' } });
    expect(answer.json.message).toMatch(words);
  }
  expect(existsSync(join(workspace.content, 'photos'))).toBe(false);
});

it('gives a copy fresh ids and the same photos; shared photos survive the removal of one property, and a restore brings back everything', async () => {
  const editing = await startEditing();
  const { ask, workspace, property } = editing;
  const made = (await ask('create', { fields: NEW })).json;
  const { photo: taken, property: saved } = await withPhoto(editing, made.path, made.version);
  const copy = (await ask('copy', { path: made.path, version: saved.version, title: 'Lime Barn' })).json;
  expect(copy).toMatchObject({ path: 'properties/ie/lime-barn.yaml', values: { title: 'Lime Barn' } });
  expect(copy.values.id).not.toBe(saved.values.id);

  const planned = await ask('remove', { path: copy.path, version: copy.version, isRehearsal: true });
  expect(planned.json).toEqual({ photos: [], kept: [taken.path] });
  expect((await ask('remove', { path: copy.path, version: copy.version })).json).toEqual(planned.json);
  const removed = await ask('remove', { path: made.path, version: saved.version });
  expect(removed.json).toEqual({ photos: [taken.path], kept: [] });
  expect(existsSync(join(workspace.content, taken.path))).toBe(false);

  const restored = await ask('restore', { path: made.path });
  expect(restored.json.text).toBe(saved.text);
  expect(existsSync(join(workspace.content, taken.path))).toBe(true);
  expect((await property(made.path)).version).toBe(saved.version);
  expect((await ask('restore', { path: made.path })).status).toBe(404);
});

it.runIf(process.platform !== 'win32')('removes a link, not the file that it points to', async () => {
  const { ask, workspace, property } = await startEditing(({ content }) =>
    symlinkSync('rose.yaml', join(content, 'link.yaml')),
  );
  const { version } = await property();
  expect((await ask('remove', { path: 'link.yaml', version: '' })).json.code).toBe('changed-meanwhile');
  expect((await ask('remove', { path: 'link.yaml', version })).status).toBe(200);
  expect(lstatSync(join(workspace.content, 'link.yaml'), { throwIfNoEntry: false })).toBeUndefined();
  expect(workspace.file('rose.yaml')).toBe(ROSE);
});

it('names a file after its title; a file that changed meanwhile keeps its name', async () => {
  const { ask, workspace, property } = await startEditing();
  const { version } = await property();
  const renamed = await ask('rename', { path: 'rose.yaml', version });
  expect(renamed.json).toMatchObject({ path: 'rose-cottage.yaml', text: ROSE });
  expect(existsSync(join(workspace.content, 'rose.yaml'))).toBe(false);
  workspace.write('rose-cottage.yaml', ROSE.replace('Rose Cottage', 'Rose House'));
  expect((await ask('rename', { path: 'rose-cottage.yaml', version })).status).toBe(409);
  expect(readdirSync(workspace.content).sort()).toEqual(['catalogue.yaml', 'rose-cottage.yaml']);
});

it('lists the fields, words, countries and cities of the catalogue', async () => {
  const { ask } = await startEditing((workspace) => {
    for (const n of [2, 3]) workspace.add(n, { city: 'Cork' });
  });
  const { json } = await ask('catalogue');
  const field = (name: string) => json.fields.find((one: { name: string }) => one.name === name);
  expect(field('title')).toMatchObject({ label: 'Title', required: true, kind: 'text', group: 'name' });
  expect(field('facilities')).toMatchObject({ kind: 'words', required: false, vocabulary: 'facilities' });
  expect(field('payment_method').fields).toMatchObject([
    { name: 'is_enabled', values: ['true', 'false'], required: true },
    { name: 'method_type', values: ['direct', 'property'] },
  ]);
  expect(json.countries).toContainEqual(
    expect.objectContaining({ code: 'IE', name: 'Ireland', currency: 'EUR' }),
  );
  expect(json.cities).toEqual({ IE: ['Cork', 'Galway'] });
  expect(json.vocabulary.facilities.find(({ word }: { word: string }) => word === 'wifi').synonyms).toContain(
    'wlan',
  );
});
