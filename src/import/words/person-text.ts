import { STEMS, WORDS } from './private-words.ts';

const EDGE = '(?<![\\p{L}\\d])';
const PHONE = '(?:\\+|\\(?0)\\d(?:[ ()/.-]{0,2}\\d){7,13}(?!\\d)';
const SOME_OWNER = `${EDGE}(?:${WORDS.owner})(?!\\p{L})`;
const OWNER_NAMED = new RegExp(
  `${SOME_OWNER}(?: name)?\\s*[:=]\\s*(\\p{L}[\\p{L}.’'-]* \\p{L}[\\p{L}’'-]+)`,
  'giu',
);
const OWNER_CALLED = new RegExp(
  `${SOME_OWNER}[^\\d;!?\\n]{0,40}${PHONE}|(?<!\\d)${PHONE}[^\\d.;!?\\n]{0,12}${SOME_OWNER}`,
  'iu',
);

/** Matches beginnings of words for places and services, whose numbers guests may call. */
const SERVICE =
  /(?<!\p{L})(?:t[ée]l|(?:tele)?[pf]hon|mob|cell|handy|fax|r[ée][cz]ep|rezep|[ck]onta|emerg|urg|notr?[uf]|taxi|hot|info|offi|b[üu]ro|bureau|whats|book|r[ée]serv|buch|poli|pompi|samu|do[ck]t|arzt|m[ée]d|appel|llam|chiam|anruf|(?:call|ring|bel)(?!\p{L}))/iu;
const PERSON = "\\p{Lu}[\\p{L}.’'-]+(?: (?:\\p{Lu}|(?:d[eiu]|l[ea]|v[ao]n)(?= ))[\\p{L}.’'-]*){0,3}";
const PERSON_WITH_PHONE = new RegExp(
  `^(?:${PERSON} ?[:,(–-]? ?${PHONE}\\)?|${PHONE} ?[:,(–-]? ?${PERSON}\\)?)\\.?$`,
  'u',
);
export const PERSON_REASON = 'the name and the number of a person';

/** Whether a text is only a name and a phone number, such as that of a cleaner. */
export function isPersonWithPhone(text: string): boolean {
  const isShort = text.length >= 12 && text.length <= 60;
  return isShort && PERSON_WITH_PHONE.test(text.trim()) && !SERVICE.test(text);
}

const MAY_HOLD_PHONE = /\d(?:[ ()/.-]{0,2}\d){7}/;
const SOME_PHONE = '\\+?\\(?\\d(?:[ ()/.-]{0,2}\\d){7,13}(?!\\d)';
const SOME_PERSON = `${EDGE}(?:${WORDS.person_title}|${WORDS.ask_for}) (?=\\p{Lu})`;
const PERSON_CALLED = new RegExp(
  `${SOME_PERSON}(?:[^\\d.;!?\\n]|(?:[Tt][eé]l|[Mm]ob|[Nn]r)\\.){2,60}${SOME_PHONE}|` +
    `(?<!\\d)${SOME_PHONE}[^\\d.;!?\\n]{1,6}${SOME_PERSON}`,
  'u',
);

/** Whether a text has a person's name with a title, as in "Mme Martin, 06 12 34 56 78", or asks to call one. */
export function holdsPersonWithPhone(text: string): boolean {
  return MAY_HOLD_PHONE.test(text) && PERSON_CALLED.test(text);
}

const MAY_HOLD_OWNER = new RegExp(STEMS.owner, 'i');

export function holdsOwner(text: string): boolean {
  if (text.length < 10 || !/[:=]|\d{3}/.test(text) || !MAY_HOLD_OWNER.test(text)) return false;
  const isName = (words = '') => /^\p{Lu}\S* \p{Lu}/u.test(words);
  return OWNER_CALLED.test(text) || [...text.matchAll(OWNER_NAMED)].some(([, found]) => isName(found));
}
