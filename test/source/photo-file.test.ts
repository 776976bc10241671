import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digestFile } from '../../src/media/source-photo.ts';
import { stampFile } from '../../src/source/file-stamp.ts';
import { createPhotoFinder, type PhotoFile } from '../../src/source/photo-file.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { unprivileged } from './unprivileged.ts';

const DIGEST = 'ab'.repeat(32);

function workspaceWith(...names: string[]) {
  const workspace = createWorkspace();
  for (const name of names) workspace.write(name, 'x');
  const digest = vi.fn((_path: string) => DIGEST);
  const { find } = createPhotoFinder(workspace.content, new Map(), digest);
  const found = (yaml: string, file: string) => {
    const result = find(yaml, file)!;
    return 'code' in result ? [result.code, result.args] : result.path;
  };
  return { ...workspace, find, found, digest };
}

describe('a photo', () => {
  it('is found relative to the YAML file', () => {
    const { found } = workspaceWith('photos/a.jpg', 'ie/b.jpg', 'c.jpg');
    expect(found('house.yaml', 'photos/a.jpg')).toBe('photos/a.jpg');
    expect(found('ie/house.yaml', 'b.jpg')).toBe('ie/b.jpg');
    expect(found('ie/house.yaml', './b.jpg')).toBe('ie/b.jpg');
    expect(found('ie/house.yaml', '../photos/a.jpg')).toBe('photos/a.jpg');
    expect(found('ie/house.yaml', '../ie/../c.jpg')).toBe('c.jpg');
  });

  it('has its stamp and digest', () => {
    const { find, content } = workspaceWith('a.jpg');
    expect(find('house.yaml', 'a.jpg')).toEqual({
      ...stampFile('a.jpg', statSync(join(content, 'a.jpg'))),
      digest: DIGEST,
    });
  });

  it('is read once, however many properties use it', () => {
    const { find, digest } = workspaceWith('photos/a.jpg');
    expect(find('x/house.yaml', '../photos/a.jpg')).toBe(find('house.yaml', 'photos/a.jpg'));
    expect(digest).toHaveBeenCalledTimes(1);
  });

  it('keeps its digest until its size, a time or its inode changes', () => {
    const { content, find } = workspaceWith('a.jpg');
    const before = find('house.yaml', 'a.jpg') as PhotoFile;
    const digestAfter = (change: Partial<PhotoFile>) => {
      const known = new Map([['a.jpg', { ...before, digest: 'kept', ...change }]]);
      return createPhotoFinder(content, known, () => 'new').find('house.yaml', 'a.jpg');
    };
    expect(digestAfter({})).toMatchObject({ digest: 'kept' });
    const written = before.stamp.split(' ');
    expect(written).toHaveLength(4);
    for (const place of written.keys()) {
      const stamp = written.with(place, '7').join(' ');
      expect(digestAfter({ stamp })).toMatchObject({ digest: 'new' });
    }
  });

  it('that is missing is reported, with the nearest existing file', () => {
    const { found } = workspaceWith('photos/front.jpg', 'photos/Garden.JPG');
    expect(found('house.yaml', 'photos/frnt.jpg')).toEqual([
      'photo-missing',
      { path: 'photos/frnt.jpg', suggestion: 'photos/front.jpg' },
    ]);
    expect(found('house.yaml', 'photos/garden.jpg')).toEqual([
      'photo-missing',
      { path: 'photos/garden.jpg', suggestion: 'photos/Garden.JPG' },
    ]);
    expect(found('house.yaml', 'photos/unlike-any-other.png')).toEqual([
      'photo-missing',
      { path: 'photos/unlike-any-other.png' },
    ]);
    expect(found('house.yaml', 'no/such/folder.jpg')).toEqual([
      'photo-missing',
      { path: 'no/such/folder.jpg' },
    ]);
    expect(found('house.yaml', 'photos/front.jpg/x.jpg')).toEqual([
      'photo-missing',
      { path: 'photos/front.jpg/x.jpg' },
    ]);
  });

  it('that is missing is reported in the spelling of each file', () => {
    const { found } = workspaceWith('photos/front.jpg');
    expect(found('house.yaml', 'photos/frnt.jpg')).toEqual([
      'photo-missing',
      { path: 'photos/frnt.jpg', suggestion: 'photos/front.jpg' },
    ]);
    expect(found('ie/dublin/house.yaml', '../../photos/frnt.jpg')).toEqual([
      'photo-missing',
      { path: '../../photos/frnt.jpg', suggestion: '../../photos/front.jpg' },
    ]);
    expect(found('photos/house.yaml', 'frnt.jpg')).toEqual([
      'photo-missing',
      { path: 'frnt.jpg', suggestion: 'front.jpg' },
    ]);
  });

  it('with its name in another form of Unicode is found', () => {
    const { found } = workspaceWith('photos/cafe\u0301.jpg');
    expect(found('house.yaml', 'photos/caf\u00e9.jpg')).toBe('photos/cafe\u0301.jpg');
  });

  it('outside the content folder is refused, whatever the path looks like', () => {
    const { found, root, content } = workspaceWith('a.jpg');
    writeFileSync(join(root, 'secret.jpg'), 'x');
    symlinkSync('../secret.jpg', join(content, 'link.jpg'));
    symlinkSync('..', join(content, 'up'));
    for (const file of [
      ...['../secret.jpg', '../../../../etc/hostname', 'x/../../secret.jpg', 'link.jpg', 'up/secret.jpg'],
      ...['..', '../content/a.jpg'],
    ]) {
      expect(found('house.yaml', file)).toEqual(['photo-outside-content', { path: file }]);
    }
  });

  it('that is a link inside the content folder is found', () => {
    const { found, content } = workspaceWith('photos/a.jpg');
    symlinkSync('photos/a.jpg', join(content, 'link.jpg'));
    expect(found('house.yaml', 'link.jpg')).toBe('link.jpg');
  });

  it('that is no file is reported', () => {
    const { found, content } = workspaceWith();
    mkdirSync(join(content, 'folder.jpg'));
    execFileSync('mkfifo', [join(content, 'pipe.jpg')]);
    symlinkSync('loop.jpg', join(content, 'loop.jpg'));
    const reason = 'it is not a regular file';
    expect(found('house.yaml', 'folder.jpg')).toEqual(['photo-unreadable', { path: 'folder.jpg', reason }]);
    expect(found('house.yaml', 'pipe.jpg')).toEqual(['photo-unreadable', { path: 'pipe.jpg', reason }]);
    expect(found('house.yaml', '.')).toEqual(['photo-unreadable', { path: '.', reason }]);
    expect(found('house.yaml', 'loop.jpg')).toEqual([
      'photo-unreadable',
      { path: 'loop.jpg', reason: 'its links go round in a circle' },
    ]);
    expect(found('house.yaml', `${'x'.repeat(300)}.jpg`)).toEqual([
      'photo-unreadable',
      { path: `${'x'.repeat(300)}.jpg`, reason: 'its name is too long' },
    ]);
  });

  it('without read permission is reported', async () => {
    const { content, root } = workspaceWith('a.jpg');
    chmodSync(root, 0o755);
    chmodSync(join(content, 'a.jpg'), 0);
    const { find } = createPhotoFinder(content, new Map(), digestFile);
    onTestFinished(() => chmodSync(join(content, 'a.jpg'), 0o644));
    expect(await unprivileged(() => find('house.yaml', 'a.jpg'))).toEqual({
      code: 'photo-unreadable',
      args: { path: 'a.jpg', reason: 'permission denied' },
    });
  });
});
