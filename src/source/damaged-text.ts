import { isDoubtfulPlaceholder, isPlaceholder, mayBePlaceholder } from '../contract/placeholder.ts';
import { LONG_TEXT, MAX_TEXT, toNfc } from '../contract/unicode.ts';
import { CONTROL_CHARACTER } from '../text/control-characters.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import { hasHtml, plainTextOf } from './html-text.ts';
import { restoreGarbledText, restoreWindows1252Characters } from './mojibake.ts';
import type { TextKind } from './text-kind.ts';

export type DamageCode = Extract<
  DiagnosticCode,
  'doubtful-placeholder' | 'garbled-text' | 'lost-character' | 'html-text' | 'odd-character'
>;

const WIDE_SCRIPTS = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]';
/** Scripts whose letters never join, so that the joiners U+200C and U+200D beside them are a mistake. */
const UNJOINED = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Hebrew}\\p{N}\\s]';
const ODD_SPACE = new RegExp(
  `[\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f]|(?<!${WIDE_SCRIPTS})\\u3000(?!${WIDE_SCRIPTS})`,
  'gu',
);
const INVISIBLE = new RegExp(
  `[\\u00ad\\u034f\\u115f\\u1160\\u180e\\u200b\\u2060-\\u2064\\u3164\\uffa0]|(?<=^|${UNJOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?=$|${UNJOINED})`,
  'gu',
);

/**
 * Matches every damaged text, except placeholders. Also matches a few sound texts. One expression is fastest, since
 * nearly all texts are sound.
 */
const SUSPECT =
  /[\u0080-\u009f]|<[/!A-Za-z]|&[#A-Za-z]|[\u00c2-\u00f4][\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™]|[√¬][^\sA-Za-z0-9]|‚Ä|вЂ|[ВГРС][\u0080-\u00bfЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—™љ›њќћџЎўЈҐЁЄЇІіґёєјЅѕї№]|\u034f|[\u00a0\u00ad\u115f\u1160\u1680\u180e\u2000-\u200d\u202f\u205f-\u2064\u3000\u3164\uffa0\ufffd]/;

/** A quick test that most texts pass. A text that fails is not necessarily damaged. */
export function isSurelyUndamaged(text: string): boolean {
  return text.length <= LONG_TEXT && !mayBePlaceholder(text) && !SUSPECT.test(text);
}

export function findTextDamage(text: string, kind: TextKind): readonly DamageCode[] {
  if (isPlaceholder(text) || isDoubtfulPlaceholder(text)) return ['doubtful-placeholder'];
  if (!SUSPECT.test(text) || text.length > MAX_TEXT) return NONE;
  const found: DamageCode[] = [];
  if (restoreGarbledText(text)) found.push('garbled-text');
  if (text.includes('\ufffd')) found.push('lost-character');
  if (hasHtml(text)) found.push('html-text');
  if (kind === 'name' && (text.search(ODD_SPACE) >= 0 || text.search(INVISIBLE) >= 0))
    found.push('odd-character');
  return found;
}

/** True if tags, entities and invisible characters are all that a text has. Links and pictures count as visible. */
export function isInvisibleText(text: string): boolean {
  if (!/^[<&\u0080-\uffff]/.test(text) || !SUSPECT.test(text) || text.length > LONG_TEXT) return false;
  const shown = /\b(?:src|href)\s*=/i.test(text) ? text : plainTextOf(text);
  return /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(shown);
}

const NONE: readonly DamageCode[] = [];

/**
 * Control characters, which are removed only together with HTML. Testing for them first saves a tenth of the time for
 * random bytes.
 */
const REPAIRED_ONLY_IN_HTML = /[\u0001-\u0008\u000e-\u001b]/;

/** Undefined if there is nothing to repair, or if some damage would remain. */
export function repairedText(text: string, kind: TextKind): string | undefined {
  if (!SUSPECT.test(text) || text.length > MAX_TEXT) return undefined;
  if (REPAIRED_ONLY_IN_HTML.test(text) && !text.includes('<')) return undefined;
  let repaired = restoreWindows1252Characters(restoreGarbledText(text)?.text ?? text);
  if (hasHtml(repaired))
    repaired = kind === 'lines' ? plainTextOf(repaired, true) : onOneLine(plainTextOf(repaired), kind);
  if (kind === 'name') repaired = withPlainSpaces(repaired);
  repaired = toNfc(repaired.trim());
  if (repaired === text || repaired === '' || findTextDamage(repaired, kind).length > 0) return undefined;
  const [first = repaired] = kind === 'lines' ? [repaired.replaceAll('\n', ' ')] : [];
  return CONTROL_CHARACTER.test(first) ? undefined : repaired;
}

function onOneLine(text: string, kind: TextKind): string {
  const comma = kind === 'name' ? ' ' : ', ';
  return text.replace(/([,;:.!?–-]?)\s*\n\s*/g, (_end, mark: string) => mark + (mark === '' ? comma : ' '));
}

function withPlainSpaces(text: string): string {
  const spaced = text.replace(INVISIBLE, '').replace(ODD_SPACE, '\u00a0');
  return spaced.replace(/ *\u00a0[ \u00a0]*/g, ' ');
}
