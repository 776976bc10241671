import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/editing/format.ts';
import { usualCurrency } from '../../src/editing/frequent-values.ts';
import { checkPlannedProperty, planProperty, writePlannedProperty } from '../../src/editing/new-property.ts';
import { answerProblem, type PropertyAnswers } from '../../src/editing/new-property-answers.ts';
import { newPropertyText } from '../../src/editing/property-text.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { createWorkspace, idOf } from '../compile/workspace.ts';
import { detailed } from '../media/picture.ts';
import { termsFrom } from '../support/terms.ts';

const ANSWERS: PropertyAnswers = {
  title: 'Rose Cottage',
  country: 'IE',
  city: 'Galway',
  currency: 'EUR',
  latitude: '53.27194',
  longitude: '-9.04889',
  facilities: [],
  photos: [],
};

describe('the text of a new property', () => {
  const text = (answers: Partial<PropertyAnswers>, files: string[] = []) =>
    newPropertyText(
      { ...ANSWERS, ...answers, id: idOf(1), photo: files.map((file) => ({ file })) },
      '# yaml-language-server: $schema=../../property.schema.json',
      termsFrom(),
    );

  it('is sound and formatted for all answers', () => {
    const word = fc.oneof(
      fc.constantFrom('no', '1984', '0123', 'a: b', '# x', "it's", '旺角', '- x', '[x]', 'x "y"'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    );
    fc.assert(
      fc.property(word, word, word, fc.array(word, { maxLength: 2 }), (title, city, address, facilities) => {
        fc.pre(answerProblem('title', title) === undefined && answerProblem('city', city) === undefined);
        fc.pre([address, ...facilities].every((value) => answerProblem('title', value) === undefined));
        const made = text({ title, city, address, facilities: facilities.map((value) => value.trim()) }, [
          '../a.jpg',
        ]);
        expect(formatText(made)).toBe(made);
        const { property, diagnostics } = checkPropertyFile(Buffer.from(made), 'a.yaml', termsFrom());
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(property).toMatchObject({
          title: title.trim().normalize('NFC'),
          country: 'IE',
          photo: [{ file: '../a.jpg' }],
        });
      }),
      { numRuns: 60 },
    );
  });

  it('has a comment for every other field, which is sound without its comment mark', () => {
    const made = text({});
    expect(made).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/property\.schema\.json\n/);
    expect(made).toContain('# email: stay@rosecottage.example # Contact e-mail for booking inquiries.\n');
    const whole = made.replace(/^# (?!yaml-|Lines)/gm, '');
    const { property, diagnostics } = checkPropertyFile(Buffer.from(whole), 'a.yaml', termsFrom());
    expect(diagnostics).toEqual([]);
    expect(property).toMatchObject({
      email: 'stay@rosecottage.example',
      hotel_policy: [{ policy_type: 'check_in' }],
    });
  });
});

describe('a planned property', () => {
  const plan = (content: string, answers: Partial<PropertyAnswers> = {}) =>
    planProperty(content, { ...ANSWERS, ...answers });

  it('gets a name of its own, in Latin letters', () => {
    const { content } = createWorkspace();
    const write = (answers: Partial<PropertyAnswers>) => {
      const planned = plan(content, answers);
      writePlannedProperty(content, planned);
      return planned.path;
    };
    expect(write({})).toBe('properties/ie/rose-cottage.yaml');
    expect(write({})).toBe('properties/ie/rose-cottage-galway.yaml');
    expect(write({})).toMatch(/^properties\/ie\/rose-cottage-[0-9a-f]{8}\.yaml$/);
    expect(write({ title: 'Дом у моря' })).toBe('properties/ie/dom-u-morya.yaml');
    expect(write({ title: '🏠' })).toMatch(/^properties\/ie\/property-[0-9a-f]{8}\.yaml$/);
  });

  it('copies photos, and refers to those that are in the content already', async () => {
    const { root, content } = createWorkspace();
    const photo = await detailed(60, 40).jpeg().toBuffer();
    mkdirSync(join(root, 'a'));
    mkdirSync(join(content, 'photos'));
    for (const name of ['Front Door.JPG', 'a/front-door.jpg', 'content/photos/in.jpg'])
      writeFileSync(join(root, name), photo);
    const photos = ['Front Door.JPG', 'a/front-door.jpg', 'content/photos/in.jpg'].map((name) => ({
      path: join(root, name),
    }));
    const planned = plan(content, { photos });
    expect(
      (await checkPlannedProperty(content, planned)).filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    writePlannedProperty(content, planned);
    expect(readdirSync(join(content, 'photos/ie/rose-cottage'))).toEqual([
      'front-door-2.jpg',
      'front-door.jpg',
    ]);
    const files = [...readFileSync(join(content, planned.path), 'utf8').matchAll(/file: (.*)/g)].map(
      ([, file]) => file,
    );
    expect(files).toEqual([
      '../../photos/ie/rose-cottage/front-door.jpg',
      '../../photos/ie/rose-cottage/front-door-2.jpg',
      '../../photos/in.jpg',
    ]);
    const twice = plan(content, { photos: photos.slice(2).concat(photos.slice(2)) });
    expect((await checkPlannedProperty(content, twice)).map(({ code }) => code)).toContain('duplicate-photo');
  });

  it('is refused for a photo that cannot be published, and nothing is written', async () => {
    const { root, content } = createWorkspace();
    const broken = (await detailed(200, 200).jpeg().toBuffer()).subarray(0, 2000);
    writeFileSync(join(root, 'a.jpg'), broken);
    const found = await checkPlannedProperty(
      content,
      plan(content, { photos: [{ path: join(root, 'a.jpg') }] }),
    );
    expect(found.map(({ code }) => code)).toContain('photo-corrupt');
    expect(readdirSync(content)).toEqual([]);
    expect(() => plan(content, { photos: [{ path: join(root, 'b.jpg') }] })).toThrow('There is no photo');
  });

  it('leaves no photo behind when its file cannot be written', () => {
    const { root, content } = createWorkspace();
    writeFileSync(join(root, 'a.jpg'), 'x');
    const planned = plan(content, { photos: [{ path: join(root, 'a.jpg') }] });
    writeFileSync(join(content, 'properties'), 'a file where a folder is needed');
    expect(() => writePlannedProperty(content, planned)).toThrow();
    expect(existsSync(join(content, 'photos/ie/rose-cottage/a.jpg'))).toBe(false);
  });
});

it('suggests the most frequent currency of the country', () => {
  const workspace = createWorkspace();
  workspace.write('a.yaml', 'country: IE\ncurrency: GBP\n');
  workspace.write('b.yaml', 'country: IE\ncurrency: EUR\n');
  workspace.write('c.yaml', 'country: IE\ncurrency: EUR\n');
  workspace.write('d.yaml', 'country: GB\ncurrency: GBP\n');
  workspace.write('e.yaml', 'country: "IE\n');
  const of = (country: string) => usualCurrency(workspace.content, country);
  expect([of('IE'), of('GB'), of('FR')]).toEqual(['EUR', 'GBP', undefined]);
  expect(usualCurrency(join(workspace.root, 'none'), 'IE')).toBeUndefined();
});
