import { describe, expect, it } from 'vitest';
import { formatWhileTyping, toInternationalFormat } from '../../src/editor/phone.ts';

describe('a phone number', () => {
  it('gets its spaces during typing, once its country is known', () => {
    expect(['+3531605', '+35316057700', '01 605', ''].map(formatWhileTyping)).toEqual([
      '+353 1 605',
      '+353 1 605 7700',
      '01 605',
      '',
    ]);
  });

  it('ends in the form that is dialled from abroad', () => {
    expect(toInternationalFormat('01 605 7700', 'IE')).toBe('+353 1 605 7700');
    expect(toInternationalFormat('+35316057700', '')).toBe('+353 1 605 7700');
    expect(toInternationalFormat('01 605 7700', '')).toBeUndefined();
    expect(toInternationalFormat('ask Mary', 'IE')).toBeUndefined();
    expect(toInternationalFormat('1', 'IE')).toBeUndefined();
  });

  it('stays as typed where it may lack its area code', () => {
    expect(toInternationalFormat('952 1234', 'IE')).toBeUndefined();
    expect(toInternationalFormat('87 123 4567', 'IE')).toBe('+353 87 123 4567');
    expect(toInternationalFormat('(305) 555-1234', 'US')).toBe('+1 305 555 1234');
    expect(toInternationalFormat('06 6988 3145', 'IT')).toBe('+39 06 6988 3145');
    expect(toInternationalFormat('00353 1 605 7700', 'IE')).toBe('+353 1 605 7700');
  });
});
