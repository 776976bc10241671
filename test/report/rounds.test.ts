/** A session prints new and repaired findings, and none of them twice (E14). */
import { describe, expect, it } from 'vitest';
import { printRound } from '../../src/report/diagnostics.ts';
import { createRounds } from '../../src/report/rounds.ts';
import { createSpans, type Diagnostic, diagnose } from '../../src/source/diagnostic.ts';

const found = (file: string, line = 1): Diagnostic =>
  diagnose('missing-email', file, createSpans(`${'\n'.repeat(line - 1)}id: x`)(line - 1, line + 1));

describe('rounds of findings (E14)', () => {
  it('differ by their new and their repaired findings', () => {
    const next = createRounds();
    const [a, b] = [found('a.yaml'), found('b.yaml')];
    expect(next([a])).toEqual({ fresh: [a], mended: [] });
    expect(next([a, b])).toEqual({ fresh: [b], mended: [] });
    expect(next([b])).toEqual({ fresh: [], mended: [a] });
    expect(next([])).toEqual({ fresh: [], mended: [b] });
    expect(next([b])).toEqual({ fresh: [b], mended: [] });
  });

  it('treat a finding that moved as the same, and one that appears twice as two', () => {
    const next = createRounds();
    next([found('a.yaml')]);
    expect(next([found('a.yaml', 7)])).toEqual({ fresh: [], mended: [] });
    expect(next([found('a.yaml', 7), found('a.yaml', 9)])).toMatchObject({ fresh: [{ span: { line: 9 } }] });
    expect(next([found('a.yaml', 7)])).toMatchObject({ fresh: [], mended: [{ file: 'a.yaml' }] });
  });

  it('are printed: new ones whole, repaired ones as a line, at most ten', () => {
    const printed: string[] = [];
    const sink = { out: () => {}, err: (more: string) => void printed.push(more), color: false };
    const mended = Array.from({ length: 12 }, (_, index) => found(`${index}.yaml`));
    printRound({ fresh: [found('new.yaml')], mended }, 'content/', sink);
    const text = printed.join('');
    expect(text).toContain('content/new.yaml:1:1  warning missing-email\n');
    expect(text.match(/^Mended: content\/\d\.yaml {2}missing-email$/gm)).toHaveLength(10);
    expect(text).toMatch(/\nMended: 2 more\n$/);
  });
});
