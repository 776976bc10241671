/** A property that is kept in a merge keeps its photos, although the other side removed them with it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ConflictSide } from '../../../src/editor/git-remote.ts';
import { ROSE } from '../editing.ts';
import { type Person, receiveAll, twoColleagues } from './colleagues.ts';

const PATH = 'properties/rose.yaml';
const PHOTOS = ['photos/rose/front.jpg', 'photos/rose/back.jpg'];
const WITH_PHOTOS = `${ROSE}photo:\n${PHOTOS.map((photo) => `  - file: ../${photo}\n`).join('')}`;

const remove = (person: Person) => {
  for (const path of [PATH, ...PHOTOS]) person.remove(path);
};
const rename = (person: Person) => person.write(PATH, WITH_PHOTOS.replace('Rose Cottage', 'Rose House'));

const cases = [
  ['recorded', rename, remove, 'yours'],
  ['recorded', remove, rename, 'theirs'],
  ['saved', rename, remove, 'yours'],
  ['saved', remove, rename, 'theirs'],
] as const;

it.each(cases)('what is %s: %o and %o, %s is kept', async (stage, mine, ofColleague, side: ConflictSide) => {
  const files = Object.fromEntries(PHOTOS.map((photo) => [photo, photo]));
  const { ben, ada } = twoColleagues({ ...files, [PATH]: WITH_PHOTOS });
  ofColleague(ben);
  ben.record();
  ben.git('push', '--quiet');
  mine(ada);
  if (stage === 'recorded') ada.record();
  ada.git('fetch', '--quiet');
  expect([...(await receiveAll(ada, () => side)).keys()]).toEqual([JSON.stringify([stage, PATH, null])]);
  expect(ada.read(PATH)).toContain('Rose House');
  for (const photo of PHOTOS) expect(ada.read(photo)).toBe(photo);
  if (stage === 'recorded') expect(ada.git('status', '--porcelain')).toBe('');
});

it('keeps a photo that I alone show since, and removes what both leave out', async () => {
  const files = Object.fromEntries(PHOTOS.map((photo) => [photo, photo]));
  const { ben, ada } = twoColleagues({ ...files, [PATH]: ROSE });
  for (const photo of PHOTOS) ben.remove(photo);
  ben.record();
  ben.git('push', '--quiet');
  ada.write(PATH, WITH_PHOTOS.replace(/ {2}- file: \S+back.jpg\n/, ''));
  ada.git('fetch', '--quiet');
  await receiveAll(ada, () => 'yours');
  expect(PHOTOS.map((photo) => existsSync(join(ada.content, photo)))).toEqual([true, false]);
  expect(readFileSync(join(ada.content, PHOTOS[0]!), 'utf8')).toBe(PHOTOS[0]);
});
