import { describe, expect, it } from 'vitest';
import { rowTable } from '../../scripts/bench/row.ts';
import {
  count,
  endMark,
  markdownTable,
  megabytes,
  replaceSection,
  seconds,
  startMark,
  times,
} from '../../scripts/table.ts';

describe('rowTable', () => {
  it('shows medians, the largest peak, ratios of pairs, and whether limits are met', () => {
    const ours = [1, 3, 2].map((value) => ({ seconds: value, cpuSeconds: value, peakBytes: value * 1e8 }));
    const taken = [2, 6, 8].map((value) => ({ seconds: value }));
    const peer = { name: 'cp -a', taken };
    const lines = rowTable([
      { name: 'build', ours, peer, limit: { ratio: 0.5, seconds: 1, megabytes: 300 }, outcome: '7 files' },
      { name: 'check', ours },
    ]).split('\n');
    expect(lines[2]).toBe(
      '| build | 2.00 s | 2.00 s | 300 MB | cp -a | 6.00 s | 0.50 x | 0.50 x met, 1.00 s **not met**, 300 MB met | 7 files |',
    );
    expect(lines[3]).toBe('| check | 2.00 s | 2.00 s | 300 MB |  |  |  |  |  |');
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
