import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestFile, problemIfChanged, readHead, toPhotoProblem } from '../../src/media/source-photo.ts';
import { digestOf, useFolder } from './picture.ts';

const folder = useFolder();

function write(name: string, bytes: Buffer): string {
  const file = join(folder(), name);
  writeFileSync(file, bytes);
  return file;
}

function problemOf(read: () => unknown) {
  try {
    read();
  } catch (error) {
    return toPhotoProblem(error);
  }
  throw new Error('it was read');
}

describe('digestFile', () => {
  it.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 1_000_000])('hashes %i bytes', (size) => {
    const bytes = randomBytes(size);
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(digestFile(write('bytes', bytes))).toBe(expected);
  });
});

describe('readHead', () => {
  it('returns the first bytes and the size', () => {
    const bytes = randomBytes(10_000);
    const { head, size } = readHead(write('head', bytes));
    expect(head.equals(bytes.subarray(0, 4096))).toBe(true);
    expect(size).toBe(10_000);
  });

  it('keeps its bytes when another file is read', () => {
    const { head } = readHead(write('one', Buffer.from('one')));
    readHead(write('two', Buffer.from('two')));
    expect(head.toString()).toBe('one');
  });
});

describe('a file that cannot be read', () => {
  it('is a problem with a reason', () => {
    const at = (name: string) => problemOf(() => digestFile(join(folder(), name)));
    mkdirSync(join(folder(), 'folder.jpg'));
    symlinkSync('loop.jpg', join(folder(), 'loop.jpg'));
    expect(at('none.jpg')).toEqual({ code: 'photo-unreadable', args: { reason: 'it does not exist' } });
    expect(at('folder.jpg').args.reason).toBe('it is a folder');
    expect(at('loop.jpg').args.reason).toBe('its links go round in a circle');
  });

  it.skipIf(process.platform === 'win32')(
    'is reported without waiting when it is a pipe (Windows has none)',
    () => {
      execFileSync('mkfifo', [join(folder(), 'pipe.jpg')]);
      expect(problemOf(() => digestFile(join(folder(), 'pipe.jpg'))).args.reason).toBe(
        'it is not a regular file',
      );
    },
  );

  it('is reported when permission is missing', () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    expect(toPhotoProblem(denied).args.reason).toBe('permission denied');
  });

  it('throws when the photo is not the cause', () => {
    const full = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    expect(() => toPhotoProblem(full)).toThrow(full);
    expect(() => toPhotoProblem(new TypeError('a mistake of ours'))).toThrow('a mistake of ours');
  });
});

describe('problemIfChanged', () => {
  it('finds a file with other bytes, or a missing file', () => {
    const bytes = Buffer.from('first');
    const file = write('changing', bytes);
    expect(problemIfChanged(file, digestOf(bytes))).toBeUndefined();
    writeFileSync(file, 'other');
    expect(problemIfChanged(file, digestOf(bytes))?.args.reason).toBe('it changed while it was read');
    expect(problemIfChanged(join(folder(), 'gone'), digestOf(bytes))?.args.reason).toBe('it does not exist');
  });
});
