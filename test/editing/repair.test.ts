import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatContent } from '../../src/editing/format-content.ts';
import { replaceFile } from '../../src/editing/read-and-replace.ts';
import { repairText } from '../../src/editing/repair.ts';
import { repairContent } from '../../src/editing/repair-content.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { propertyText } from '../source/property-text.ts';
import { termsFrom } from '../support/terms.ts';
import { authoredText } from './authored-text.ts';

const TERMS = termsFrom({
  facilities: ['wifi', 'parking', 'hot_tub', 'cot'],
  policy_types: ['check_in', 'no_show'],
});
const ID = 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11\n';
/** The repaired text of a file that has an id, without it. */
const repaired = (text: string) =>
  text.includes('id:') ? repairText(text, TERMS)?.text : repairText(ID + text, TERMS)?.text.replace(ID, '');

describe('a repair', () => {
  it.each([
    ['spaces at the ends', "title: ' Rose '   # c\n", "title: 'Rose'   # c\n"],
    ['spaces, where quotes stay necessary', "title: ' 12 '\n", "title: '12'\n"],
    ['letters that are not in NFC', 'city: Sa\u0303o\n', 'city: S\u00e3o\n'],
    ['a UUID', 'id: 5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11\n', 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11\n'],
    ['a country', 'country: no # Norway\n', 'country: "NO" # Norway\n'],
    ['a currency', 'currency: Eur\n', 'currency: EUR\n'],
    ['a name of a country (A12)', 'country: Deutschland # c\n', 'country: DE # c\n'],
    ['a sign of a currency (A12)', 'currency: $\ncountry: CA\n', 'currency: CAD\ncountry: CA\n'],
    [
      'swapped coordinates (A12)',
      'country: IE\nlatitude: -9.04889 # c\nlongitude: "53.27194"\n',
      'country: IE\nlatitude: 53.27194 # c\nlongitude: "-9.04889"\n',
    ],
    [
      'a national phone number (A12)',
      'phone: (01) 605-7700\ncountry: Ireland\n',
      'phone: +353 1 605 7700\ncountry: IE\n',
    ],
    ['a zero that is not dialled (A11)', 'phone: +44 0 20 7946 0958\n', 'phone: +44 20 7946 0958\n'],
    ['marks of direction (A12)', 'title: "\u200fבית\u200f"\n', 'title: "בית"\n'],
    ['two words for a facility (A11)', 'facilities: [WiFi, Wi-Fi]\n', 'facilities: [wifi, Wi-Fi]\n'],
    ['a facility of other letters', 'facilities: [Wi-Fi, Hot Tub]\n', 'facilities: [wifi, hot_tub]\n'],
    ['a facility with a slip', 'facilities:\n  - parkng # c\n', 'facilities:\n  - parking # c\n'],
    [
      'a policy type',
      'hotel_policy:\n  - policy_type: checkin\n',
      'hotel_policy:\n  - policy_type: check_in\n',
    ],
    [
      'a method type',
      'payment_method: [{method_type: Direct}]\n',
      'payment_method: [{method_type: direct}]\n',
    ],
    [
      'a text between brackets',
      "photo: [{file: a.jpg, description: ' a, b '}]\n",
      "photo: [{file: a.jpg, description: 'a, b'}]\n",
    ],
    [
      'a text of several lines',
      'title: >-\n  Sa\u0303o\n  Jorge\ncity: x\n',
      'title: >-\n  S\u00e3o Jorge\ncity: x\n',
    ],
    ['a latitude with a comma (E9)', 'latitude: 53,27 # c\n', 'latitude: 53.27 # c\n'],
    ['a longitude with a letter (E9)', 'longitude: 9.04 W\n', 'longitude: -9.04\n'],
    ['a latitude with minutes (E9)', 'latitude: "53°16\u203212\u2033N"\n', 'latitude: "53.27"\n'],
    ['a longitude with the mark of degrees (E9)', 'longitude: W 9,04°\n', 'longitude: -9.04\n'],
    ['a phone number with two zeros (E9)', 'phone: 00353 1 605 7700\n', 'phone: +353 1 605 7700\n'],
    ['such a number without spaces', 'phone: 0035316057700\n', 'phone: +353 1 605 7700\n'],
    ['a space in the brackets of a country code', 'phone: (+34 )91 080 37 10\n', 'phone: +34 91 080 37 10\n'],
    [
      'a yes (E9)',
      'payment_method:\n  - is_enabled: yes # c\n  - {is_enabled: Off}\n',
      'payment_method:\n  - is_enabled: true # c\n  - {is_enabled: false}\n',
    ],
    [
      'a tab as indentation (E9)',
      'photo:\n\t- file: a.jpg\n\t  description: "a\tb" # \tc\n',
      'photo:\n  - file: a.jpg\n    description: "a\tb" # \tc\n',
    ],
    ['a tab, and more (E9)', "facilities:\n\t- ' wifi '\n", "facilities:\n  - 'wifi'\n"],
    ['a file of Windows', "# c\r\ntitle: ' Rose '\r\ncity: x\r\n", "# c\r\ntitle: 'Rose'\r\ncity: x\r\n"],
  ])('of %s', (_name, text, expected) => {
    expect(repaired(text)).toBe(expected);
    expect(repaired(expected)).toBeUndefined();
  });

  it.each([
    ['a former currency, and a slip in a name', 'currency: HRK\ncountry: Irelnd\n'],
    ['a sign of several currencies', 'currency: $\ncountry: FR\n'],
    ['a mark of writing direction within a text', 'title: "\\u200fa\\u200fb"\n'],
    ['a point that lies elsewhere', 'country: IE\nlatitude: 48.85\nlongitude: 2.35\n'],
    ['a short word', 'facilities: [cat]\n'],
    ['a word that is near to none', 'facilities: [restaurant]\n'],
    ['a word that is in the list already', 'facilities: [wifi, Wi-Fi]\n'],
    ['an empty text', "title: '  '\n"],
    ['the end of lines', 'title: |\n  Rose\n'],
    ['an unknown field', "titel: ' Rose '\n"],
    ['a number of degrees that is not sure', 'latitude: 53,271,94\nlongitude: -9.04 W\n'],
    ['a point of the compass of the other axis', 'latitude: 9.04 W\nlongitude: 53.27 N\n'],
    ['degrees beyond the limit', 'latitude: 99,5\n'],
    ['a phone number without a country', 'phone: 01 605 7700\n'],
    ['a tab within a block of lines', 'hotel_policy:\n  - detail: |\n      a\n      \tb\n'],
    ['a tab that is not all that is wrong', 'photo:\n\t- file: "a\n'],
    ['a tab above a field behind a line separator', 'facilities:\n\t- "a\u2028city: y'],
    ['a value of another kind', 'title: [ "a " ]\ncountry: {a: ie}\n'],
    ['a file that cannot be read', 'country: ie\ntitle: "x\n'],
    ['a field that stands twice', 'country: ie\ncountry: fr\n'],
  ])('leaves %s unchanged', (_name, text) => {
    expect(repaired(text)).toBeUndefined();
  });

  it('finds tabs in several fields, each on its line, but not within texts (E9)', () => {
    const text =
      'title: x\nfacilities:\n\t- wifi\nhotel_policy:\n\t- detail: |\n\t    a\n      \tb\n\t  policy_type: check_in\n';
    const result = repairText(`id: x\n${text}`, termsFrom());
    expect(result?.text).toBe(
      'id: x\ntitle: x\nfacilities:\n  - wifi\nhotel_policy:\n  - detail: |\n      a\n      \tb\n    policy_type: check_in\n',
    );
    expect(result?.repairs.map(({ line, column }) => [line, column])).toEqual([
      [4, 1],
      [6, 1],
      [7, 1],
      [9, 1],
    ]);
  });

  it('reports its place', () => {
    expect(repairText("id: x\ntitle: ' Rose'\n", termsFrom())?.repairs).toEqual([
      { path: ['title'], line: 2, column: 8, from: ' Rose', to: 'Rose' },
    ]);
  });

  const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

  it.each([
    ['without one', 'title: Rose\n', `^id: ${UUID}\ntitle: Rose\n$`],
    ['below comments', '# c\n\ntitle: Rose # d\n', `^# c\n\nid: ${UUID}\ntitle: Rose # d\n$`],
    [
      'above the comment of the first field (L7)',
      '---\n# about the title\ntitle: Rose\n',
      `^---\nid: ${UUID}\n# about the title\ntitle: Rose\n$`,
    ],
    [
      'below the line that names the schema',
      '# yaml-language-server: $schema=property.schema.json\n# c\ntitle: Rose\n',
      `^# yaml-.*json\nid: ${UUID}\n# c\ntitle: Rose\n$`,
    ],
    ['of Windows', 'title: Rose\r\n', `^id: ${UUID}\r\ntitle: Rose\r\n$`],
    ['without a value', 'title: Rose\nid:\n', `^title: Rose\nid: ${UUID}\n$`],
    ['with a word for no value (L8)', 'id: ~ # c\ntitle: Rose\n', `^id: ${UUID} # c\ntitle: Rose\n$`],
    ['with a quoted word for no value', 'id: "Null"\ntitle: Rose\n', `^id: "${UUID}"\ntitle: Rose\n$`],
    ['without a value, with a comment', 'id: # c\ntitle: Rose\n', `^id: ${UUID} # c\ntitle: Rose\n$`],
    ['with an empty value', "id: ''\ntitle: Rose\n", `^id: '${UUID}'\ntitle: Rose\n$`],
    ...['0'.repeat(32), `{${'F'.repeat(8)}-FFFF-FFFF-FFFF-${'F'.repeat(12)}}`].map(
      (id): [string, string, string] => [
        `with ${id}`,
        `id: '${id}'\ntitle: Rose\n`,
        `^id: '${UUID}'\ntitle: Rose\n$`,
      ],
    ),
    ['and another slip', "title: ' Rose'\n", `^id: ${UUID}\ntitle: 'Rose'\n$`],
  ])('gives a fresh id to a file %s (E2)', (_name, text, expected) => {
    const texts = [1, 2].map(() => repairText(text, TERMS)?.text ?? '');
    for (const result of texts) {
      expect(result).toMatch(new RegExp(expected));
      expect(repairText(result, TERMS)).toBeUndefined();
    }
    expect(texts[0]).not.toBe(texts[1]);
  });

  it.each([
    ...['uuid: x\ntitle: Rose\n', 'state:\n  id: x\nname: y\nid: a\n', '- a\n', 'a: b\n', '{}\n', '# c\n'],
  ])('gives no id to %j (E2)', (text) => expect(repairText(text, TERMS)).toBeUndefined());

  it('changes nothing else, wherever it is made', () => {
    const value = (text: string) => JSON.stringify(parse(text, { schema: 'failsafe', uniqueKeys: false }));
    const comments = (text: string) => text.match(/# (?:comment \d+|header|footer)/g);
    fc.assert(
      fc.property(authoredText, (text) => {
        const result = repairText(text, termsFrom({ facilities: ['wi-fi', 'rose_cottage'] }));
        if (!result) return;
        const fields = new Set(result.repairs.map(({ path: [field] }) => field));
        for (const field of fields) expect(['facilities', 'country', 'id']).toContain(field);
        const made = result.repairs.find(({ path: [field] }) => field === 'id');
        const isAdded = made?.from === '';
        const before = isAdded ? result.text.replace(new RegExp(`id: ${made.to}\r?\n`), '') : result.text;
        const undone = value(before)
          .replaceAll(made?.to ?? '\0', made?.from ?? '')
          .replaceAll('wi-fi', 'wifi')
          .replaceAll('rose_cottage', 'rose cottage');
        // "no" is the code of a country in lower case.
        expect(undone.toLowerCase()).toBe(value(text).toLowerCase());
        expect(comments(result.text)).toEqual(comments(text));
      }),
      { numRuns: 40 },
    );
  });
});

describe('repairs of a folder', () => {
  it('are made in the wanted files only, with the vocabulary of the configuration', () => {
    const workspace = createWorkspace();
    workspace.configure('vocabulary: {facilities: [wifi]}\n');
    const text = propertyText({}, 'facilities: [wi-fi]\n');
    workspace.write('a/one.yaml', text);
    workspace.write('b/two.yaml', text);
    workspace.write('b/three.yaml', 'country: ie\ntitle: "x\n');
    const { content } = workspace;
    const result = repairContent({ content, isWanted: (file) => file.startsWith('b/') });
    expect(result).toMatchObject([{ file: 'b/two.yaml', repairs: [{ from: 'wi-fi', to: 'wifi' }] }]);
    const read = (name: string) => readFileSync(join(content, name), 'utf8');
    expect(read('a/one.yaml')).toBe(text);
    expect(read('b/two.yaml')).toBe(text.replace('wi-fi', 'wifi'));
    expect(read('b/three.yaml')).toBe('country: ie\ntitle: "x\n');
    expect(readdirSync(join(content, 'b'))).toEqual(['three.yaml', 'two.yaml']);
  });

  it.each(['\ufeff', ''])('keep the byte-order mark of a file, as formatting does: %j', (mark) => {
    const workspace = createWorkspace();
    const text = propertyText();
    workspace.write('one.yaml', mark + text.replace('country: IE', 'country: "ie"'));
    const { content } = workspace;
    const now = () => readFileSync(join(content, 'one.yaml'), 'utf8');
    expect(repairContent({ content })).toMatchObject([{ repairs: [{ from: 'ie', to: 'IE' }] }]);
    expect(now()).toBe(mark + text.replace('country: IE', 'country: "IE"'));
    expect(formatContent({ content }).changed).toEqual(['one.yaml']);
    expect(now()).toBe(mark + text);
    expect(formatContent({ content, check: true }).changed).toEqual([]);
  });
});

describe('a file', () => {
  it('is replaced with its permissions, and a link stays a link', () => {
    const { root } = createWorkspace();
    const [file, link] = [join(root, 'a.yaml'), join(root, 'link.yaml')];
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    symlinkSync('a.yaml', link);
    replaceFile(link, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('stays as it was when it cannot be replaced', () => {
    const { root } = createWorkspace();
    expect(() => replaceFile(join(root, 'none.yaml'), 'new')).toThrow('ENOENT');
    expect(readdirSync(root)).toEqual(['content']);
  });
});
