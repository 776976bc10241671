/** The features of an editor, from the language server that editors run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authoredSchemaText } from '../../src/documents/property-schema.ts';
import { propertyText } from '../source/property-text.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { termsFrom } from '../support/terms.ts';
import { type LanguageServer, startLanguageServer } from './language-server.ts';

const MODELINE = '# yaml-language-server: $schema=property.schema.json\n';

let folder: string;
let server: LanguageServer;
let count = 0;

beforeAll(async () => {
  folder = temporaryFolder();
  const terms = termsFrom({
    facilities: ['wifi', 'free_parking'],
    policy_types: ['check_in', 'no_show'],
  });
  writeFileSync(join(folder, 'property.schema.json'), authoredSchemaText(terms));
  server = await startLanguageServer(folder);
});
afterAll(async () => {
  await server?.stop();
});

/** Opens a file with the line that names the schema. `|` in the text is where the cursor is. */
function open(marked: string) {
  const text = MODELINE + marked.replace('|', '');
  const before = (MODELINE + marked).split('|')[0]!.split('\n');
  const uri = `file://${folder}/${++count}.yaml`;
  const squiggles = server.open(uri, text);
  const cursor = { line: before.length - 1, character: before.at(-1)!.length };
  return { uri, cursor, squiggles };
}

describe('completion', () => {
  const offered = async (marked: string) => {
    const { uri, cursor } = open(marked);
    return server.complete(uri, cursor);
  };

  it('offers the missing fields, with their meaning', async () => {
    const fields = await offered('title: Rose\nc|\n');
    expect([...fields.keys()]).toEqual(expect.arrayContaining(['city', 'country', 'currency', 'photo']));
    expect(fields.has('title')).toBe(false);
    expect(fields.get('city')?.documentation).toContain('exact spelling');
  });

  it('offers countries and currencies by code and by name (E11)', async () => {
    const countries = await offered('country: |\n');
    expect(countries.get('IE')).toEqual({ insertText: 'IE', documentation: 'Ireland' });
    // The label is searched for the typed text: "Ire" finds it.
    expect(countries.get('Ireland')).toEqual({ insertText: 'IE', documentation: 'IE' });
    expect(countries.size).toBe(500);
    expect((await offered('currency: |\n')).get('EUR')?.documentation).toBe('Euro');
  });

  it('offers the vocabulary in lists', async () => {
    expect([...(await offered('facilities:\n  - |\n')).keys()]).toEqual(['wifi', 'free_parking']);
    expect([...(await offered('hotel_policy:\n  - policy_type: |\n')).keys()]).toContain('no_show');
    expect([...(await offered('payment_method:\n  - method_type: |\n')).keys()]).toEqual([
      'direct',
      'property',
    ]);
    expect([...(await offered('payment_method:\n  - is_enabled: |\n')).keys()].sort()).toEqual([
      'false',
      'true',
    ]);
  });

  it('never offers an id, nor null or true for a text', async () => {
    expect((await offered('id: |\n')).size).toBe(0);
    for (const field of ['title', 'zip_code', 'email', 'latitude']) {
      const values = [...(await offered(`${field}: |\n`)).keys()];
      for (const word of ['null', 'true', 'false']) expect(values).not.toContain(word);
    }
    expect([...(await offered('photo:\n  - file: |\n')).keys()]).toEqual(['../photos/front.jpg']);
  });

  it('writes fields and entries without meaningless words, each by its own name (E11)', async () => {
    const photo = await offered('photo:\n  - |\n');
    expect(photo.get('file')?.insertText).toMatch(/^file: \$\{1:\.\.\/photos\/front\.jpg\}$/);
    expect(photo.get('url')?.insertText).toMatch(/^url: \$\{1:https:\/\/photos\.example\/front\.jpg\}$/);
    expect((await offered('|\n')).get('id')?.insertText).toBe('id: ');
    expect((await offered('photo: |\n')).size).toBe(0);
    for (const [list, name] of Object.entries({ hotel_policy: 'Policy', payment_method: 'Payment method' })) {
      const names = [...(await offered(`${list}:\n  - |\n`)).keys()];
      expect(names).toContain(name);
      expect(names).not.toContain('Property');
    }
  });
});

describe('hover', () => {
  const shown = async (marked: string) => {
    const { uri, cursor } = open(marked);
    return server.hover(uri, cursor);
  };

  it('explains fields, with an example', async () => {
    const text = await shown('lati|tude: 53.2\n');
    expect(text).toContain('Latitude in decimal degrees, -90 to 90');
    expect(text).toContain('53.27194');
    expect(await shown('i|d: x\n')).toContain('#### Id');
    // Two editors who copy one id would collide (E2).
    expect(await shown('i|d: x\n')).toContain('catalogue check --fix');
    expect(await shown('i|d: x\n')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(await shown('photo:\n  - descr|iption: x\n')).toContain('Alternative text or caption');
  });

  it('of a code or a word shows its name, and is short (E11)', async () => {
    for (const [marked, title, name] of [
      ['country: I|E\n', 'Country', 'Ireland'],
      ['currency: E|UR\n', 'Currency', 'Euro'],
      ['facilities:\n  - free_|parking\n', 'Facility', 'Free parking'],
      ['hotel_policy:\n  - policy_type: no_|show\n', 'Policy: type', 'No-show'],
      ['payment_method:\n  - method_type: dir|ect\n', 'Payment method: type', 'through a payment gateway'],
    ] as const) {
      const text = (await shown(marked)).replace(/\n\nSource:.*$/s, '');
      expect(text).toBe(`#### ${title}\n\n${name}`);
    }
  });
});

describe('an underline', () => {
  const found = async (text: string) => {
    return (await open(text).squiggles).map(({ range: { start, end }, message }) => ({
      line: start.line,
      from: start.character,
      to: end.character,
      message,
    }));
  };

  it('is absent from a sound file', async () => {
    const lists =
      'zip_code: 01234\nfacilities: [wifi, anything]\nphoto:\n  - file: a.jpg\n    position: 1\n' +
      'hotel_policy:\n  - policy_type: other\n    detail: x\npayment_method:\n  - is_enabled: true\n    method_type: direct\n';
    expect(await found(propertyText({ phone: '+353749158188', title: '1984' }, lists))).toEqual([]);
  });

  it('is below a word that is no country, with advice', async () => {
    const [squiggle, ...others] = await found(propertyText({ country: 'Ireland' }));
    expect(others).toEqual([]);
    expect(squiggle).toMatchObject({ line: 7, from: 9, to: 16 });
    expect(squiggle?.message).toContain('Use an ISO 3166-1 alpha-2 code, such as IE. (unknown-country)');
  });

  it.each([
    ['an unknown field', propertyText({}, 'titel: x\n'), /titel is not allowed/],
    ['a field that is missing', propertyText({ city: undefined }), /Missing property "city"/],
    ['a latitude', propertyText({ latitude: '91' }), /90/],
    ['an e-mail address', propertyText({ email: 'rose at home' }), /\(invalid-email\)/],
    ['a phone number', propertyText({ phone: '01 605 7700' }), /\(invalid-phone\)/],
    ['an id', propertyText({ id: 'rose' }), /\(invalid-id\)/],
    [
      'a photo with neither file nor link',
      propertyText({}, 'photo:\n  - description: x\n'),
      /\(photo-source\)|"file"/,
    ],
    [
      'a method type',
      propertyText({}, 'payment_method:\n  - is_enabled: true\n    method_type: cash\n'),
      /\(unknown-method-type\)/,
    ],
  ])('is below %s', async (_name, text, message) => {
    const squiggles = await found(text);
    expect(squiggles.length).toBeGreaterThan(0);
    expect(squiggles.some((squiggle) => message.test(squiggle.message))).toBe(true);
  });
});
