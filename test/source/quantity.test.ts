import { expect, it } from 'vitest';
import { numberMeant } from '../../src/source/quantity.ts';

it.each([
  ['1 Woche', '7'],
  ['2 Wochen', '14'],
  ['1 week', '7'],
  ['1 semaine', '7'],
  ['2 semanas', '14'],
  ['1 settimana', '7'],
  ['2 weken', '14'],
  ['1 tydzień', '7'],
  ['3 Nächte', '3'],
  ['1 month', undefined],
])('a minimum of %j is %s nights', (text, nights) =>
  expect(numberMeant(text, { name: 'minimum_nights', unit: undefined, property: {} })).toBe(nights),
);
