import { describe, expect, it } from 'vitest';
import { asTyped, international } from '../../src/editor/phone.ts';

describe('a phone number', () => {
  it('gets its spaces during typing, once its country is known', () => {
    expect(['+3531605', '+35316057700', '01 605', ''].map(asTyped)).toEqual([
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
});
