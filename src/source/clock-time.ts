/** Corrects times of the day in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */

const BOUND_WORDS: Readonly<Record<string, string>> = {
  from:
    'from|after|ab|nach|dès|après|à partir de|desde|después de|a partir d(?:e|as?)|dalle|dopo|a partire d(?:a|alle)|' +
    'vanaf|na|depois d(?:e|as)|após|od|po',
  until:
    "until|till?|by|before|no later than|bis|vor|spätestens|jusqu['’]à|avant|au plus tard|hasta|antes d(?:e|as)|entro|" +
    'fino alle|prima d(?:i|elle)|tot|voor|vóór|uiterlijk|até|do|przed|najpóźniej',
};
const AT_WORDS = 'at|um|om|à|a|alle|o';
/** With one of these, a number without minutes is a time too: `entro le 11`. */
const HOUR_WORDS = '(?:le )?ore|le|las?|[àa]s|godz(?:\\.|iny|inie)?';

const BEFORE = new Map(
  ['from', 'until', ''].map((bound) => {
    const words = [BOUND_WORDS[bound], AT_WORDS, HOUR_WORDS].flatMap((one) =>
      one ? `(?:(?:${one})\\s+)?` : [],
    );
    return [bound, new RegExp(`^${words.join('')}$`, 'iu')];
  }),
);
const ARTICLE = /(?:alle|elle|das|(?:^|\s)(?:le|las?|às|ore|godz(?:\.|iny|inie)?))\s*$/iu;

/**
 * Corrects `9:00`, `9.30`, `9h30`, `15 h`, `15 Uhr`, `15:00:00`, `3 pm` and `3:30 p.m.`; also `ab 16 Uhr` as check-in
 * from, and `bis 11 Uhr` as check-out until. Undefined if the word is for the other field, as in
 * `bis 16 Uhr` for check-in from.
 */
export function clockMeant(text: string, name: string): string | undefined {
  const [before = ''] = /^\D*/.exec(text) ?? [];
  const [bound = ''] = /(?:from|until)$/.exec(name) ?? [];
  if (before.length > 30 || !BEFORE.get(bound)!.test(before)) return undefined;
  const [, hours = '', minutes, mark, half] = CLOCK.exec(text.slice(before.length)) ?? [];
  // The 11 of "entro le 11" is a time of 24 hours, but the 3 of "entro le 3" may be one in the afternoon.
  const isHour = mark !== undefined || (ARTICLE.test(before) && Number(hours) > 6);
  if (minutes === undefined && !isHour && half === undefined) return undefined;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
}

const CLOCK =
  /^(\d{1,2})(?:(?:[:.]| ?h ?)(\d{2}))?(?::00)?( ?(?:h\.?|h(?:ou)?rs?\.?|uhr|uur|ore|horas?|heures?|godz\.?))?(?: ?([ap])\.?m\.?)?$/i;
