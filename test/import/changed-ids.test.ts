import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorkspace, readTree } from '../compile/workspace.ts';
import { imported } from './imported.ts';

const table = (ids: readonly string[], title = 'House') =>
  `${['ref;name;town;country;lat;lon', ...ids.map((id, n) => `${id};${title} ${n};Cork;Ireland;51.9${n};-8.4`)].join('\n')}\n`;

async function again(before: readonly string[], now: readonly string[], title?: string) {
  const workspace = createWorkspace();
  await imported(workspace, 'a.csv', table(before));
  const tree = readTree(workspace.content);
  const error: unknown = await imported(workspace, 'a.csv', table(now, title)).catch((thrown) => thrown);
  return {
    error,
    workspace,
    isUnchanged: JSON.stringify(readTree(workspace.content)) === JSON.stringify(tree),
  };
}

const SPREADSHEET = 'A spreadsheet may drop zeros';

describe('a later export whose ids changed their form', () => {
  it.each([
    [
      'without leading zeros',
      ['0001', '0002', '0103'],
      ['1', '2', '103'],
      '"1", which was "0001"',
      SPREADSHEET,
    ],
    ['with leading zeros', ['1', '2', '103'], ['0001', '0002', '0103'], '"0001", which was "1"', SPREADSHEET],
    ['with decimals', ['3000', '3001', '3002'], ['3000.0', '3001.0', '3002.0'], 'was "3000"', SPREADSHEET],
    [
      'grouped',
      ['3000', '3001', '3002'],
      ['3.000', '3.001', '3.002'],
      '"3.000", which was "3000"',
      SPREADSHEET,
    ],
    [
      'in capitals',
      ['nl-0', 'nl-1', 'nl-2'],
      ['NL-0', 'NL-1', 'NL-2'],
      '"NL-0", which was "nl-0"',
      SPREADSHEET,
    ],
    [
      'rounded',
      ['123456789012345007', '123456789012345107', '123456789012346107'],
      ['123456789012345000', '123456789012345000', '123456789012346000'],
      '"123456789012345000" of "House 0"',
      'A spreadsheet rounded long numbers to 15 digits',
    ],
    [
      'with exponents',
      ['123456789012345007', '123456789012345107', '123456789012346107'],
      ['1,23457E+17', '1,23457E+17', '1,23457E+17'],
      '"1,23457E+17" of "House 0"',
      'A spreadsheet wrote long numbers with an exponent',
    ],
    ['in another way', ['a', 'b', 'c'], ['x-7', 'x-8', 'x-9'], '"x-7" of "House 0"', SPREADSHEET],
  ])('%s stops before anything is written', async (_, before, now, change, reason) => {
    const { error, isUnchanged } = await again(before, now);
    expect(error).toMatchObject({ code: 'source-shrunk', message: expect.stringContaining(change) });
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).toContain('in "ref"');
    expect(isUnchanged).toBe(true);
  });

  it('stops where only some ids had zeros to lose', async () => {
    const { error } = await again(
      ['0007', '1001', '1002', '1003', '1004'],
      ['7', '1001', '1002', '1003', '1004'],
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(/^1 of 5 rows is a property that you have/),
    });
  });

  it('replaces the files if that is meant', async () => {
    const { workspace } = await again(['a', 'b'], ['x', 'y']);
    const options = { allowShrink: true, gone: 'remove' } as const;
    const { result } = await imported(workspace, 'a.csv', table(['x', 'y']), options);
    expect(result).toMatchObject({ written: 2 });
    expect(result!.gone.removed).toHaveLength(2);
  });

  it.each([
    ['other properties', ['a', 'b', 'c'], ['x', 'y', 'z'], 'Villa'],
    ['one new id of many', ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'x'], undefined],
    ['new rows', ['1', '2'], ['1', '2', '01', '3', '10'], undefined],
  ])('imports %s', async (_, before, now, title) => {
    const { error, workspace } = await again(before, now, title);
    expect(error).toMatchObject({ result: { refused: 0 } });
    expect(existsSync(workspace.content)).toBe(true);
  });
});
