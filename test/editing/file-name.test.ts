import { expect, test } from 'vitest';
import { freeFileName } from '../../src/editing/file-name.ts';
import { slugOf } from '../../src/editing/slug.ts';

const ID_A = 'aaaaaaaa-0000-4000-8000-000000000000';

test.each([
  ["River's Edge", 'rivers-edge'],
  ['Óstán Loch Altan — Hôtel', 'ostan-loch-altan-hotel'],
  ['Straße & Øre', 'strasse-ore'],
  ['旺角 Double Room 旺角', 'wang-jiao-double-room-wang-jiao'],
  ['旺角', 'wang-jiao'],
  ['Γκαρσονιέρα', 'gkarsoniera'],
  ['Дом у моря', 'dom-u-morya'],
  ['ホテル東京', 'hoteru-dong-jing'],
  ['İzmir ﬁne Łódź', 'izmir-fine-lodz'],
  ['ガーデンホテル', 'gadenhoteru'],
  ['ジェイホテル 3階', 'jieihoteru-3-jie'],
  ['서울 한옥', 'seoul-hanog'],
  ['شقة في دبي', 'shqh-fy-dby'],
  ['🏠', ''],
  ['🏠 Sea House ☀', 'sea-house'],
  ['7/8', ''],
  ['a'.repeat(60), 'a'.repeat(40)],
  ['Central Hotel, Conference and Leisure Centre', 'central-hotel-conference-and-leisure'],
  ['Con', 'con-1'],
  ['Conrad', 'conrad'],
])('the slug of %j is %j', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test('one more property gets the simplest free name', () => {
  const property = { id: ID_A, title: 'Rose', city: 'Cork', country: 'IE' };
  const taken: string[] = [];
  for (const slug of ['rose', 'rose-cork', 'rose-aaaaaaaa', ID_A]) {
    const name = freeFileName(property, (path) => taken.includes(path));
    expect(name).toEqual({ path: `properties/ie/${slug}.yaml`, slug });
    taken.push(name.path);
  }
});

test('a property whose title has no letters is named by its id', () => {
  const { slug } = freeFileName({ id: ID_A, title: '7/8', city: 'Hong Kong', country: 'HK' }, () => false);
  expect(slug).toBe('property-aaaaaaaa');
});
