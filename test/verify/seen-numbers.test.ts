import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSeenReleaseNumber, writeSeenReleaseNumber } from '../../src/verify/seen-numbers.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('remembers the number of each catalogue', () => {
  const file = join(temporaryFolder(), 'seen.json');
  expect(readSeenReleaseNumber(file, 'https://a.example')).toBeUndefined();
  writeSeenReleaseNumber(file, 'https://a.example', 2);
  writeSeenReleaseNumber(file, 'https://b.example/x', 3);
  expect(readSeenReleaseNumber(file, 'https://a.example')).toBe(2);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    'https://a.example': 2,
    'https://b.example/x': 3,
  });
});

it('is the same for all spellings of a URL, those of an earlier file too', () => {
  const file = join(temporaryFolder(), 'seen.json');
  writeFileSync(file, '{"https://A.example:443":7,"https://a.example":5}');
  for (const url of ['https://a.example', 'https://A.EXAMPLE/', 'https://a.example:443//'])
    expect(readSeenReleaseNumber(file, url)).toBe(7);
  writeSeenReleaseNumber(file, 'HTTPS://a.example', 8);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ 'https://a.example': 8 });
});

it.each(['', '{', '[]', '5', '""', 'true', 'null', '{"a":"2"}', '{"a":0}', '{"a":1.5}', '{"a":1e300}'])(
  'does not take %j for a file without numbers (B1)',
  (text) => {
    const file = join(temporaryFolder(), 'seen.json');
    writeFileSync(file, text);
    expect(() => readSeenReleaseNumber(file, 'https://a.example')).toThrow(
      'is not a file that "catalogue verify --seen" wrote',
    );
  },
);
