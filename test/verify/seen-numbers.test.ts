import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSeen, writeSeen } from '../../src/verify/seen-numbers.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('remembers the number of each catalogue', () => {
  const file = join(temporaryFolder(), 'seen.json');
  expect(readSeen(file)).toEqual({});
  writeSeen(file, 'https://a.example', 2);
  writeSeen(file, 'https://b.example', 3);
  expect(readSeen(file)).toEqual({ 'https://a.example': 2, 'https://b.example': 3 });
});

it.each(['', '{', '[]', '5', '""', 'true', 'null', '{"a":"2"}', '{"a":0}', '{"a":1.5}', '{"a":1e300}'])(
  'does not take %j for a file without numbers (B1)',
  (text) => {
    const file = join(temporaryFolder(), 'seen.json');
    writeFileSync(file, text);
    expect(() => readSeen(file)).toThrow('is not a file that "catalogue verify --seen" wrote');
  },
);
