import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../scripts/command-line.ts';
import { type MadeCatalogue, makeCatalogue } from '../../scripts/make-catalogue.ts';
import { check } from '../../src/compile/check.ts';
import { readYamlQuickly } from '../../src/source/simple-yaml.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type ContentFile, listFiles, readContent, warningsOf } from './content-folder.ts';

const COUNT = 2000;

describe('makeCatalogue', () => {
  let folder: string;
  let made: MadeCatalogue;
  let files: ContentFile[];

  beforeAll(() => {
    folder = temporaryFolder();
    made = makeCatalogue({ folder: join(folder, 'content'), count: COUNT });
    files = readContent(join(folder, 'content'));
  });

  test('makes as many properties as asked for, all valid and without warnings', () => {
    expect(files).toHaveLength(COUNT);
    expect(made.properties).toBe(COUNT);
    expect(new Set(files.map(({ property }) => property.id)).size).toBe(COUNT);
    expect(warningsOf(files)).toEqual([]);
  });

  test('makes the same bytes for the same count and seed, and others for another seed', () => {
    const bytesOf = (name: string, seed?: number): string[] => {
      const out = join(folder, name);
      makeCatalogue({ folder: out, count: 50, ...(seed !== undefined && { seed }) });
      return listFiles(out).map((path) => `${path}\n${readFileSync(join(out, path), 'utf8')}`);
    };
    const first = bytesOf('first');
    expect(bytesOf('again', 1)).toEqual(first);
    expect(bytesOf('other', 2)).not.toEqual(first);
  });

  test('adds declared fields and translations to the same properties, which the quick reader takes', async () => {
    const [plain, content] = [join(folder, 'plain'), join(folder, 'declared')];
    makeCatalogue({ folder: plain, count: 70 });
    makeCatalogue({ folder: content, count: 70, withFields: true });
    const texts = listFiles(content).filter((path) => path !== 'catalogue.yaml');
    expect(listFiles(plain)).toEqual(listFiles(content));
    for (const path of texts) {
      const values = readYamlQuickly(readFileSync(join(content, path), 'utf8'));
      expect(values).toMatchObject(readYamlQuickly(readFileSync(join(plain, path), 'utf8')) as object);
      expect(values).toMatchObject({
        'title@fr': expect.any(String),
        description: expect.stringMatching(/.\n./),
      });
    }
    // More files than a thread takes at once.
    expect(await check({ content })).toMatchObject({
      diagnostics: [],
      languages: { fr: { title: { texts: 70, of: 70 }, description: { texts: 0, of: 70 } } },
    });
  });

  test('refuses a folder that is not empty', () => {
    const out = join(folder, 'taken');
    mkdirSync(out);
    writeFileSync(join(out, 'mine.yaml'), '');
    expect(() => makeCatalogue({ folder: out, count: 1 })).toThrow(UsageError);
    expect(listFiles(out)).toEqual(['mine.yaml']);
  });
});

/** Fixed, so that no change of the bytes for one count and seed is missed: benchmarks rely on them. */
test('the first property of seed 1 never changes', () => {
  const out = temporaryFolder();
  makeCatalogue({ folder: out, count: 1 });
  expect(readContent(out).map(({ path }) => path)).toEqual([
    'properties/cn/royal-garden-hotel-shanghai-c6ab1ba1.yaml',
  ]);
});
