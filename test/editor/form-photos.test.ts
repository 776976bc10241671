import { expect, it } from 'vitest';
import type { EditorClient } from '../../src/editor/client.ts';
import { createFormPhotos } from '../../src/editor/form-photos.ts';
import type { PhotoStore } from '../../src/editor/photo-url-store.ts';

it('keeps a photo with the draft until a saved file shows it, and not any longer', async () => {
  const addPhoto = async () => ({ path: 'photos/a.jpg', file: 'a.jpg', width: 1, height: 1, bytes: 1 });
  const client = { addPhoto } as unknown as EditorClient;
  const store = { add: () => {}, load: () => {}, get: () => new Map() } as unknown as PhotoStore;
  const kept: string[] = [];
  const keep = (name: string) => void kept.push(name);
  const photos = createFormPhotos(client, store, () => 'a.yaml', { kept: new Map(), keep, refuse: () => {} });
  const name = photos.take(new File(['x'], 'front.jpg', { type: 'image/jpeg' }));
  const values = { photo: [{ file: name }] };
  const { files } = await photos.upload('a.yaml', values);
  expect([...files]).toEqual([[name, 'a.jpg']]);
  // The save may still fail: then it is sent again.
  photos.keepAll();
  expect(kept).toEqual([name, name]);
  photos.removeUploaded(files.keys());
  photos.keepAll();
  expect(kept).toEqual([name, name]);
});
