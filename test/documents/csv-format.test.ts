/** The download for spreadsheets, as other programs read it (A14, E5). */
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { Property } from '../../src/contract/property.ts';
import { csvFormatOfFields, csvFormatWithColumns } from '../../src/documents/csv-format.ts';

const TABLE = csvFormatOfFields();
const HOUSE = {
  ...{ title: 'Rose Cottage', currency: 'EUR', email: '', phone: '', zip_code: '', city: 'Cork', state: '' },
  ...{ address: '', country: 'IE', latitude: '51.9', longitude: '-8.5', facilities: [], photo: [] },
  ...{ hotel_policy: [], payment_method: [] },
} as unknown as Property;

/** A row as the parser's defaults read it. */
function readBack(fields: Partial<Property>): Record<string, string> {
  const text = TABLE.head + TABLE.rowOf('5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11', { ...HOUSE, ...fields });
  return (parse(text, { columns: true }) as Record<string, string>[])[0]!;
}

describe('the table', () => {
  it('has the names of the fields, without a byte-order mark', () => {
    expect(Object.keys(readBack({}))).toEqual(TABLE.fields.map(({ name }) => name));
    expect(TABLE.head).toMatch(/^id,title,currency,[a-z_,]+\r\n$/);
  });

  it('has the types of the published profile', () => {
    expect([...new Set(TABLE.fields.map(({ type }) => type))]).toEqual(['string', 'number']);
  });

  it.each([
    ['+353 1 605 7700', '+353 1 605 7700'],
    ['+353-1-605-7700', '+353 1 605 7700'],
    ['+35316057700', '+3531605 7700'],
    ['+1 (202) 555-0143', '+1 202 555 0143'],
    ['', ''],
    ['+44 20 7946 0958 ext. 5', "'+44 20 7946 0958 ext. 5"],
  ])('has a phone number that neither a spreadsheet nor a parser changes: %s', (phone, cell) =>
    expect(readBack({ phone }).phone).toBe(cell),
  );

  it('has what a spreadsheet would compute behind an apostrophe', () => {
    for (const title of ['=1+1', '+1+1', '-1', '@SUM(A1)', ' =1', '\uff1d1'])
      expect(readBack({ title }).title).toBe(`'${title}`);
    expect(readBack({ title: 'a=b', address: '12 "Quay"' })).toMatchObject({
      title: 'a=b',
      address: '12 "Quay"',
    });
  });

  it('pairs columns with values by name, when another version made the release', () => {
    const names = [
      'id',
      'gone',
      ...TABLE.fields.map(({ name }) => name).filter((name) => name !== 'id' && name !== 'zip_code'),
    ];
    const { head, rowOf } = csvFormatWithColumns(names.map((name) => ({ name, type: 'string' })));
    const row = rowOf('5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11', { ...HOUSE, zip_code: 'T12' });
    const [read] = parse(head + row, { columns: true }) as Record<string, string>[];
    expect(read).toMatchObject({
      gone: '',
      title: 'Rose Cottage',
      city: 'Cork',
      country: 'IE',
      latitude: '51.9',
    });
  });

  it('has lists that can be divided again, whatever is in them', () => {
    const facilities = ['wifi', 'a, b', 'say "hi"', 'sea view'];
    expect(parse(readBack({ facilities }).facilities!)).toEqual([facilities]);
    expect(readBack({ facilities: ['wifi', 'parking'] }).facilities).toBe('wifi,parking');
  });
});
