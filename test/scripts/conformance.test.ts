import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { outcomeRow, targetsTable, withRows } from '../../scripts/conformance.ts';
import { TARGET_NAMES } from '../../src/contract/target-names.ts';
import { GROUPS } from '../conformance/case.ts';

it('shows every target in the documentation as it is', () => {
  expect(readFileSync('docs/targets.md', 'utf8')).toContain(targetsTable());
  const document = readFileSync('docs/conformance.md', 'utf8');
  for (const name of TARGET_NAMES) expect(document).toMatch(new RegExp(`^\\| \`${name}\` \\| \\d`, 'm'));
});

it('replaces the row of one target, and keeps the others and their order', () => {
  const groups = (total: number) =>
    new Map(
      GROUPS.filter((group) => group !== 'keys').map((group) => {
        const isFirst = group === GROUPS[0];
        return [group, { passed: Number(isFirst), total: isFirst ? total : 0 }];
      }),
    );
  const old = withRows('', [
    outcomeRow({ target: 'apache', groups: groups(1) }),
    outcomeRow({ target: 'nginx', groups: groups(1) }),
  ]);
  const table = withRows(old, [outcomeRow({ target: 'apache', groups: groups(2000) })]);
  expect(table.split('\n')).toEqual([
    '| Target | Cases | Passed | Does not apply |',
    '| --- | --: | --: | --: |',
    '| `nginx` | 1 | 1 | keys |',
    '| `apache` | 2,000 | 1 | keys |',
  ]);
});
