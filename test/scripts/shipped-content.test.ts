import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/clone.ts';
import { INVISIBLE, listFiles, readContent, warningsOf } from './content-folder.ts';

const CONTENT = join(ROOT, 'content');

describe('the shipped catalogue', () => {
  const files = readContent(CONTENT);
  const configuration = parse(readFileSync(join(CONTENT, 'catalogue.yaml'), 'utf8'), { schema: 'failsafe' });
  const attribution = readFileSync(join(CONTENT, 'ATTRIBUTION.md'), 'utf8');

  test('is large, of several countries, and free of warnings', () => {
    expect(files.length).toBeGreaterThanOrEqual(300);
    expect(new Set(files.map(({ property }) => property.country)).size).toBeGreaterThanOrEqual(5);
    expect(new Set(files.map(({ property }) => property.id)).size).toBe(files.length);
    expect(warningsOf(files)).toEqual([]);
    expect(files.filter(({ text }) => INVISIBLE.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('uses exactly the words of its configuration', () => {
    expect(new Set(files.flatMap(({ property }) => property.facilities))).toEqual(
      new Set(configuration.vocabulary.facilities),
    );
    expect(
      new Set(files.flatMap(({ property }) => property.hotel_policy.map((policy) => policy.policy_type))),
    ).toEqual(new Set(configuration.vocabulary.policy_types));
  });

  test('has one to five pictures for each property, all present and used, and no links to others', () => {
    for (const { path, property } of files) {
      expect(property.photo.length, path).toBeGreaterThanOrEqual(1);
      expect(property.photo.length, path).toBeLessThanOrEqual(5);
    }
    const used = files.flatMap(({ path, property }) =>
      property.photo.map((photo) => posix.join(posix.dirname(path), photo.file ?? '')),
    );
    expect(files.flatMap(({ property }) => property.photo).filter((photo) => photo.url)).toEqual([]);
    const present = listFiles(CONTENT).filter((path) => path.startsWith('photos/'));
    expect([...new Set(used)].sort()).toEqual(present);
  });

  test('has pictures of one size, at most 5 MB together, without metadata', async () => {
    const pictures = listFiles(CONTENT).filter((path) => path.startsWith('photos/'));
    const bytes = pictures.reduce((sum, path) => sum + statSync(join(CONTENT, path)).size, 0);
    expect(bytes).toBeLessThan(5_000_000);
    for (const path of pictures) {
      const { width, height, format, exif, xmp } = await sharp(join(CONTENT, path)).metadata();
      const expected = { width: 1200, height: 900, format: 'jpeg', exif: undefined, xmp: undefined };
      expect({ width, height, format, exif, xmp }, path).toEqual(expected);
    }
  });

  test('has the declared fields of its sources, each somewhere, and Spanish texts of Madrid', () => {
    const of = (name: string) =>
      files.filter(({ text }) => new RegExp(`^${name}:`, 'm').test(text)).map(({ text }) => text);
    const counts = Object.keys(configuration.fields).map((name) => [name, of(`${name}(?:@es)?`).length]);
    expect(counts.filter(([, count]) => Number(count) < 10)).toEqual([]);
    expect(of('property_type')).toHaveLength(files.length);
    const spanish = of('description@es');
    expect(spanish.length).toBeGreaterThan(30);
    expect(spanish.filter((text) => !text.includes('Ayuntamiento de Madrid'))).toEqual([]);
    expect(spanish.filter((text) => /^description@es:.*(?:<|&\w+;)/m.test(text))).toEqual([]);
  });

  test('names sources and licences', () => {
    for (const words of [
      'Contains Irish Public Sector Data licensed under CC BY 4.0, source: Fáilte Ireland',
      ...['Origen de los datos: Ayuntamiento de Madrid / Madrid Destino', 'Inside Airbnb', 'CC0 1.0'],
      ...['GeoNames', 'illustrations'],
    ]) {
      expect(attribution).toContain(words);
    }
    expect(files.filter(({ text }) => !text.startsWith('# Source: ')).map(({ path }) => path)).toEqual([]);
  });
});
