/** A disk that is full in the midst of a write: the files of an owner stay whole, and a new one is whole or absent. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writePlannedProperty } from '../../src/editing/new-property.ts';
import { writeSchemas } from '../../src/editing/schema-file.ts';
import { writeStarter } from '../../src/start/starter.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Number of writes that succeed before the disk is full. */
const disk = vi.hoisted(() => ({ spare: Number.POSITIVE_INFINITY }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    copyFileSync(from: string, to: string, mode: number) {
      if (disk.spare-- > 0) return fs.copyFileSync(from, to, mode);
      fs.writeFileSync(to, 'the first part');
      throw Object.assign(new Error('ENOSPC: the disk'), { code: 'ENOSPC' });
    },
    writeFileSync(file: number | string, bytes: Buffer | string, ...rest: []) {
      if (disk.spare-- > 0) return fs.writeFileSync(file, bytes, ...rest);
      fs.writeFileSync(file, Buffer.from(bytes).subarray(0, 10), ...rest);
      throw Object.assign(new Error('ENOSPC: the disk'), { code: 'ENOSPC' });
    },
  };
});

const START = {
  title: 'Stays',
  baseUrl: 'https://stays.example',
  country: 'IE',
  currency: 'EUR',
  package: '1.2.3',
};

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]);

it('keeps the files of an owner to which lines are added, and leaves no part of another', () => {
  const whole = temporaryFolder();
  const own = { 'package.json': '{ "name": "stays", "scripts": {} }\n', '.gitignore': 'own-folder/\n' };
  const begin = (folder: string) => {
    for (const [name, text] of Object.entries(own)) writeFileSync(join(folder, name), text);
  };
  begin(whole);
  writeStarter(whole, START);
  const texts = filesBelow(whole);
  for (let spare = 0; spare < 10; spare++) {
    const root = temporaryFolder();
    begin(root);
    disk.spare = spare;
    expect(() => writeStarter(root, START)).toThrow('ENOSPC');
    disk.spare = Number.POSITIVE_INFINITY;
    for (const [name, text] of filesBelow(root)) {
      // The example has an id of its own each time.
      const isOwn = Object.entries(own).some((one) => one[0] === name && one[1] === text);
      const isWhole = texts.some((one) => one[0] === name && one[1]?.length === text?.length);
      expect(isOwn || isWhole, name).toBe(true);
    }
  }
});

it('keeps the schemas of before', () => {
  const content = temporaryFolder();
  writeSchemas(content);
  const before = filesBelow(content);
  writeFileSync(join(content, 'catalogue.yaml'), 'languages: [en, fr]\n');
  disk.spare = 0;
  expect(() => writeSchemas(content)).toThrow('ENOSPC');
  disk.spare = Number.POSITIVE_INFINITY;
  expect(filesBelow(content)).toEqual(expect.arrayContaining(before));
});

it('leaves no part of a photo', () => {
  const content = temporaryFolder();
  const copies = [{ from: join(content, 'none.jpg'), to: 'photos/a.jpg' }];
  disk.spare = 0;
  expect(() => writePlannedProperty(content, { path: 'a.yaml', text: '', copies })).toThrow('ENOSPC');
  disk.spare = Number.POSITIVE_INFINITY;
  expect(filesBelow(content)).toEqual([]);
});
