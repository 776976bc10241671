import { COUNTRIES } from '../../contract/country-and-currency-tables.ts';
import type { Terms } from '../../contract/terms.ts';
import { countText } from '../../text/amounts.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { memoizeBounded } from '../../values/memoize.ts';
import { type ImportFinding, warningFinding } from '../finding.ts';
import { holdsOwner, holdsPersonWithPhone, isPersonWithPhone, PERSON_REASON } from './person-text.ts';
import { STEMS, WORDS } from './private-words.ts';

const IS = '\\s*(?:[:=–-]|(?<!\\p{L})(?:is|ist|lautet|est|es|è|é|to|jest)(?: l[ae]| el| il)?(?!\\p{L}))\\s*';
const OF = '(?:\\s*\\([^)]{0,80}\\)|(?: \\p{L}{1,3})? (?:wi-?fi|wlan|internet)(?!\\p{L}))?';
const EDGE = '(?<![\\p{L}\\d])';
/** Matches a code such as 9921, A123 or #4711, but no part of a phone number, time, price or size. */
const DIGITS =
  '[#*]?(?:[a-z]{0,3}\\d{3,8}[a-z]{0,2}|\\d{1,4}[a-gi-wyz]\\d{1,4}|(?:\\d[ -]){2,7}\\d)(?![\\p{L}\\d])(?![ /-]?\\d{3}|[.:]\\d|\\s?(?:[€£$]|(?:k?m|min|eur|euro|qm|sqm|m²|ft)(?!\\p{L})))';
const BEFORE =
  '(?:\\s*(?:wi-?fi|wlan|code|kod|nr\\.?|n[°º]|no\\.?|is|ist|lautet|est|es|è|é|to|num\\p{L}+(?!\\p{L})|:|=|-|–|\\(|"|\'|„|“|«))*\\s*';
const HARMLESS = new RegExp(
  `${EDGE}(?:(?:${WORDS.harmless_before})[- ]?(?:codes?|kod\\p{L}*)|` +
    `(?:code|c[oó]digo|codice|kod)s? (?:${WORDS.harmless_behind})|(?:wi-?fi|wlan)[- ]?6e?)[\\s:=]*\\S*`,
  'gu',
);

const NETWORK = '(?:wi-?fi|wlan|wireless|ssid|network|netzwerk|réseau|red|rete|netwerk|rede|sieć)\\s*[:=]';

const SLOW_PATTERNS: readonly (readonly [quick: string, ...slow: string[]])[] = [
  [
    STEMS.password,
    `${EDGE}(?:pwd?|psw|mdp)${OF} \\p{L}{4,}(?![\\p{L} ])`,
    `${EDGE}(?:${WORDS.password})${OF}\\s*(?:[:=]|${EDGE}(?:is|ist|lautet|est|es|è|é|to)\\s)\\s*(?!${WORDS.asked})["'„“«]?\\S{4,}`,
    `${EDGE}(?:${WORDS.password})${OF}\\s+(?=\\S{0,40}\\d)\\S{4,}`,
  ],
  [STEMS.code, `${EDGE}(?:${WORDS.code})(?!\\p{L})[^\\d.;!?+€$£\\n]{0,40}(?<![\\p{L}\\d])${DIGITS}`],
  [STEMS.lock, `${EDGE}(?:${WORDS.lock})${BEFORE}${DIGITS}`],
  ['clave', `${EDGE}clave${OF}(?:${IS}|\\s+)(?=\\S{0,40}\\d)\\S{4,}`],
  [
    STEMS.key,
    `${EDGE}(?:${WORDS.key}|${WORDS.password})(?!\\p{L})(?:[ ’'](?=(?:${WORDS.joining}|${WORDS.opened})(?!\\p{L}))\\p{L}+)*(?:${IS}|(?<=${EDGE}(?:${WORDS.opened}))\\s+)${DIGITS}`,
  ],
  [
    STEMS.door,
    `${EDGE}(?:${WORDS.door})\\s*[:=]\\s*${DIGITS}`,
    `${EDGE}(?:${WORDS.door}|${WORDS.lock})(?!\\p{L})[^\\d.;!?\\n]{0,30}${EDGE}(?:${WORDS.opens})(?!\\p{L})[^\\d.;!?\\n]{0,20}${EDGE}(?:${WORDS.by}) ${DIGITS}(?! \\p{L}{3})`,
  ],
  [
    '\\d[a-z]{0,2}\\s*(?:=|is\\b|ist\\b|est\\b|es\\b|è|é|to\\b|for\\b|für)',
    `(?<![\\p{L}\\d.,/-])${DIGITS}\\s*(?:=|is\\b|ist\\b|est\\b|es\\b|è\\s|é\\s|to\\b|for\\b|für\\b)[^\\d.;!?\\n]{0,30}${EDGE}(?:${WORDS.code}|${WORDS.lock}|${WORDS.door})`,
  ],
  // Matches "Alarm is switched off with 9921" and "Enter 9921 to disarm the alarm". A year does not count as a code.
  [
    'al+arm',
    `(?<![^.;!?\\n])(?=[^.;!?\\n]*${EDGE}\\p{L}{0,12}al+arm)(?=[^.;!?\\n]*${EDGE}(?:${WORDS.switch})(?!\\p{L}))[^.;!?\\n]*${EDGE}(?!(?:19|20)\\d\\d(?!\\d))${DIGITS}`,
  ],
  ['\\d#', '(?<![\\p{L}\\d#*/&.,-])\\d{3,8}#(?![\\p{L}\\d*])'],
  // Matches "Wi-Fi: abc12345", and the name of a network with its key, such as "Network: Guest / abc12345".
  [
    NETWORK,
    `${EDGE}(?:wi-?fi|wlan)\\s*[:=]\\s*(?=\\S{0,40}\\d)(?=\\S{0,40}\\p{L})(?!802|\\S{0,40}(?:[mg]b|mhz|ghz))[^\\s/:]{8,}`,
    `${EDGE}${NETWORK}\\s*[^\\n]{0,120}[/|,;]\\s*(?=\\S{0,40}\\d)(?!\\S{0,40}[mg]b)[^\\s/:]{8,}`,
  ],
];
const CODE_PATTERNS = SLOW_PATTERNS.flatMap(([quick, ...slow]) =>
  slow.map((one) => ({
    quick: new RegExp(quick),
    slow: new RegExp(one, 'u'),
    isOfDigits: one.includes(DIGITS),
  })),
);
/** Most texts contain no code of digits. On these, only the patterns that need no digits run. */
const HAS_DIGITS = new RegExp(DIGITS, 'u');
const WITHOUT_DIGITS = CODE_PATTERNS.filter(({ isOfDigits }) => !isOfDigits);

/** A text that does not match this contains no code, so the slow patterns need not run. */
const HINT = /\d\d|\d[ -]\d|\d[a-z]\d|[:=]|pass|pw|kenn|parol|senha|has[łl]|clave|wacht|contra|mdp/i;

export function holdsAccessCode(text: string): boolean {
  return text.length >= 6 && HINT.test(text) && !/^https?:\S+$/i.test(text) && showsCode(text);
}

export const privateInformationIn = memoizeBounded((text): string | undefined => {
  if (holdsAccessCode(text)) return 'an access code';
  if (text.length > 14 && /[a-z]{2}\d{2}/i.test(text) && holdsIban(text)) return 'a bank account';
  if (MAY_HOLD_CARD.test(text) && holdsCard(text)) return 'the number of a card';
  if (text.length > 14 && MAY_SPELL_CODE.test(text) && SPELLED_CODE.test(text)) return 'an access code';
  if (text.length > 14 && MAY_HOLD_KEY.test(text) && PLACES_OF_KEY.some((place) => place.test(text)))
    return 'the place of a key';
  if (MAY_HOLD_CALENDAR.test(text) && text.split(/\s+/).some((word) => CALENDAR.test(word)))
    return 'the link of a calendar';
  if (holdsOwner(text)) return 'the name or the number of an owner';
  return isPersonWithPhone(text) || holdsPersonWithPhone(text) ? PERSON_REASON : undefined;
});

/** Match a key and its place even with words between them: "the key is under the blue flower pot". */
const PLACES_OF_KEY = [
  `(?:${WORDS.place_of_key})(?!\\p{L})[^.,;!?\\n]{0,40}?${EDGE}(?:${WORDS.under})(?: \\p{L}+)?[ ’'](?:\\p{L}+ )?(?:${WORDS.hiding_place})(?!\\p{L})`,
  `(?:${WORDS.key_hangs})(?!\\p{L})[^.,;!?\\n]{0,40}?${EDGE}(?:${WORDS.shed})(?!\\p{L})`,
  `(?:${WORDS.key_keeper})`,
].map((place) => new RegExp(EDGE + place, 'iu'));
const MAY_SPELL_CODE = new RegExp(`${STEMS.code}|${STEMS.lock}`, 'i');
/** Matches a code of at least four spelled digits, but not "one, two, three, four rooms", where a word follows. */
const SPELLED_CODE = new RegExp(
  `${EDGE}(?:${WORDS.code}|${WORDS.lock})(?!\\p{L})[^\\d.;!?\\n]{0,40}?${EDGE}(?:(?:${WORDS.digit})(?:[ -](?:${WORDS.digit})){3,7}(?!\\p{L})|(?:${WORDS.digit})(?:, ?(?:${WORDS.digit})){3,7}(?! ?\\p{L}))`,
  'iu',
);
const MAY_HOLD_CALENDAR = /\.ics|\/ical\/|webcal:/i;
const CALENDAR = /^\W*(?:webcal:|(?:https?:|[\w-]+\.[\w.-]+(?=\/))\S*(?:\.ics\b|\/ical\/))/i;
const MAY_HOLD_KEY = /key|schl|cl[eé]|llave|chiav|sleutel|chave|klucz/i;

/** Visa, Mastercard and American Express numbers, in one piece or grouped as on the card. */
const CARD =
  /(?<![\p{L}\d./+_=-])(?:(?:4\d|5[1-5]|2[2-7])\d{2}([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -]?)\d{6}\2\d{5})(?![\d\p{L}]|[./-]\d)/gu;
const MAY_HOLD_CARD = /\d[\d -]{13}\d/;

function holdsCard(text: string): boolean {
  return (text.match(CARD) ?? []).some((found) => {
    // The check digit of ISO/IEC 7812 (Luhn).
    const digits = [...found.replace(/\D/g, '')].reverse().map(Number);
    const sum = digits.reduce((all, digit, place) => {
      const twice = place % 2 === 0 ? digit : 2 * digit;
      return all + (twice > 9 ? twice - 9 : twice);
    }, 0);
    return sum % 10 === 0;
  });
}

const IBAN = /(?<![\p{L}\d])[a-z]{2}\d{2}(?: ?[a-z\d]){11,30}(?![\p{L}\d])/giu;

/** Matches a text that ends with the name of an account. An account number after it may be mistyped. */
const ACCOUNT =
  /(?<!\p{L})(?:iban|rib|konto\p{L}*|numer rachunku|(?:bank ?)?account|compte|cuenta|conto|conta|rekening\p{L}*)(?!\p{L})[^\d.;!?\n]{0,30}$/iu;

/** `IBAN` also matches words after the account number, so each leading part of the match is tried. */
function holdsIban(text: string): boolean {
  return [...text.matchAll(IBAN)].some(({ 0: found, index }) => {
    const groups = found.split(' ');
    if (groups.some((_, end) => isIban(groups.slice(0, end + 1).join('')))) return true;
    const isLike = Object.hasOwn(COUNTRIES, found.slice(0, 2).toUpperCase()) && /(?:\d\D*){10}/.test(found);
    return isLike && ACCOUNT.test(text.slice(Math.max(0, index - 60), index));
  });
}

/** Lengths of IBANs by country (ISO 13616). Without them, one of 97 licence numbers would pass as an IBAN. */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 ' +
    'FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 ' +
    'LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 ' +
    'SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

export function isIban(text: string): boolean {
  const plain = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain) || IBAN_LENGTHS.get(plain.slice(0, 2)) !== plain.length)
    return false;
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

function showsCode(text: string): boolean {
  const lower = text.normalize('NFKC').toLowerCase();
  const named = /c[oó]d|kod|wi-?fi|wlan|vorwahl/.test(lower) ? lower.replace(HARMLESS, ' ') : lower;
  const plain = named.replace(NUMBERED, ' ').replace(NAME_BEGINS, ' ');
  const patterns = HAS_DIGITS.test(plain) ? CODE_PATTERNS : WITHOUT_DIGITS;
  return patterns.some(({ quick, slow }) => quick.test(plain) && slow.test(plain));
}

/** Match "nr. 4" and the "St." of a town. Their points do not end the sentence, so it may have a code behind them. */
const NUMBERED = /(?<!\p{L})(?:nr|no|n|num)\.? ?\d{1,2}(?= \p{L})/gu;
const NAME_BEGINS = new RegExp(`(?<!\\p{L})(?:${WORDS.before_names})\\. (?=\\p{L})`, 'gu');

/** Fields that are not searched for private texts, since their normal values look like codes. */
const UNSEARCHED =
  'id zip_code phone email country currency latitude longitude reference registration_number url file thumbnail';
const UNSEARCHED_FIELDS: ReadonlySet<string> = new Set(UNSEARCHED.split(' '));

/**
 * Removes private sentences, or the whole value if nothing else is left. Returns `raw` as undefined if a required field
 * holds something private.
 */
export function withoutPrivateTexts(raw: Mapping, { fields }: Terms) {
  const findings: ImportFinding[] = [];
  if (!holdsPrivate(raw, '')) return { raw, findings };
  const kept = (value: unknown, name: string, field: string): unknown => {
    if (typeof value !== 'string' || !holdsPrivate(value, name)) return value;
    const isNeeded = fields.all.get(field)?.required === true;
    const { rest, removed } = isNeeded ? NOTHING_LEFT : withoutPrivateSentences(value);
    const message = `The text looks like it holds ${privateInformationIn(value)}.`;
    const lossSentence = leftOut(
      isNeeded ? 'The property is left out' : rest === undefined ? 'It is left out' : sentencesText(removed),
    );
    const finding = warningFinding('private-text', message, REMOVE, field);
    if (isNeeded) findings.push({ ...finding, severity: 'error', message: `${message} ${lossSentence}` });
    else if (field === name && rest === undefined) findings.push({ ...finding, lossSentence });
    else findings.push({ ...finding, message: `${message} ${lossSentence}` });
    return rest;
  };
  const values = Object.entries(raw).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value)) return [name, kept(value, name, name)];
    const entries = value.map((entry: unknown) => {
      if (!isMapping(entry)) return kept(entry, name, name);
      const type = typeof entry.policy_type === 'string' ? entry.policy_type : undefined;
      const label = type === undefined ? name : `policy ${type}`;
      const inner = Object.entries(entry).map(([key, text]) => [key, kept(text, key, label)] as const);
      const isPolicy = type !== undefined && inner.some(([, text]) => text === undefined);
      return isPolicy ? undefined : Object.fromEntries(inner.filter(([, text]) => text !== undefined));
    });
    return [name, entries.filter((entry) => entry !== undefined)];
  });
  const isRefused = findings.some(({ severity }) => severity === 'error');
  const left = values.filter(([, value]) => value !== undefined);
  return { raw: isRefused ? undefined : Object.fromEntries(left), findings };
}

const NOTHING_LEFT = { rest: undefined, removed: [] } as const;

/** `rest`: undefined if nothing is left, or if the rest is still private. `removed`: the private sentences. */
function withoutPrivateSentences(text: string): {
  readonly rest: string | undefined;
  readonly removed: readonly string[];
} {
  const parts = sentencesIn(text);
  // Any other sentence with a number or a word like a password may hold the rest of the secret.
  const isDoubtful = (part: string) =>
    privateInformationIn(part) !== undefined ||
    part
      .replace(QUANTITY, ' ')
      .split(/\s+/)
      .some((word) => /\d{3}|^(?=.{0,40}\d)(?=.{0,40}\p{L}).{6}/u.test(word));
  const isRemoved = (part: string, place: number) => place % 2 === 0 && isDoubtful(part);
  const rest = parts.map((part, place) => (isRemoved(part, place) ? '' : part)).join('');
  const words = rest.replace(/<[^<>]*>/g, ' ');
  const isClean = [rest, words].every((one) => privateInformationIn(one) === undefined);
  return isClean && /\p{L}{2}/u.test(words)
    ? { rest: rest.trim(), removed: parts.filter(isRemoved) }
    : NOTHING_LEFT;
}

/** Matches distances, sizes and prices. A code is none of these. */
const QUANTITY = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:€|£|eur) ?\\d{1,3}(?:[.,]?\\d{3})?(?:,-|[.,]\\d\\d)?(?!\\d)|` +
    `\\d{1,3}(?:[.,]?\\d{3})?(?:[.,]\\d{1,2})?(?:\\s|&nbsp;){0,3}(?:€|£|[kc]?m[²2]?|${WORDS.units})(?![\\p{L}\\d]))`,
  'giu',
);

/** Returns sentences at even places, and what is between them at odd ones. */
function sentencesIn(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(/(<[^<>]*>|\n+|(?<=[.!?;])\s+)/)) {
    const [before = '', between = ''] = parts.slice(-2);
    const isMiddle = parts.length % 2 === 0 && /^[^<\n]+$/.test(between) && isAbbreviation(before, part);
    if (isMiddle) parts.splice(-2, 2, before + between + part);
    else parts.push(part);
  }
  return parts;
}

/** Whether the sentence goes on behind "nr." or "St."; behind "300 m." only if the next word has no capital. */
function isAbbreviation(before: string, after: string): boolean {
  const end = before.slice(-MAX_ABBREVIATION);
  return ABBREVIATED.test(end) || (/^[\p{Ll}\d]/u.test(after) && MAY_BE_ABBREVIATED.test(end));
}

/** In UTF-16 units. */
const MAX_ABBREVIATION = 16;
const ABBREVIATED = new RegExp(`(?<!\\p{L})(?:${WORDS.before_names})\\.$`, 'iu');
const MAY_BE_ABBREVIATED = new RegExp(
  `(?<!\\p{L})(?:[kc]?m|${WORDS.units}|${WORDS.abbreviations})\\.$`,
  'iu',
);

/** Names sentences by their first words, without the code. */
function sentencesText(removed: readonly string[]): string {
  const starts = removed.slice(0, MAX_NAMED).map((one) => `"${startOf(one)} …"`.replace('" …', '"…'));
  const shown = [...starts, ...(removed.length > MAX_NAMED ? ['...'] : [])].join(', ');
  return removed.length === 1
    ? `That sentence is left out (${shown})`
    : `${countText(removed.length, 'sentence')} are left out (${shown})`;
}

const MAX_NAMED = 3;
const MAX_WORDS = 3;

function startOf(sentence: string): string {
  const words = sentence.trim().split(/\s+/).slice(0, MAX_WORDS);
  const secret = words.findIndex((word) => /\d/.test(word));
  const known = words.slice(0, secret < 0 ? MAX_WORDS : secret);
  const colon = known.findIndex((word) => /[:=]/.test(word));
  const plain = colon < 0 ? known : [...known.slice(0, colon), known[colon]!.replace(/[:=].*/, ':')];
  while (plain.length > 0 && privateInformationIn(plain.join(' ')) !== undefined) plain.pop();
  return plain.join(' ');
}

export function holdsPrivate(value: unknown, name: string): boolean {
  if (typeof value === 'string')
    return !UNSEARCHED_FIELDS.has(name) && privateInformationIn(value) !== undefined;
  if (Array.isArray(value)) return value.some((entry) => holdsPrivate(entry, name));
  return isMapping(value) && Object.keys(value).some((key) => holdsPrivate(value[key], key));
}

const leftOut = (what: string) => `${what}, since everybody can read a catalogue.`;
const REMOVE =
  'Remove it from the table, or the column from the mapping. If guests may read it before they book, import with --keep-private.';
