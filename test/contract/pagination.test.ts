import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPage, PAGE_HEAD, pageCount, pageTail } from '../../src/contract/pagination.ts';
import { pageSchema } from '../../src/contract/property.ts';

describe('pageCount', () => {
  it.each([
    [0, 25, 0],
    [1, 25, 1],
    [25, 25, 1],
    [26, 25, 2],
    [100, 100, 1],
    [101, 100, 2],
    [1, 1, 1],
    [10_000, 3, 3334],
  ])('puts %i entries by %i on %i pages', (total, size, pages) => expect(pageCount(total, size)).toBe(pages));
});

describe('a page', () => {
  it('without entries has exactly these bytes', () => {
    expect(emptyPage(7, 25, 100)).toBe(
      '{"data":[],"meta":{"pagination":{"current_page":7,"per_page":25,"total_entries":100}}}',
    );
  });

  it('has the bytes that JSON.stringify would write, and fits the schema', () => {
    const entry = {
      id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
      title: 'Rose "Cottage" \\ 😀',
      city: 'Galway',
      country: 'IE',
      thumbnail: null,
    };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 999_999_999 }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(),
        fc.nat({ max: 3 }),
        (number, size, total, count) => {
          const data = Array.from({ length: count }, () => entry);
          const meta = { pagination: { current_page: number, per_page: size, total_entries: total } };
          const text =
            PAGE_HEAD + data.map((each) => JSON.stringify(each)).join(',') + pageTail(number, size, total);
          expect(text).toBe(JSON.stringify({ data, meta }));
          expect(pageSchema.parse(JSON.parse(text))).toEqual({ data, meta });
        },
      ),
    );
  });
});
