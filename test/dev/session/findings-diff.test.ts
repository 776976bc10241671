/** A session prints new and repaired findings, and none of them twice (E14). */
import { describe, expect, it } from 'vitest';
import { createFindingsDiff } from '../../../src/dev/session/findings-diff.ts';
import { printFindingsDiff } from '../../../src/dev/session/session-report.ts';
import { createDiagnostic, createSpans, type Diagnostic } from '../../../src/source/diagnostic.ts';

const found = (file: string, line = 1): Diagnostic =>
  createDiagnostic('missing-email', file, createSpans(`${'\n'.repeat(line - 1)}id: x`)(line - 1, line + 1));

describe('rounds of findings (E14)', () => {
  it('differ by their new and their repaired findings', () => {
    const next = createFindingsDiff();
    const [a, b] = [found('a.yaml'), found('b.yaml')];
    expect(next([a])).toEqual({ added: [a], fixed: [] });
    expect(next([a, b])).toEqual({ added: [b], fixed: [] });
    expect(next([b])).toEqual({ added: [], fixed: [a] });
    expect(next([])).toEqual({ added: [], fixed: [b] });
    expect(next([b])).toEqual({ added: [b], fixed: [] });
  });

  it('treat a finding that moved as the same, and one that appears twice as two', () => {
    const next = createFindingsDiff();
    next([found('a.yaml')]);
    expect(next([found('a.yaml', 7)])).toEqual({ added: [], fixed: [] });
    expect(next([found('a.yaml', 7), found('a.yaml', 9)])).toMatchObject({ added: [{ span: { line: 9 } }] });
    expect(next([found('a.yaml', 7)])).toMatchObject({ added: [], fixed: [{ file: 'a.yaml' }] });
  });

  it('are printed by code, three of each', () => {
    const printed: string[] = [];
    const sink = { out: () => {}, err: (more: string) => void printed.push(more), color: false };
    const added = Array.from({ length: 12 }, (_, index) => [
      found(`${index}.yaml`),
      createDiagnostic('missing-phone', `${index}.yaml`, null),
    ]).flat();
    printFindingsDiff({ added, fixed: [] }, 'content/', sink);
    const text = printed.join('');
    expect(text.match(/warning missing-\w+/g)).toEqual([
      ...Array(3).fill('warning missing-email'),
      ...Array(3).fill('warning missing-phone'),
    ]);
    expect(text).toContain('... and 9 more of missing-email; "catalogue check" lists them all.');
  });

  it('are printed: new ones whole, repaired ones as a line, at most ten', () => {
    const printed: string[] = [];
    const sink = { out: () => {}, err: (more: string) => void printed.push(more), color: false };
    const fixed = Array.from({ length: 12 }, (_, index) => found(`${index}.yaml`));
    printFindingsDiff({ added: [found('new.yaml')], fixed }, 'content/', sink);
    const text = printed.join('');
    expect(text).toContain('content/new.yaml:1:1  warning missing-email\n');
    expect(text.match(/^Fixed: content\/\d\.yaml {2}missing-email$/gm)).toHaveLength(10);
    expect(text).toMatch(/\nFixed: \.\.\. and 2 more\n$/);
  });
});
