/** Restores texts whose UTF-8 bytes were read in another encoding, once or several times (mojibake). */

import { memoize } from '../values/memoize.ts';

/** Windows-1252 for the bytes 0x80 to 0x9f; C1 controls where it has no character. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE_OF = new Map([...WINDOWS].map((character, index) => [character, 0x80 + index]));

/** Restores signs such as `“` and `…` that were read as C1 controls, which sound texts never contain. */
export function restoreWindows1252Characters(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => WINDOWS[control.charCodeAt(0) - 0x80]!);
}

const CONTINUATION = `[\\u0080-\\u00bf${WINDOWS}]`;
const SEQUENCE = new RegExp(
  `[\\u00c2-\\u00df]${CONTINUATION}|[\\u00e0-\\u00ef]${CONTINUATION}{2}|[\\u00f0-\\u00f4]${CONTINUATION}{3}`,
  'g',
);

/** Signs that may follow a letter in a sound text: `É»` and `café’”` are not mojibake. */
const AFTER_LETTER = /^.[’”…»›“‘–—™®©°ªº²³¹•\u00a0\u00ad]+$/u;
const IN_WORD = /^.[’”…»›“‘–—™®©°ªº²³¹•\u00a0\u00adšžœŠŽŒŸƒ]+$/u;

/** Letters in use today that have two bytes in UTF-8. */
const PLAUSIBLE =
  /[\u0080-\u017fƒƠơƯưȘ-țəˆ˜\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}]/u;

const LATIN = '\\p{Script=Latin}';
const OTHER_SCRIPTS =
  '[\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Han}\\p{Script=Thai}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Devanagari}\\p{Script=Georgian}]';
/** Signs of lost bytes: letters of two scripts in one word, or only the first byte of a letter. */
const BROKEN = new RegExp(
  `${LATIN}${OTHER_SCRIPTS}|${OTHER_SCRIPTS}${LATIN}|[ÂÃ](?![\\p{L}\\p{M}])|\\ufffd`,
  'u',
);

const MAX_ROUNDS = 3;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** `text` is undefined if bytes were lost, so that the original is uncertain. */
export type RestoredText = { readonly text: string | undefined };

/** A misread letter becomes several characters, none of them ASCII. */
const MAY_BE_GARBLED = /[^\0-\x7f]{2}/;

export function restoreGarbledText(text: string): RestoredText | undefined {
  if (!MAY_BE_GARBLED.test(text)) return undefined;
  let restored = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = restoreOnce(restored);
    if (next === restored) break;
    restored = next;
  }
  if (restored === text) restored = readInOtherEncoding(text) ?? text;
  if (restored === text) return undefined;
  return { text: BROKEN.test(restored) ? undefined : restored };
}

/**
 * Encodings in which UTF-8 may have been misread, each with a pattern and a number. A text counts as misread if it
 * matches the pattern, or if the restored text has at least that number of non-ASCII characters.
 */
const OTHER_ENCODINGS = [
  ['macintosh', /[√¬]|‚Ä/, Number.POSITIVE_INFINITY],
  ['windows-1251', /[A-Za-z][ВГ]|[ВГ].[a-z]|вЂ/, 2],
] as const;

function readInOtherEncoding(text: string): string | undefined {
  for (const [name, proof, enough] of OTHER_ENCODINGS) {
    const isProven = proof.test(text);
    if (!isProven && enough === Number.POSITIVE_INFINITY) continue;
    const known = bytesIn(name);
    const characters = [...text];
    if (!characters.every((character) => known.has(character))) continue;
    try {
      const read = decoder.decode(Uint8Array.from(characters, (character) => known.get(character)!));
      if (isProven || (read.match(/[^\0-\x7f]/gu)?.length ?? 0) >= enough) return read;
    } catch {
      // The text is sound, such as "√2 × 3".
    }
  }
  return undefined;
}

const bytesIn = memoize((name) => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  return new Map(Array.from(new TextDecoder(name).decode(all), (character, byte) => [character, byte]));
});

function restoreOnce(text: string): string {
  if (text.search(SEQUENCE) < 0) return text;
  const found = [...text.matchAll(SEQUENCE)].map(({ 0: sequence, index }) => ({
    sequence,
    start: index,
    end: index + sequence.length,
    character: decoded(sequence),
  }));
  const starts = new Set(found.map(({ start }) => start));
  const ends = new Set(found.map(({ end }) => end));
  let restored = '';
  let from = 0;
  for (const { sequence, start, end, character } of found) {
    if (character === undefined) continue;
    const isBeside = starts.has(end) || ends.has(start);
    if (!isBeside && !isCertain(sequence, character, text.slice(0, start), text.slice(end, end + 2)))
      continue;
    if (sequence.length === 2 && !PLAUSIBLE.test(character)) continue;
    restored += text.slice(from, start) + character;
    from = end;
  }
  return restored + text.slice(from);
}

function decoded(sequence: string): string | undefined {
  const bytes = [...sequence].map((character) => BYTE_OF.get(character) ?? character.charCodeAt(0));
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

function isCertain(sequence: string, character: string, above: string, below: string): boolean {
  const [lead = ''] = sequence;
  if (sequence.length === 4 || sequence.startsWith('â€')) return true;
  const isSign = (sequence.length === 3 ? IN_WORD : AFTER_LETTER).test(sequence);
  const before = /\p{L}$/u.exec(above)?.[0] ?? '';
  const after = /^\p{L}/u.exec(below)?.[0] ?? '';
  if (sequence.length === 3) return !isSign;
  if (lead === 'Â') return !isUpper(before);
  // A single letter of a script in `OTHER_SCRIPTS` is uncertain, since its words have more than one letter.
  if (new RegExp(OTHER_SCRIPTS, 'u').test(character)) return false;
  if (!isSign || isLower(before)) return true;
  if (lead === 'Ã' && before === '') return true;
  // The Ù of CEFALÙ. Other such signs may follow a word that ends in Ã, as in “IRMÓ.
  if (sequence === 'Ã™') return true;
  return after !== '' && !(isLower(character) && isUpper(before) && isUpper(after));
}

const isUpper = (letter: string) => letter !== letter.toLowerCase();
const isLower = (letter: string) => letter !== letter.toUpperCase();
