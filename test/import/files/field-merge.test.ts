import { expect, it } from 'vitest';
import { changesBetween } from '../../../src/import/files/field-merge.ts';

const change = (from: string, to: string) => changesBetween(`summary: ${from}\n`, `summary: ${to}\n`)[0]!;

it.each([
  ['is shortened', 'A quiet house by the sea, for six', 'A quiet house by the sea, for two'],
  ['has emoji', '🏠🏡🏘🏠🏡🏘 a quiet house for six', '🏠🏡🏘🏠🏡🏘 a quiet house for two'],
])('a change shows what differs where the start %s', (_, from, to) => {
  const shown = change(from, to);
  expect([shown.from, shown.to]).toEqual([`…${from.slice(-13)}`, `…${to.slice(-13)}`]);
});

it('a change shows what a text lost at its end', () => {
  const text = 'A quiet house by the sea, with a garden and a view';
  expect(change(`${text} of the hills`, text)).toMatchObject({
    from: '…and a view of the hills',
    to: '…and a view',
  });
});
