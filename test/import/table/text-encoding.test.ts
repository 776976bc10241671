import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './read-rows.ts';

const TEXT = 'ref;name;price\n1;Caf\u00e9 M\u00fcller;100 \u20ac\n2;\u0152uvre d\u2019\u00c9t\u00e9;x\n';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Encodes in an encoding of one byte a character, by what decodes to it. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [
      decoder.decode(new Uint8Array([code]), { stream: true }),
      code,
    ]),
  );
  return Buffer.from([...text].map((letter) => codes.get(letter) ?? 0x3f));
}

const first = async (content: Uint8Array, settings = {}) => {
  const { columns, values, notes } = await readSource('t.csv', content, settings);
  return { columns, name: values[0]?.name, price: values[0]?.price, notes };
};
const expected = { columns: ['ref', 'name', 'price'], name: 'Caf\u00e9 M\u00fcller', price: '100 \u20ac' };

describe('an encoding', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16LE with a mark', utf16(`\ufeff${TEXT}`)],
    ['UTF-16BE with a mark', utf16(`\ufeff${TEXT}`).swap16()],
    ['UTF-16LE', utf16(TEXT)],
    ['UTF-16BE', utf16(TEXT).swap16()],
  ])('is certain: %s', async (_, content) => {
    expect(await first(content)).toEqual({ ...expected, notes: [] });
  });

  it.each(['windows-1252', 'iso-8859-15'])('is guessed, and said: %s', async (encoding) => {
    expect(await first(encoded(TEXT, encoding))).toEqual({ ...expected, notes: ['encoding-guessed'] });
  });

  it.each([
    [
      'windows-1250',
      'Dom pod Lip\u0105, \u0141\u00f3d\u017a, \u015awi\u0119ty Miko\u0142aj, Pi\u0119kna Ro\u017ca',
    ],
    ['iso-8859-2', 'Dom pod Lip\u0105, \u0141\u00f3d\u017a, \u015awi\u0119ty Miko\u0142aj, Wi\u015bnia'],
    [
      'windows-1252',
      'Vacances \u00e0 l\u2019\u0152uf, gar\u00e7on, 20 m\u00b3, \u00a1Ol\u00e9! \u00bfqu\u00e9 tal? Stra\u00dfe',
    ],
    [
      'windows-1252',
      'Ch\u00e2teau d\u2019\u00cele, 50 m\u00b2, \u00bfQu\u00e9? \u201eHaus\u201c 1\u00bd \u00a3',
    ],
    ['windows-1250', 'Chata P\u0159\u00edbram, n\u00e1m\u011bst\u00ed, D\u011b\u010d\u00edn'],
    ['windows-1252', 'R\u00f8ros, For\u00ec, luned\u00ec, \u0160koda'],
    ['iso-8859-15', 'C\u0153ur, \u0160koda 5 \u20ac'],
  ])('is guessed by its letters: %s', async (encoding, text) => {
    expect((await first(encoded(`ref;name\n1;${text}\n`, encoding))).name).toBe(text);
  });

  it('is seen far behind the start', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index};House;x\n`).join('');
    const { values, notes } = await readSource(
      't.csv',
      encoded(`ref;name;price\n${rows}n;Caf\u00e9;y\n`, 'windows-1252'),
    );
    expect(values.at(-1)).toEqual({ ref: 'n', name: 'Caf\u00e9', price: 'y' });
    expect(notes).toEqual(['encoding-guessed']);
  });

  it('is that of the mapping, unless the file has a mark', async () => {
    expect(
      await first(encoded('ref;name\n1;Ko\u0161ice\n', 'iso-8859-2'), { encoding: 'iso-8859-2' }),
    ).toMatchObject({ name: 'Ko\u0161ice', notes: [] });
    expect(await first(utf16(`\ufeff${TEXT}`), { encoding: 'windows-1252' })).toMatchObject(expected);
    expect(await refusal(readSource('t.csv', TEXT, { encoding: 'latin-17' }))).toMatch(/^unknown-encoding/);
    expect(await refusal(readSource('t.csv', encoded(TEXT, 'windows-1252'), { encoding: 'utf-8' }))).toMatch(
      /^wrong-encoding/,
    );
  });

  it('ends with Ctrl+Z of a DOS program only at the end', async () => {
    const start = 'ref;name\n1;';
    const name = `${'x'.repeat(65_536 - start.length - 1)}\x1a`;
    const { values } = await readSource('t.csv', `${start}${name}\n2;y\n\x1a`, { delimiter: ';' });
    expect(values).toEqual([
      { ref: '1', name },
      { ref: '2', name: 'y' },
    ]);
  });

  it('of JSON too', async () => {
    const json = '[{"name":"Caf\u00e9"}]';
    for (const content of [utf16(json), encoded(json, 'windows-1252'), Buffer.from(`\ufeff${json}`)])
      expect((await readSource('t.json', content)).values).toEqual([{ name: 'Caf\u00e9' }]);
  });

  it('is not two at once', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `${index};Caf\u00e9 M\u00fcller;x\n`).join('');
    const mixed = Buffer.concat([
      Buffer.from(`ref;name;price\n${rows}`),
      encoded('n;Caf\u00e9;y\n', 'windows-1252'),
    ]);
    expect(await refusal(readSource('t.csv', mixed))).toMatch(
      /^wrong-encoding: .*UTF-8, but for 1 character.*line 32/,
    );
  });
});
