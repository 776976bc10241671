/** Rows of totals are one finding, and no properties. */
import { describe, expect, it } from 'vitest';
import { isTotalsRow } from '../../../src/import/table/totals-row.ts';
import { createWorkspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';

const HEADER = 'ref,name,city,country,lat,lon,beds,price';
const rowOf = (cells: string) =>
  Object.fromEntries(cells.split(',').map((cell, index) => [String(index), cell]));

describe('a row', () => {
  it.each([
    ...[
      'Total,,,,,,12,340.50',
      ',Summe:,,,,,12,',
      ',,,,,,12,340',
      'Gesamt (3 Häuser),,,,,,12,€ 340',
      'Totale,,,,,,7,',
    ],
    ...['Totaal,90 huisjes,,,,,12,340', '90 case,,,Totale,,,12,', 'In totaal,90,,,,,12,'],
    ...['Razem,,,,,,3,9', 'Sous-total,,,,,,3,9', ',,,,,Ø,3,'.replace('Ø', '∑'), 'Subtotal,,,,,,3,1.000,00'],
  ])('%s is one of totals', (cells) => expect(isTotalsRow(Object.values(rowOf(cells)))).toBe(true));

  it.each([
    ...[
      'h-1,Total House,Cork,IE,51.9,-8.4,2,80',
      '7,Rose,,,,,,',
      '7,,,,,,,',
      '1,2,3,4,5,6,7,8',
      ',,,,,,,',
      ',Rose,,,,,2,',
      ',12 Apostles,,,,,2,',
      '7,Total,12 Hill Street,Cork,,,,',
    ],
    ...['Total,,Cork,IE,51.9,-8.4,2,80'],
  ])('%s is none', (cells) => expect(isTotalsRow(Object.values(rowOf(cells)))).toBe(false));
});

describe('a table with a row of totals', () => {
  it.each(['Total,,,,,,4,160', 'Totaal,2', 'Totaal,2 huisjes,,,,,4,160', ',,,,,,4,160', ',Summe,,,,,4,160'])(
    '%s',
    async (totals) => {
      const rows = ['h-1,Rose,Cork,IE,51.9,-8.4,2,80', 'h-2,Lime,Cork,IE,51.8,-8.4,2,80', totals];
      const workspace = createWorkspace();
      const text = `${[HEADER, ...rows].join('\n')}\n`;
      const done = await imported(workspace, 'houses.csv', text);
      expect(done.result).toMatchObject({ written: 2, refused: 0 });
      // The mapping, which is there now, names fewer columns.
      const again = await imported(workspace, 'houses.csv', text);
      expect(again.result).toMatchObject({ present: 2, refused: 0 });
      expect(done.notes.map(({ code, message }) => [code, message])).toEqual([
        ['rows-passed-over', '1 row of totals skipped: line 4.'],
      ]);
    },
  );
});
