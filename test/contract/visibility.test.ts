/** Drafts, and days and times from which and until which a property is shown (20.5). */
import { expect, it } from 'vitest';
import {
  hiddenReasonAt,
  isReversedPeriod,
  parseInstant,
  visibilityOf,
} from '../../src/contract/visibility.ts';

const at = (text: string) => Date.parse(text);

it.each([
  ['2027-04-01', '2027-04-01T00:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
  ['2027-04-01T23:59:59Z', '2027-04-01T23:59:59Z'],
  ['2027-04-01T02:00:00.5+02:00', '2027-04-01T00:00:00.500Z'],
])('%s is the instant %s', (text, instant) => {
  expect(parseInstant(text)).toBe(at(instant));
});

it.each([
  '',
  '2027-02-30',
  '2027-13-01',
  '2027-4-1',
  '2027-04-01T12:00:00',
  '2027-04-01T24:00:00Z',
  '2027-04-01T12:60:00Z',
  '2027-04-01T12:00:00+24:00',
  '2027-04-01 12:00:00Z',
  'x2027-04-01',
  '2027-04-01x',
])('%j is no instant', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

it.each([
  [{ draft: 'true', live_from: '2027-04-01' }, '2027-05-01T00:00:00Z', 'draft'],
  [{ draft: 'false' }, '2027-05-01T00:00:00Z', undefined],
  [{ draft: '', live_from: '', live_until: '' }, '2027-05-01T00:00:00Z', undefined],
  [{ live_from: 'soon' }, '2027-05-01T00:00:00Z', undefined],
  [{ live_from: '2027-04-01' }, '2027-03-31T23:59:59.999Z', 'early'],
  [{ live_from: '2027-04-01' }, '2027-04-01T00:00:00Z', undefined],
  // A day is over when it ends, a time at once.
  [{ live_until: '2027-04-01' }, '2027-04-01T23:59:59.999Z', undefined],
  [{ live_until: '2027-04-01' }, '2027-04-02T00:00:00Z', 'over'],
  [{ live_until: '2027-04-01T12:00:00Z' }, '2027-04-01T11:59:59Z', undefined],
  [{ live_until: '2027-04-01T12:00:00Z' }, '2027-04-01T12:00:00Z', 'over'],
])('%j at %s: %s', (fields, instant, reason) => {
  expect(hiddenReasonAt(visibilityOf(fields), at(instant))).toBe(reason);
});

it.each([
  ['2027-04-02', '2027-04-01', true],
  ['2027-04-01', '2027-04-01', false],
  ['2027-04-01T12:00:00Z', '2027-04-01T12:00:00Z', true],
  ['2027-04-01', 'never', false],
  [undefined, '2027-04-01', false],
  [20270402, '2027-04-01', false],
])('from %s until %s is never: %s', (live_from, live_until, reversed) => {
  expect(isReversedPeriod({ live_from, live_until })).toBe(reversed);
});

it('a property that is always shown has no visibility', () => {
  expect(visibilityOf({})).toBeUndefined();
  expect(visibilityOf({ draft: 'true' })).toEqual({ draft: true });
});
