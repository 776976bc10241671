/** Corrects numbers that are written with a currency, a unit or separators of thousands. */

type Place = {
  readonly name: string;
  readonly unit: string | undefined;
  readonly property: Readonly<Record<string, unknown>>;
};

const SIGNS: Readonly<Record<string, RegExp>> = {
  $: /^(?:USD|CAD|AUD|NZD|HKD|SGD|MXN|CLP|COP|ARS|TWD|JMD|BSD|BBD|BZD|FJD|NAD|TTD|XCD)$/,
  '€': /^EUR$/,
  '£': /^(?:GBP|GIP|FKP|SHP)$/,
  '¥': /^(?:JPY|CNY)$/,
  zł: /^PLN$/,
  Kč: /^CZK$/,
  Ft: /^HUF$/,
  kr: /^(?:DKK|NOK|SEK|ISK)$/,
};

const NUMBER = "\\d(?:[\\d.,'’\\u00a0\\u2009\\u202f]*\\d)?";
const SIGN = '[$€£¥]|zł|Kč|Ft|kr|[A-Z]{3}';
/** Matches an amount such as `€ 95`, `95 EUR` and, as Germans and the Dutch write it, `95,-`. */
const AMOUNT = new RegExp(`^(${SIGN})?\\s*(${NUMBER})(?:[.,][-–—]{1,2})?\\s*(${SIGN})?$`);

type Amount = { readonly number: string; readonly isOther: boolean };

function amountOf(text: string, { currency }: Place['property']): Amount | undefined {
  const [, before = '', amount = '', behind = ''] = AMOUNT.exec(text) ?? [];
  const sign = before || behind;
  if (amount === '' || (before !== '' && behind !== '')) return undefined;
  const isOwn = currency === undefined || sign === currency || SIGNS[sign]?.test(String(currency));
  const number = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(amount) ? amount.replaceAll(',', '') : amount;
  return { number, isOther: sign !== '' && !isOwn };
}

function amountIn(text: string, property: Place['property']): string {
  const amount = amountOf(text, property);
  return amount && !amount.isOther ? amount.number : text;
}

const priceIn = (text: string) => NIGHTLY.exec(text)?.[1] ?? text;

/** Whether a price such as `$45` is in another currency than the property's, so that its number would be wrong. */
export function isInOtherCurrency(text: string, property: Place['property']): boolean {
  return text.length <= MAX_LENGTH && amountOf(priceIn(text), property)?.isOther === true;
}

/** Units in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const UNITS: Readonly<Record<string, string>> = {
  'm²':
    '(?:m ?(?:²|\\^?2)|㎡|m\\.? ?q|q\\.?m|sq\\.? ?m(?:t|trs?)?|(?:square|sq\\.?) met(?:er|re)s?|quadratmetern?|' +
    'm[èe]tres? carr[ée]s?|metros? (?:cuadr|quadr)ados?|metr[oi] quadr(?:at)?[oi]|vierkante meters?|' +
    'm(?:etr(?:y|ów)?)? ?kw(?:adrat(?:owe|owych|ów))?)\\.?',
  nights: '(?:nights?|nächten?|nacht(?:en)?|nuit(?:é?e)?s?|noches?|nott[ei]|noites?|noc[ey]?)',
  guests:
    '(?:people|persons?|guests?|pax|pers\\.?|personen|gäste?n?|personnes?|voyageurs?|personas?|huéspedes|persone|' +
    'ospiti|gasten|pessoas?|hóspedes|osoby?|osób|gości)',
};
const UNIT_OF_COUNT: Readonly<Record<string, string>> = { max_guests: 'guests', minimum_nights: 'nights' };
const ABOUT =
  '(?:(?:ca|approx|env|aprox|ok)\\.?|[czk]irca|approximately|about|around|etwa|ungefähr|rund|environ|unos|unas|' +
  'aproximadamente|cerca de|ongeveer|około|[~≈±])';
/** Words that add nothing: `max. 4` in the field `max_guests`, and `min. 2` in `minimum_nights`. */
const LIMIT = '(?:max|min)(?:\\.|imum)?';

const MEASURES = new Map(
  Object.entries(UNITS).map(([unit, words]) => {
    const before = unit === 'm²' ? ABOUT : LIMIT;
    return [unit, new RegExp(`^(?:${before}\\s*)?(${NUMBER})(?:\\s*${words})?$`, 'iu')];
  }),
);

/** Matches `4+2` and `4 (+ 2)`, with extra beds, and `2-4`, `2 à 4` and `bis 8`, whose second number is the limit. */
const GUESTS = new RegExp(
  "^(?:(?:from|von|de|da|van|od)\\s+(?=\\d+\\D+\\d))?(?:(?:up to|bis(?: zu)?|jusqu['’]à|hasta|fino a|tot|até|do)\\s*)?" +
    '(\\d{1,3})(?:\\s*\\(?(\\+|[-–—/]|(?<= )(?:to|bis|à|a|tot|até|do)(?= ))\\s*(\\d{1,3})\\)?)?' +
    `(?:\\s*${UNITS.guests})?$`,
  'iu',
);

function guestsIn(text: string): string | undefined {
  const [, first, sign, second] = GUESTS.exec(text) ?? [];
  if (sign === '+') return String(Number(first) + Number(second));
  return second === undefined || Number(second) > Number(first) ? (second ?? first) : undefined;
}

const WEEKS =
  /^(\d{1,2}) ?(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:ek|ken)|tydzień|tygodni[ae]?)$/iu;

function nightsIn(text: string): string | undefined {
  const [, weeks] = WEEKS.exec(text) ?? [];
  return weeks === undefined ? undefined : String(7 * Number(weeks));
}

const AREA = new RegExp(`^(?:${ABOUT}\\s*)?(${NUMBER})\\s*${UNITS['m²']}$`, 'iu');

/** Matches a price with words that the field already implies: `ab 95 €`, `€ 95 / notte`, `from £95 p.n.` */
const NIGHTLY = new RegExp(
  '^(?:(?:from|ab|à partir de|dès|desde|da|vanaf|v\\.a\\.|a partir de|od)\\s+)?(\\S.*?)' +
    `(?:\\s*(?:p\\. ?n\\.|(?:/|p\\.|per|pro|je|par|la|por|a|za)\\s*${UNITS.nights}))?$`,
  'iu',
);

/** The number of `95 mq` or `ca. 95 m2`; undefined without such a unit. */
export function squareMetres(text: string): string | undefined {
  return AREA.exec(text)?.[1];
}

/** Removes the property's currency or the field's unit before or after a number. */
function bareNumber(text: string, { name, unit: own = '', property }: Place): string {
  const unit = UNIT_OF_COUNT[name] ?? own;
  if (name === 'price_from') return amountIn(priceIn(text), property);
  if (unit === '') return amountIn(text, property);
  const measured =
    (name === 'max_guests' ? guestsIn(text) : name === 'minimum_nights' ? nightsIn(text) : undefined) ??
    MEASURES.get(unit)?.exec(text)?.[1];
  if (measured !== undefined) return measured;
  const amount = amountIn(text, { currency: own });
  if (amount !== text) return amount;
  if (own !== '' && text.endsWith(own)) return text.slice(0, -own.length).trim();
  return own !== '' && text.startsWith(own) ? text.slice(own.length).trim() : text;
}

/** Texts with more UTF-16 units are not corrected, since some expressions take quadratic time. */
const MAX_LENGTH = 1_000;

const THOUSANDS = /^[-+\u2212]?\d{1,3}(?:['’\u00a0\u2009\u202f]\d{3})+(?![\d'’\s])/;

/**
 * Corrects leading zeros, signs, the field's unit or the property's currency beside a number, a comma before one or two
 * digits, and unambiguous separators of thousands: 1'250 and, with a no-break space, 1 250.
 */
export function numberMeant(text: string, place: Place): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const number = bareNumber(text, place);
  const bare = THOUSANDS.test(number) ? number.replace(/['’\u00a0\u2009\u202f]/g, '') : number;
  const [, sign = '', whole, fraction = ''] =
    /^([-+\u2212]?)0*(\d+)(?:[.,](?<=\.|,(?=\d{1,2}$))(\d+))?$/.exec(bare) ?? [];
  if (whole === undefined) return undefined;
  return `${sign === '-' || sign === '\u2212' ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}
