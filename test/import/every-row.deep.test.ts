/** Whatever a table holds, every row is a file or in the report, and files say what the rows said. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importSource } from '../../src/import/import-source.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { createWorkspace, readTree } from '../compile/workspace.ts';
import { termsFrom } from '../support/terms.ts';

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    'Cork',
    'IE',
    'Ireland',
    '51.9',
    '−8.4',
    '021 427 0000',
    'n/a',
    'yes',
    '<b>x</b>',
    '[1]',
    '1e5',
  ),
);
const good = (column: string, value: string) =>
  fc
    .oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: cell })
    .map((text) => [column, text] as const);
const row = fc.tuple(
  good('name', 'House'),
  good('town', 'Cork'),
  good('country', 'Ireland'),
  good('lat', '51.9'),
  good('lon', '-8.4'),
  good('phone', '021 427 0000'),
  good('amenities', 'WLAN, Moat'),
  good('draft', 'no'),
  cell.map((text) => ['other', text] as const),
);

it('every row is a file or in the report, and what is written passes the checks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const workspace = createWorkspace();
      const objects = rows.map((cells, index) => ({ ref: `r${index}`, ...Object.fromEntries(cells) }));
      const path = join(workspace.root, 't.json');
      const mapping = join(workspace.root, 'm.yaml');
      writeFileSync(path, JSON.stringify(objects));
      writeFileSync(
        mapping,
        'id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ntitle: name\ncurrency: { value: EUR }\nphone: phone\ncity: town\ncountry: country\nlatitude: lat\nlongitude: lon\nfacilities: { from: amenities, split: "," }\ndraft: draft\n',
      );
      const given = { content: workspace.content, force: false, photos: false, mapping };
      const { result } = await importSource(path, given);
      const { written, refused, causes, outcomes } = result!;
      expect(written + refused).toBe(rows.length);
      expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(refused);
      const errors = causes
        .filter(({ severity }) => severity === 'error')
        .reduce((sum, { count }) => sum + count, 0);
      expect(errors).toBeGreaterThanOrEqual(refused);
      const files = [...readTree(workspace.content)].filter(([name]) => name.endsWith('.yaml'));
      expect(files).toHaveLength(written);
      for (const [name, bytes] of files) {
        const { diagnostics, readable } = checkPropertyFile(Buffer.from(bytes, 'latin1'), name, termsFrom());
        const found = diagnostics.filter(({ severity }) => severity === 'error');
        expect(readable?.draft === 'true' ? [] : found).toEqual([]);
      }
      // The same table again changes nothing.
      const again = await importSource(path, given);
      expect(again.result).toMatchObject({ written: 0, replaced: 0, conflict: 0, present: written });
    }),
    { numRuns: 40 },
  );
});
