/** Which rows of the sources the shipped catalogue takes. */
import type { Draft } from '../sources/draft.ts';

/** A draft with the id that its property will have. */
export interface Candidate {
  id: string;
  draft: Draft;
}

/** How many rows of Ireland there should be, about; every county has a few. */
const IRELAND_COUNT = 250;
const COUNTY_MINIMUM = 4;
const MADRID_COUNT = 40;

/** A wish for some rows of a sample that not any row fulfils. */
interface Wish {
  count: number;
  of: (draft: Draft) => boolean;
}

/**
 * Rows of each sample of Airbnb. The wishes bring in city names that two countries share (Currie, Longford, Richmond),
 * and titles and cities in other scripts.
 */
const AIRBNB_COUNTS: readonly { sample: string; count: number; wishes?: readonly Wish[] }[] = [
  { sample: 'antwerp-2019', count: 2 },
  { sample: 'antwerp-2024', count: 3 },
  { sample: 'athens-2015', count: 6, wishes: [{ count: 2, of: titled(/\p{Script=Greek}{4}/u) }] },
  { sample: 'dublin-2025', count: 6, wishes: [{ count: 3, of: inCity('Dublin') }] },
  { sample: 'edinburgh-2024', count: 5, wishes: [{ count: 1, of: inCity('Currie') }] },
  {
    sample: 'hongkong-2021',
    count: 7,
    wishes: [
      { count: 3, of: (draft) => /\p{Script=Han}/u.test(draft.city) },
      { count: 2, of: titled(/\p{Script=Han}{2}/u) },
    ],
  },
  { sample: 'menorca-2025', count: 6 },
  { sample: 'munich-2024', count: 5 },
  { sample: 'ottawa-2024', count: 5, wishes: [{ count: 1, of: inCity('Richmond') }] },
  { sample: 'stockholm-2024', count: 4 },
  {
    sample: 'tasmania-2024',
    count: 7,
    wishes: [
      { count: 1, of: inCity('Currie') },
      { count: 1, of: inCity('Longford') },
      { count: 1, of: inCity('Richmond') },
    ],
  },
  { sample: 'vancouver-2020', count: 4 },
  { sample: 'vaud-2024', count: 6 },
  { sample: 'washington-2015', count: 4 },
];

/** Rows that pass every rule and yet do not read like a place to stay, by source and row. */
const UNFIT: ReadonlySet<string> = new Set([
  'airbnb/edinburgh-2024/1085338125853038517',
  'airbnb/hongkong-2021/10476886',
  'airbnb/hongkong-2021/6319980',
  'airbnb/vancouver-2020/44473992',
]);

/**
 * The rows of the shipped catalogue, by source. Ids are hashes, so the rows with the lowest ids are a random sample
 * that stays the same whatever the order of the rows.
 */
export function selectShipped(candidates: readonly Candidate[]): Candidate[] {
  const exemplary = candidates
    .filter(({ draft }) => draft.exemplary && !UNFIT.has(`${draft.source}/${draft.row}`))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const of = (source: string, sample: string): Candidate[] =>
    exemplary.filter(({ draft }) => draft.source === source && draft.sample === sample);

  const irish = candidates.filter(({ draft }) => draft.source === 'ireland');
  const counties = [...new Set(irish.map(({ draft }) => draft.sample))].sort();
  const ireland = counties.flatMap((county) => {
    const rows = irish.filter(({ draft }) => draft.sample === county).length;
    const count = Math.max(COUNTY_MINIMUM, Math.round((rows / irish.length) * IRELAND_COUNT));
    return of('ireland', county).slice(0, count);
  });
  const madrid = of('madrid', 'Madrid').slice(0, MADRID_COUNT);
  const airbnb = AIRBNB_COUNTS.flatMap(({ sample, count, wishes = [] }) => {
    const rows = of('airbnb', sample);
    const wished = wishes.flatMap((wish) => rows.filter(({ draft }) => wish.of(draft)).slice(0, wish.count));
    return [...new Set([...wished, ...rows])].slice(0, count);
  });
  return [...ireland, ...madrid, ...airbnb];
}

function titled(pattern: RegExp): Wish['of'] {
  return (draft) => pattern.test(draft.title);
}

function inCity(city: string): Wish['of'] {
  return (draft) => draft.city === city;
}
