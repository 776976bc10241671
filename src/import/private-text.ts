import type { Terms } from '../contract/terms.ts';
import { isMapping } from '../values/mapping.ts';
import { rememberSome } from '../values/remember.ts';
import { caution, type ImportFinding, type RawProperty } from './candidate.ts';
import TABLE from './tables/access-codes.json' with { type: 'json' };

/** Joins the alternatives of an expression. Only a word of `lock` must stand directly before its code. */
const words = (lines: readonly string[]) => lines.join('|');
const [PASSWORD, CODE, LOCK, DOOR] = [TABLE.password, TABLE.code, TABLE.lock, TABLE.door].map(words);
const [KEY, JOINING, ASKED] = [TABLE.key, TABLE.joining, TABLE.asked].map(words);
const OPENED = words([...TABLE.door, ...TABLE.opened]);
const IS = '\\s*(?:[:=–-]|(?<!\\p{L})(?:is|ist|lautet|est|es|è|é|to|jest)(?: l[ae]| el| il)?(?!\\p{L}))\\s*';
const OF = '(?:\\s*\\([^)]*\\)|(?: \\p{L}{1,3})? (?:wi-?fi|wlan|internet)(?!\\p{L}))?';
const EDGE = '(?<![\\p{L}\\d])';
/** At least three digits, perhaps with letters or a keypad key. Not part of a phone number, time, price or size. */
const DIGITS =
  '[#*]?(?:[a-z]{0,3}\\d{3,8}[a-z]{0,2}|\\d{1,4}[a-gi-wyz]\\d{1,4}|(?:\\d[ -]){2,7}\\d)(?![\\p{L}\\d])(?![ /-]?\\d{3}|[.:]\\d|\\s?(?:[€£$]|(?:k?m|min|eur|euro|qm|sqm|m²|ft)(?!\\p{L})))';
const BEFORE =
  '(?:\\s*(?:wi-?fi|wlan|code|kod|nr\\.?|n[°º]|no\\.?|is|ist|lautet|est|es|è|é|to|num\\p{L}+|:|=|-|–|\\(|"|\'|„|“|«))*\\s*';
const HARMLESS = new RegExp(
  `${EDGE}(?:(?:${words(TABLE.harmless_before)})[- ]?(?:codes?|kod\\p{L}*)|` +
    `(?:code|c[oó]digo|codice|kod)s? (?:${words(TABLE.harmless_behind)})|(?:wi-?fi|wlan)[- ]?6e?)[\\s:=]*\\S*`,
  'gu',
);

/** A quick test for the words that a slow pattern needs: the pattern is tried only if one of them occurs. */
const quickTest = (name: keyof typeof TABLE.stems) => new RegExp(words(TABLE.stems[name]));
const NETWORK = '(?:wi-?fi|wlan|wireless|ssid|network|netzwerk|réseau|red|rete|netwerk|rede|sieć)\\s*[:=]';

const SLOW_PATTERNS: readonly (readonly [quick: RegExp, slow: string])[] = [
  [quickTest('password'), `${EDGE}(?:pwd?|psw|mdp)${OF} \\p{L}{4,}(?![\\p{L} ])`],
  [
    quickTest('password'),
    `${EDGE}(?:${PASSWORD})${OF}\\s*(?:[:=]|${EDGE}(?:is|ist|lautet|est|es|è|é|to)\\s)\\s*(?!${ASKED})["'„“«]?\\S{4,}`,
  ],
  [quickTest('password'), `${EDGE}(?:${PASSWORD})${OF}\\s+(?=\\S*\\d)\\S{4,}`],
  [quickTest('code'), `${EDGE}(?:${CODE})(?!\\p{L})[^\\d.;!?+€$£\\n]{0,40}(?<![\\p{L}\\d])${DIGITS}`],
  [quickTest('lock'), `${EDGE}(?:${LOCK})${BEFORE}${DIGITS}`],
  [/clave/, `${EDGE}clave${OF}(?:${IS}|\\s+)(?=\\S*\\d)\\S{4,}`],
  [
    quickTest('key'),
    `${EDGE}(?:${KEY}|${PASSWORD})(?!\\p{L})(?:[ ’'](?:${JOINING}|${OPENED})(?!\\p{L}))*(?:${IS}|(?<=${EDGE}(?:${OPENED}))\\s+)${DIGITS}`,
  ],
  [quickTest('door'), `${EDGE}(?:${DOOR})\\s*[:=]\\s*${DIGITS}`],
  [
    /\d[a-z]{0,2}\s*(?:=|is\b|ist\b|est\b|es\b|è|é|to\b|for\b|für)/,
    `(?<![\\p{L}\\d.,/-])${DIGITS}\\s*(?:=|is\\b|ist\\b|est\\b|es\\b|è\\s|é\\s|to\\b|for\\b|für\\b)[^\\d.;!?\\n]{0,30}${EDGE}(?:${CODE}|${LOCK}|${DOOR})`,
  ],
  [/\d#/, '(?<![\\p{L}\\d#*/&.,-])\\d{3,8}#(?![\\p{L}\\d*])'],
  [
    new RegExp(NETWORK),
    `${EDGE}(?:wi-?fi|wlan)\\s*[:=]\\s*(?=\\S*\\d)(?=\\S*\\p{L})(?!802|\\S*(?:[mg]b|mhz|ghz))[^\\s/:]{8,}`,
  ],
  // Network name, then its key of at least eight characters.
  [new RegExp(NETWORK), `${EDGE}${NETWORK}\\s*[^\\n]*[/|,;]\\s*(?=\\S*\\d)(?!\\S*[mg]b)[^\\s/:]{8,}`],
];
const SHOWS = SLOW_PATTERNS.map(([quick, slow]) => [quick, new RegExp(slow, 'u')] as const);

/** Matches every text that contains a code. */
const HINT = /\d\d|\d[ -]\d|\d[a-z]\d|[:=]|pass|pw|kenn|parol|senha|has[łl]|clave|wacht|contra|mdp/i;

export function holdsAccessCode(text: string): boolean {
  return text.length >= 6 && HINT.test(text) && !/^https?:\S+$/i.test(text) && showsCode(text);
}

const showsCode = rememberSome((text) => {
  const lower = text.normalize('NFKC').toLowerCase();
  const plain = /c[oó]d|kod|wi-?fi|wlan|vorwahl/.test(lower) ? lower.replace(HARMLESS, ' ') : lower;
  return SHOWS.some(([quick, slow]) => quick.test(plain) && slow.test(plain));
});

/** Fields whose numbers look like codes. They are not searched. */
const OTHERS: ReadonlySet<string> = new Set(
  'id zip_code phone email country currency reference registration_number url file thumbnail'.split(' '),
);

/**
 * Drops photo descriptions and policies that contain an access code. Drops the property if a required field contains
 * one.
 */
export function withoutAccessCodes(raw: RawProperty, { fields }: Terms) {
  const findings: ImportFinding[] = [];
  const isKept = (value: unknown, name: string, field: string): boolean => {
    if (typeof value !== 'string' || OTHERS.has(name) || !holdsAccessCode(value)) return true;
    const isNeeded = fields.all.get(field)?.required === true;
    findings.push({ ...FOUND, field, ...(isNeeded && { severity: 'error' }) });
    return false;
  };
  const kept = Object.entries(raw).flatMap(([name, value]): [string, unknown][] => {
    if (!Array.isArray(value)) return isKept(value, name, name) ? [[name, value]] : [];
    const entries = value.flatMap((entry: unknown) => {
      if (!isMapping(entry)) return isKept(entry, name, name) ? [entry] : [];
      const type = typeof entry.policy_type === 'string' ? entry.policy_type : undefined;
      const label = type === undefined ? name : `policy ${type}`;
      const inner = Object.entries(entry).filter(([key, text]) => isKept(text, key, label));
      const isPolicy = inner.length < Object.keys(entry).length && type !== undefined;
      return isPolicy ? [] : [Object.fromEntries(inner)];
    });
    return [[name, entries]];
  });
  if (findings.length === 0) return { raw, findings };
  const isRefused = findings.some(({ severity }) => severity === 'error');
  return { raw: isRefused ? undefined : Object.fromEntries(kept), findings };
}

const FOUND = caution(
  'private-text',
  'The text looks like it holds an access code. It is left out, since everybody can read a catalogue.',
  'Remove the code from the table, or the column from the mapping. If guests may read it before they book, import with --keep-private.',
);
