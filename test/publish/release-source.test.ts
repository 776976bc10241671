/** Lists made of summaries. */
import { expect, it } from 'vitest';
import { contentOf, idOf, makeSource } from './made.ts';

const properties = [
  { id: idOf(3), title: 'Où', country: 'FR', city: 'Paris' },
  { id: idOf(1), title: 'One' },
  { id: idOf(2), title: 'Two' },
  { id: idOf(4), title: 'Four', country: 'US', city: 'Paris' },
];

it('takes pages and totals out of all summaries', async () => {
  const content = await contentOf(makeSource({ properties }));
  const page = (key: string) => {
    const { data, meta } = JSON.parse(
      Buffer.from(content.get(`_catalogue/pages/${key}`)!, 'latin1').toString(),
    );
    return [data.map(({ title }: { title: string }) => title), Object.values(meta.pagination)];
  };
  expect(page('-/-/2-1.json')).toEqual([
    ['Où', 'One'],
    [1, 2, 4],
  ]);
  expect(page('-/-/2-2.json')).toEqual([
    ['Two', 'Four'],
    [2, 2, 4],
  ]);
  expect(page('-/5061726973/2-1.json')).toEqual([
    ['Où', 'Four'],
    [1, 2, 2],
  ]);
  expect(content.get('_catalogue/pages/-/-/total')).toBe('4');
  expect(content.get('_catalogue/pages/IE/-/total')).toBe('2');
});
