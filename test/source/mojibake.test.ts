import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { restoreGarbledText } from '../../src/source/mojibake.ts';

// Some versions of Node.js decode "windows-1252" as ISO 8859-1.
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const misread = (text: string) =>
  [...Buffer.from(text)].map((byte) => WINDOWS[byte - 0x80] ?? String.fromCharCode(byte)).join('');
const misreadAsLatin1 = (text: string) => Buffer.from(text).toString('latin1');

const NAMES = [
  'München',
  'Kraków',
  'Poznań',
  'İstanbul',
  'Çeşme',
  'Timișoara',
  'Łódź',
  'São João',
  'Åre',
  'Ärlig gård',
  'KÖLN',
  'Møns Klint',
  'L’Hôtel d’été',
  'Schloß – Gästehaus',
  'Αθήνα',
  'Москва',
  'ירושלים',
  'القاهرة',
  '東京',
  '서울',
  'กรุงเทพ',
  'Café 😀',
  '20 °C',
  'Đà Nẵng',
  'CEFALÙ',
  'GESÙ E MARIA',
];

describe('a text that was read in a wrong encoding', () => {
  it.each(NAMES)('is restored: %s', (name) => {
    expect(restoreGarbledText(misread(name))?.text).toBe(name);
    expect(restoreGarbledText(misreadAsLatin1(name))?.text).toBe(name);
    expect(restoreGarbledText(misread(misread(name)))?.text).toBe(name);
  });

  it('is restored amid other letters', () => {
    expect(restoreGarbledText('Haus MÃ¼ller – Café')?.text).toBe('Haus Müller – Café');
  });

  it('is found, and not restored, when bytes are lost', () => {
    expect(restoreGarbledText('MÃ¼nchen Ã ')).toEqual({ text: undefined });
    expect(restoreGarbledText('MÃ¼n\ufffdchen')).toEqual({ text: undefined });
    expect(restoreGarbledText(misread('Москва').replace('\u0081', ''))).toEqual({ text: undefined });
  });
});

describe('a sound text', () => {
  it.each([
    ...NAMES,
    'CAFÉ™',
    '« CAFÉ»',
    'IRMÃ»',
    'AMANHÃ…',
    '“IRMÃ”',
    'die “Straß…”',
    'He said ‘café’”',
    'été»…',
    'CAFÉ\u00a0DE PARIS',
    'IRMÃ\u00a0MARIA',
    'À la carte',
    'GROSSES “Ö”',
    'Ü–30-Party',
    'Nº 5, 3ª',
    'Â',
    'Ã',
  ])('is left alone: %s', (text) => expect(restoreGarbledText(text)).toBeUndefined());

  it('is left alone, of any words', () => {
    const word = fc.stringMatching(/^[A-Z]?[a-zäöüßéèêàâîôûçñãõåæøłńśźżčřšžığşāēīășțđ]{2,8}$/u);
    const mark = fc.constantFrom(
      ' ',
      ' – ',
      '’',
      '-',
      ' “',
      '” ',
      '…',
      ', ',
      '. ',
      ' (',
      ') ',
      '™ ',
      '\u00a0',
    );
    const text = fc.array(fc.tuple(word, mark), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, (parts) => {
        expect(restoreGarbledText(parts.flat().join(''))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });
});
