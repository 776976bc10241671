import { describe, expect, it } from 'vitest';
import { encodeChunk, entryBytes, parseChunk } from '../../../src/tree/format/chunk.ts';

const SUMMARIES = ['{"id":"é"}', '{}', '{"id":"a,b"}'];
const CITIES = [
  { country: 'IE', city: 'Cork', count: 1 },
  { country: 'IE', city: 'Ñ', count: 2 },
];
const bytes = encodeChunk(SUMMARIES, CITIES);
const text = Buffer.from(bytes).toString();

describe('a chunk', () => {
  it('is JSON, whose first line tells where each record is', () => {
    expect(text).toBe(
      '{"cities":[["IE","Cork",1],["IE","Ñ",2]],"lengths":[11,2,12],"entries":[\n{"id":"é"},{},{"id":"a,b"}]}\n',
    );
    const chunk = parseChunk(bytes)!;
    expect([chunk.count, chunk.cities]).toEqual([3, CITIES]);
    expect(Buffer.from(entryBytes(chunk, 1, 3)).toString()).toBe('{},{"id":"a,b"}');
    expect(Buffer.from(entryBytes(chunk, 0, 1)).toString()).toBe(SUMMARIES[0]);
  });

  it.each([
    ['a torn text', text.slice(0, -3)],
    ['a torn first line', text.slice(0, 30)],
    ['no line', '{"cities":[],"lengths":[],"entries":[]}'],
    ['nothing', ''],
    ['no records', '{"cities":[],"lengths":[],"entries":[\n]}\n'],
    ['other lengths', text.replace('[11,2,12]', '[11,3,11]')],
    ['a length too few', text.replace('[11,2,12]', '[11,15]')],
    ['a length that is no number', text.replace('[11,2,12]', '[11,"2",12]')],
    ['lengths that are no list', text.replace('[11,2,12]', '11')],
    ['a city too few', text.replace('["IE","Cork",1],', '')],
    ['a country that is none', text.replace('IE', 'ie')],
    ['too many records', Buffer.from(encodeChunk(Array(1281).fill('{}'), [])).toString()],
  ])('is not read from %s', (_, damaged) => {
    expect(parseChunk(Buffer.from(damaged))).toBeUndefined();
  });
});
