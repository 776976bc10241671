import { describe, expect, it } from 'vitest';
import { withTitleSuffix } from '../../scripts/bench/edits.ts';
import { type Goal, goalTable, growthOf, isMet } from '../../scripts/bench/goals.ts';
import { endMark, replaceSection, startMark } from '../../scripts/bench/marked-section.ts';
import { median, medianRatio, pairsOf } from '../../scripts/bench/statistics.ts';
import { count, markdownTable, megabytes, seconds, times } from '../../scripts/bench/table.ts';
import { compareSnapshots } from '../../scripts/bench/written-files.ts';

describe('median', () => {
  it('is the middle one in any order', () => {
    expect(median([9, 1, 10])).toBe(9);
  });

  it('is the mean of the two in the middle', () => {
    expect(median([4, 1, 2, 100])).toBe(3);
  });

  it('does not change its argument', () => {
    const numbers = [3, 1, 2];
    median(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });

  it('refuses an empty list', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('medianRatio', () => {
  it('is the median of the ratios, not the ratio of the medians', () => {
    // The machine was ten times slower during the second pair, and twice as slow during the third.
    expect(medianRatio(pairsOf([1, 10, 2], [2, 20, 4]))).toBe(0.5);
    expect(medianRatio(pairsOf([1, 2, 30], [10, 4, 30]))).toBe(0.5);
  });

  it('requires two series of the same length', () => {
    expect(() => pairsOf([1, 2], [1])).toThrow(RangeError);
  });
});

describe('markdownTable', () => {
  it('aligns numbers to the right, and escapes vertical bars', () => {
    const table = { head: ['a', 'b'], rows: [['x | y', '1']] };
    expect(markdownTable(table)).toBe('| a | b |\n| --- | --: |\n| x \\| y | 1 |');
    expect(markdownTable(table, { numbers: false })).toContain('| --- | --- |');
  });

  it('shows three significant digits', () => {
    expect([0.0123, 1.234, 12.34, 123.4].map(seconds)).toEqual(['0.012 s', '1.23 s', '12.3 s', '123 s']);
    expect([count(0), count(999), count(1234567)]).toEqual(['0', '999', '1,234,567']);
    expect([times(0.5), megabytes(12_345_678)]).toEqual(['0.50 x', '12 MB']);
  });
});

describe('replaceSection', () => {
  const section = (name: string, text: string) => `${startMark(name)}${text}${endMark(name)}`;

  it('replaces the text between the marks, and nothing else', () => {
    const text = `a\n${section('one', '\n\nold\n\n')}\nb\n${section('two', 'kept')}\n`;
    expect(replaceSection(text, 'one', '\nnew $& $1\n')).toBe(
      `a\n${section('one', '\n\nnew $& $1\n\n')}\nb\n${section('two', 'kept')}\n`,
    );
  });

  it('gives the same text when it is repeated', () => {
    const once = replaceSection(section('one', ''), 'one', 'new');
    expect(replaceSection(once, 'one', 'new')).toBe(once);
  });

  it.each([
    ['no marks', ''],
    ['another name', section('two', '')],
    ['no end', startMark('one')],
    ['the end first', `${endMark('one')}${startMark('one')}`],
    ['an end before both', `${endMark('one')}${section('one', '')}`],
    ['marks twice', section('one', '') + section('one', '')],
    ['an end too many', section('one', '') + endMark('one')],
  ])('refuses a text with %s', (_, text) => {
    expect(() => replaceSection(text, 'one', 'new')).toThrow('once each');
  });
});

describe('goals', () => {
  const most: Goal = { number: 1, text: 'small', limit: { most: 0.6 }, format: times };
  const least: Goal = { number: 2, text: 'large', limit: { least: 5 }, format: times };

  it('are met at their limit, but not beyond', () => {
    expect([0.59, 0.6, 0.61].map((value) => isMet(most, value))).toEqual([true, true, false]);
    expect([4.99, 5, 5.01].map((value) => isMet(least, value))).toEqual([false, true, true]);
  });

  it('show the limit, the measurement and the verdict', () => {
    const judged = [
      { goal: most, value: 0.5 },
      { goal: least, value: 4 },
      { goal: least, value: undefined },
    ];
    expect(goalTable(judged).rows).toEqual([
      ['1. small', 'at most 0.60 x', '0.50 x', 'met'],
      ['2. large', 'at least 5.00 x', '4.00 x', '**not met**'],
      ['2. large', 'at least 5.00 x', '-', 'not measured'],
    ]);
  });
});

describe('growthOf', () => {
  it('compares each further property with the earlier ones, without the cost of starting', () => {
    const sizes = [
      { properties: 1000, seconds: 0.2 + 1 },
      { properties: 10_000, seconds: 0.2 + 12 },
      { properties: 100_000, seconds: 0.2 + 12 + 90 },
    ];
    expect(growthOf({ sizes, startSeconds: 0.2 })).toBeCloseTo(11 / 9);
  });
});

describe('withTitleSuffix', () => {
  it.each([
    ['title: Rose Cottage', 'title: Rose Cottage 2'],
    ['title: "Rose: Cottage"', 'title: "Rose: Cottage 2"'],
    ["title: 'Rose: Cottage'", "title: 'Rose: Cottage 2'"],
    ["title: The Smiths'", "title: The Smiths' 2"],
  ])('%s becomes %s', (before, after) => {
    expect(withTitleSuffix(`id: 1\n${before}\ncity: x\n`, ' 2')).toBe(`id: 1\n${after}\ncity: x\n`);
  });
});

describe('compareSnapshots', () => {
  it('counts the written files, and those that had to be written', () => {
    const before = new Map([
      ['same', { written: '1', digest: 'a' }],
      ['rewritten', { written: '1', digest: 'b' }],
      ['changed', { written: '1', digest: 'c' }],
      ['removed', { written: '1', digest: 'd' }],
    ]);
    const after = new Map([
      ['same', { written: '1', digest: 'a' }],
      ['rewritten', { written: '2', digest: 'b' }],
      ['changed', { written: '2', digest: 'x' }],
      ['added', { written: '2', digest: 'y' }],
    ]);
    expect(compareSnapshots(before, after)).toEqual({ written: 3, differing: 2 });
  });
});
