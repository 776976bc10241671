import type { Terms } from '../contract/terms.ts';
import { isMapping } from '../values/mapping.ts';
import { rememberSome } from '../values/remember.ts';
import { caution, type ImportFinding, type RawProperty } from './candidate.ts';

/** Words for a password; what follows is one, unless it says where to ask. */
const PASSWORD =
  'password|passwd|pass(?:code|phrase)|(?:wi-?fi|wlan)[- ]pass|pwd?|psw|wpa\\d?|pass?wort|kennwort|mot de passe|mdp|contrase(?:ñ|n)a|parola(?: d.ordine)?|' +
  'wachtwoord|senha|palavra[- ]passe|has(?:ł|l)(?:o|em)|\\p{L}*(?:network|security|wi-?fi|wlan|netzwerk|wpa)[- ]?(?:key|schlüssel|sleutel)|' +
  '(?:clé|cle|clave|chiave|chave|klucz)(?: du| del?| da| do)? (?:wi-?fi|wlan|wpa|réseau)';
/** Words for a code, behind which a place may be named: "code of the gate is 4711". */
const CODE =
  '\\p{L}*codes?|\\p{L}*kodes?|\\p{L}*codice|\\p{L}*codici|\\p{L}*c[oó]digos?|kodu|kody|kod|digi-?code|ziffern';
/** Things that a code opens, directly in front of it. */
const LOCK =
  'pin|combination|kombination|key ?-?(?:safe|box|pad|lock)|lock ?-?box|schlüssel-?(?:box|tresor|safe|kasten)|bo[iî]te [àa] cl(?:é|e|ef)s?|(?:caja|caixa|cofre) d[ae]s? (?:llaves|chaves)|' +
  'cassett[ae] (?:delle )?chiavi|portachiavi|sleutel(?:kluis(?:je)?|kastje|box)|skrytka (?:na klucze)?|alarm[ae]?|allarme|' +
  '(?:zahlen-?)?[ck]ombina\\p{L}+(?: lock)?|combo|szyfr|geheimzahl|teclado|padlock|candado|cadenas|lucchetto|cadeado|kłódka|zahlenschloss|(?:cijfer|hang)slot';
const DOOR =
  '\\p{L}*(?:door|gate|tür|tor|porte|portail|portillon|puerta|port[óo]n|porta|cancello|deur|poort|port[ãa]o|drzwi|bram[ay]|safe|tresor)';

/** Words that also mean a thing, a style or a success: a number behind them is a code where the words say that it is. */
const KEY =
  'clave|cle[fs]?|clé|chiave|chave|klucz\\p{L}*|key|schlüssel|sleutel|senha|pin(?:[- ]?code)?|[ck]ombina\\p{L}+|szyfr';
const OPENED = `${DOOR}|portal|acc?es+o?|acesso|accès|entr(?:y|ada|ance|ata|[ée]e)|ingresso|toegang|zugang|lock|candado|cadenas|coffre|cofre|caja|caixa|lucchetto|serratura|cerradura|serrure|fechadura|sejfu?|schloss|slot`;
const JOINING =
  'of|for|to|the|your|del?|la|el|las?|l[eo]s?|du|des|del?l[aoe]?|di|il|d[aoe]s?|ao?|o|der|die|das|dem|für|zu[rm]|van|voor|het|na|od|[dl]';
const IS = '\\s*(?:[:=–-]|(?<!\\p{L})(?:is|ist|lautet|est|es|è|é|to|jest)(?: l[ae]| el| il)?(?!\\p{L}))\\s*';

const OF = '(?:\\s*\\([^)]*\\)|(?: \\p{L}{1,3})? (?:wi-?fi|wlan|internet)(?!\\p{L}))?';
const EDGE = '(?<![\\p{L}\\d])';
/** A number of three digits or more, perhaps with letters or a key of the pad; not the start of a phone number or a time. */
const DIGITS =
  '[#*]?(?:[a-z]{0,3}\\d{3,8}[a-z]{0,2}|\\d{1,4}[a-gi-wyz]\\d{1,4}|(?:\\d[ -]){2,7}\\d)(?![\\p{L}\\d])(?![ /-]?\\d{3}|[.:]\\d|\\s?(?:[€£$]|(?:k?m|min|eur|euro|qm|sqm|m²|ft)(?!\\p{L})))';
const BEFORE =
  '(?:\\s*(?:wi-?fi|wlan|code|kod|nr\\.?|n[°º]|no\\.?|is|ist|lautet|est|es|è|é|to|num\\p{L}+|:|=|-|–|\\(|"|\'|„|“|«))*\\s*';
const ASKED =
  '(?:up)?on\\b|auf\\b|sur\\b|bajo\\b|su\\b|op\\b|na\\b|sob\\b|a pedido|wil?l\\b|wird|see\\b|siehe|ask|bei\\b|at\\b|vor\\b|in\\b|is\\b|not?\\b|nein|kein|none|' +
  'sans|sin\\b|senza|geen|sem\\b|brak|provided|given|sent|available|required|protected|free|via\\b|by\\b|per\\b|en\\b|dans|zie\\b|ver\\b|voir|vedi';

const HARMLESS = new RegExp(
  `${EDGE}(?:(?:post|zip|country|area|dial\\p{L}*|promo\\p{L}*|discount|voucher|coupon|gutschein|rabatt|aktions|buchungs|booking|reg\\.?|reservation|dress|qr|länder|bar|` +
    `registration|licen[cs]e|tax|building|kleider|strich|post(?:al)?|vorwahl)[- ]?(?:codes?|kod\\p{L}*)|` +
    `(?:code|c[oó]digo|codice|kod)s? (?:postaux|postal\\p{L}*|pocztow\\p{L}*|promo\\p{L}*|fiscale|insee|iso|cin|cir|identificativo|sconto|qr|de registro|regionale|rabatow\\p{L}*|kraju|de país|du pays)|` +
    `(?:wi-?fi|wlan)[- ]?6e?)[\\s:=]*\\S*`,
  'gu',
);

/** Quick tests: a form can match only texts that contain one of its stems. */
const STEMS = {
  password:
    /pass|pw|psw|wpa|kennw|mdp|contrase|clave|parola|wachtw|senha|has[łl]o|key|schl|sleut|cl[eé]|chia|chav|klucz/,
  key: /clave|cle|clé|chiave|chav|klucz|key|schl|sleutel|senha|pin|[ck]ombina|szyfr|pass|kennw|mdp|contrase|parola|has[łl]|pw|psw|wpa|wachtw/,
  code: /c[oó]d|kod|ziffern/,
  lock: /\bpin|[ck]omb|key|lock|schl|bo[iî]te|caja|caixa|cofre|chiavi|sleut|skrytk|alarm|allarm|szyfr|geheimz|tecl|candado|cadenas|lucch|cadeado|kłódk|slot/,
  door: /door|gate|t[üo]r|port|puerta|cancello|deur|drzwi|bram|safe|tresor/,
  network: /(?:wi-?fi|wlan|wireless|ssid|network|netzwerk|réseau|red|rete|netwerk|rede|sieć)\s*[:=]/,
};

const SHOWS: readonly (readonly [stem: RegExp, form: RegExp])[] = [
  [STEMS.password, new RegExp(`${EDGE}(?:pwd?|psw|mdp)${OF} \\p{L}{4,}(?![\\p{L} ])`, 'u')],
  [
    STEMS.password,
    new RegExp(
      `${EDGE}(?:${PASSWORD})${OF}\\s*(?:[:=]|${EDGE}(?:is|ist|lautet|est|es|è|é|to)\\s)\\s*(?!${ASKED})["'„“«]?\\S{4,}`,
      'u',
    ),
  ],
  [STEMS.password, new RegExp(`${EDGE}(?:${PASSWORD})${OF}\\s+(?=\\S*\\d)\\S{4,}`, 'u')],
  [
    STEMS.code,
    new RegExp(`${EDGE}(?:${CODE})(?!\\p{L})[^\\d.;!?+€$£\\n]{0,40}(?<![\\p{L}\\d])${DIGITS}`, 'u'),
  ],
  [STEMS.lock, new RegExp(`${EDGE}(?:${LOCK})${BEFORE}${DIGITS}`, 'u')],
  [/clave/, new RegExp(`${EDGE}clave${OF}(?:${IS}|\\s+)(?=\\S*\\d)\\S{4,}`, 'u')],
  [
    STEMS.key,
    new RegExp(
      `${EDGE}(?:${KEY}|${PASSWORD})(?!\\p{L})(?:[ ’'](?:${JOINING}|${OPENED})(?!\\p{L}))*(?:${IS}|(?<=${EDGE}(?:${OPENED}))\\s+)${DIGITS}`,
      'u',
    ),
  ],
  [STEMS.door, new RegExp(`${EDGE}(?:${DOOR})\\s*[:=]\\s*${DIGITS}`, 'u')],
  [
    /\d[a-z]{0,2}\s*(?:=|is\b|ist\b|est\b|es\b|è|é|to\b|for\b|für)/,
    new RegExp(
      `(?<![\\p{L}\\d.,/-])${DIGITS}\\s*(?:=|is\\b|ist\\b|est\\b|es\\b|è\\s|é\\s|to\\b|for\\b|für\\b)[^\\d.;!?\\n]{0,30}${EDGE}(?:${CODE}|${LOCK}|${DOOR})`,
      'u',
    ),
  ],
  // Keys that end an entry on a pad.
  [/\d#/, /(?<![\p{L}\d#*/&.,-])\d{3,8}#(?![\p{L}\d*])/u],
  // The key of a network, of letters and digits.
  [
    STEMS.network,
    new RegExp(
      `${EDGE}(?:wi-?fi|wlan)\\s*[:=]\\s*(?=\\S*\\d)(?=\\S*\\p{L})(?!802|\\S*(?:[mg]b|mhz|ghz))[^\\s/:]{8,}`,
      'u',
    ),
  ],
  // The name of a network, and its key of eight signs or more.
  [
    STEMS.network,
    new RegExp(
      `${EDGE}(?:wi-?fi|wlan|wireless|ssid|network|netzwerk|réseau|red|rete|netwerk|rede|sieć)\\s*[:=]\\s*[^\\n]*[/|,;]\\s*(?=\\S*\\d)(?!\\S*[mg]b)[^\\s/:]{8,}`,
      'u',
    ),
  ],
];

/** Signs and words without one of which no text holds a code. */
const HINT = /\d\d|\d[ -]\d|\d[a-z]\d|[:=]|pass|pw|kenn|parol|senha|has[łl]|clave|wacht|contra|mdp/i;

export function holdsAccessCode(text: string): boolean {
  return text.length >= 6 && HINT.test(text) && !/^https?:\S+$/i.test(text) && showsCode(text);
}

const showsCode = rememberSome((text) => {
  const lower = text.normalize('NFKC').toLowerCase();
  const plain = /c[oó]d|kod|wi-?fi|wlan|vorwahl/.test(lower) ? lower.replace(HARMLESS, ' ') : lower;
  return SHOWS.some(([stem, form]) => stem.test(plain) && form.test(plain));
});

/** Fields that hold numbers of another kind. */
const OTHERS: ReadonlySet<string> = new Set([
  'id',
  'zip_code',
  'phone',
  'email',
  'country',
  'currency',
  'reference',
  'registration_number',
  'url',
  'file',
  'thumbnail',
]);

/**
 * Removes texts that hold an access code: a policy goes as a whole, a photo loses its description. Where a property needs
 * the text, none is left.
 */
export function withoutAccessCodes(
  raw: RawProperty,
  { fields }: Terms,
): { readonly raw: RawProperty | undefined; readonly findings: readonly ImportFinding[] } {
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
      return inner.length < Object.keys(entry).length && type !== undefined
        ? []
        : [Object.fromEntries(inner)];
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
