import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { photoPathFor } from '../../src/editing/photo-path.ts';
import { planPhotoRemoval } from '../../src/editing/photo-uses.ts';
import { type PropertyText, planCopy, planNewFile, planRename } from '../../src/editing/planned-file.ts';
import { useFolder } from '../media/picture.ts';

const folder = useFolder();
let count = 0;

/** A content folder with some files. */
function contentWith(files: Readonly<Record<string, string>> = {}): string {
  const content = join(folder(), String(count++));
  mkdirSync(content);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(content, path)), { recursive: true });
    writeFileSync(join(content, path), text);
  }
  return content;
}

function sound(planned: PropertyText | object): PropertyText {
  if (!('path' in planned)) throw new Error(JSON.stringify(planned));
  return planned;
}

const ID = '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
const ROSE = `# c
id: ${ID}
title: 'Rose Cottage' # t
city: Galway
country: IE
photo:
  - file: ../../photos/a.jpg # p
  - file: front.jpg
    id: ${ID}
`;
const FILE = { path: 'properties/ie/rose-cottage.yaml', text: ROSE };

describe('a copy', () => {
  it('has fresh ids and another title, and is otherwise equal', () => {
    const { path, text } = sound(planCopy(contentWith({ [FILE.path]: ROSE }), FILE, 'Rose Cottage (copy)'));
    const ids = text.match(new RegExp(UUID, 'g')) ?? [];
    expect(path).toBe('properties/ie/rose-cottage-copy.yaml');
    expect(new Set([ID, ...ids]).size).toBe(3);
    expect(text.replace(new RegExp(UUID, 'g'), ID)).toBe(ROSE.replace('Rose Cottage', 'Rose Cottage (copy)'));
  });

  it('gets a free name, and no other ids than the file has', () => {
    const text = ROSE.replace(/ {4}id: .*\n/, '');
    const content = contentWith({ [FILE.path]: text, 'properties/ie/tulip.yml': '' });
    const copy = sound(planCopy(content, { ...FILE, text }, 'Tulip'));
    expect(copy.path).toBe('properties/ie/tulip-galway.yaml');
    expect(copy.text).toContain("title: 'Tulip' # t");
    expect(copy.text.match(new RegExp(UUID, 'g'))).toHaveLength(1);
  });

  it('is refused when the file cannot be edited', () => {
    expect(planCopy(contentWith(), { ...FILE, text: 'id: &x y\ntitle: z\n' }, 'A')).toMatchObject({
      refused: 'anchor',
    });
  });
});

describe('a rename', () => {
  const renamed = (text: string, path = FILE.path) =>
    sound(planRename(contentWith({ [path]: text }), { path, text }));

  it('leaves a file whose name fits', () => {
    expect(renamed(ROSE)).toEqual(FILE);
  });

  it('follows the title', () => {
    const text = ROSE.replace('Rose Cottage', 'Lime House');
    expect(renamed(text)).toEqual({ path: 'properties/ie/lime-house.yaml', text });
  });

  it('follows the country, and photos stay in their folder', () => {
    const head = '# yaml-language-server: $schema=../../property.schema.json\n';
    expect(renamed(head + ROSE.replace('IE', 'FR'))).toEqual({
      path: 'properties/fr/rose-cottage.yaml',
      text: head + ROSE.replace('IE', 'FR').replace('front.jpg', '../ie/front.jpg'),
    });
  });

  it('does not touch a folder with another arrangement', () => {
    const text = ROSE.replace('IE', 'FR').replace('Rose Cottage', 'Lime House');
    expect(renamed(text, 'hotels/a.yml')).toEqual({ path: 'hotels/lime-house.yml', text });
    expect(renamed(text, 'north/properties/ie/a.yaml').path).toBe('north/properties/fr/lime-house.yaml');
  });

  it('never leads outside the folder', () => {
    const path = renamed(ROSE.replace('IE', '../../..').replace('Rose Cottage', '../../x')).path;
    expect(path).toBe('properties/x.yaml');
  });

  it.each(['', 'id: a/b/c\n', 'id: [1]\n'])('names a file after a random id if it has none: %j', (id) => {
    expect(renamed(`${id}country: IE\ntitle: 🏠\n`).path).toMatch(
      /^properties\/ie\/property-[0-9a-f]{8}\.yaml$/,
    );
  });
});

describe('a new property', () => {
  it('has an id, and the given values', () => {
    const values = { title: 'Rose Cottage', country: 'IE', facilities: ['wifi'] };
    const { path, text } = sound(planNewFile(contentWith({ 'property.schema.json': '{}' }), values));
    expect(path).toBe('properties/ie/rose-cottage.yaml');
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=..\/..\/property.schema.json\n\nid: [-0-9a-f]{36}\ntitle: Rose Cottage\n\ncountry: IE\n\nfacilities:\n {2}- wifi\n$/,
    );
  });

  it('gets a name without a title', () => {
    expect(sound(planNewFile(contentWith(), {})).path).toMatch(/^properties\/property-[0-9a-f]{8}\.yaml$/);
  });
});

describe('a removal', () => {
  it('takes the photos with it that nothing else uses', () => {
    const content = contentWith({
      [FILE.path]: `${ROSE}  - url: https://x.example/a.jpg\n  - file: ../../../out.jpg\n  - file: ../b.jpg\n  - file: ../c.jpg\n  - file: ../logo.png\n`,
      'properties/other.yaml': 'photo:\n  - file: ../photos/A.jpg\n',
      'broken.yml': 'photo:\n  - file: "properties/c.jpg\n',
      'catalogue.yaml': 'logo: properties/logo.png\n',
    });
    expect(planPhotoRemoval(content, FILE.path)).toEqual({
      photos: ['properties/ie/front.jpg', 'properties/b.jpg'],
      kept: ['photos/a.jpg', 'properties/c.jpg', 'properties/logo.png'],
    });
    expect(readdirSync(content)).toHaveLength(3);
  });

  it.each(['properties/other.yaml', 'catalogue.yaml'])('takes none if %s cannot be read', (unread) => {
    const content = contentWith({ [FILE.path]: ROSE, [unread]: `# ${'x'.repeat(1 << 20)}` });
    expect(planPhotoRemoval(content, FILE.path)).toEqual({
      photos: [],
      kept: ['photos/a.jpg', 'properties/ie/front.jpg'],
    });
  });

  it('of a property without photos takes none', () => {
    expect(planPhotoRemoval(contentWith({ 'a.yaml': 'title: x\n' }), 'a.yaml')).toEqual({
      photos: [],
      kept: [],
    });
  });
});

describe('the path of a photo', () => {
  it.each([
    ['IMG 0815.JPG', 'img-0815.jpg'],
    ['C:\\Users\\x\\Küche.heic', 'kuche.jpg'],
    ['../../etc/passwd', 'passwd.jpg'],
    ['旺角.png', 'wang-jiao.jpg'],
    ['..', 'photo.jpg'],
    ['', 'photo.jpg'],
    ['a\0b\n.jpg', 'a-b.jpg'],
    [`${'long '.repeat(100)}.jpg`, 'long-long-long-long-long-long-long-long-long-long-long-long.jpg'],
  ])('is safe for %j', (upload, name) => {
    expect(photoPathFor(contentWith(), FILE.path, upload, '.jpg')).toBe(`photos/ie/rose-cottage/${name}`);
  });

  it('is free', () => {
    const content = contentWith({ 'photos/ie/rose-cottage/a.jpg': '', 'photos/ie/rose-cottage/a-2.jpg': '' });
    expect(photoPathFor(content, FILE.path, 'a.png', '.jpg')).toBe('photos/ie/rose-cottage/a-3.jpg');
  });
});
