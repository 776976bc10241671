import { describe, expect, it } from 'vitest';
import { formatWhileTyping, international } from '../../src/editor/phone.ts';

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
    expect(international('01 605 7700', 'IE')).toBe('+353 1 605 7700');
    expect(international('+35316057700', '')).toBe('+353 1 605 7700');
    expect(international('01 605 7700', '')).toBeUndefined();
    expect(international('ask Mary', 'IE')).toBeUndefined();
    expect(international('1', 'IE')).toBeUndefined();
  });

  it('stays as typed where it may lack its area code', () => {
    expect(international('952 1234', 'IE')).toBeUndefined();
    expect(international('87 123 4567', 'IE')).toBe('+353 87 123 4567');
    expect(international('(305) 555-1234', 'US')).toBe('+1 305 555 1234');
    expect(international('06 6988 3145', 'IT')).toBe('+39 06 6988 3145');
    expect(international('00353 1 605 7700', 'IE')).toBe('+353 1 605 7700');
  });
});
