import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { build } from '../../src/compile/build.ts';
import { refuseOverlap } from '../../src/compile/output-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('refuses content inside the output and output inside the content, through links too (C7)', async () => {
  const root = temporaryFolder();
  const path = (name: string) => join(root, name);
  mkdirSync(path('content/photos'), { recursive: true });
  mkdirSync(path('site/content'), { recursive: true });
  symlinkSync(path('content'), path('link'));
  symlinkSync(path('site/content'), path('linked-content'));
  const overlaps = [
    ['content', 'content'],
    ['content', 'content/dist'],
    ['content', 'content/photos'],
    ['content', 'link/a/b'],
    ['link', 'content/dist'],
    ['site/content', 'site'],
    ['linked-content', 'site'],
  ];
  for (const [content, out] of overlaps) {
    expect(() => refuseOverlap(path(content!), path(out!)), out).toThrow(
      expect.objectContaining({ code: 'overlapping-folders', name: 'UsageError' }),
    );
  }
  for (const [content, out] of [
    ['content', 'dist'],
    ['content', 'content-dist'],
    ['site/content', 'site/dist'],
    ['content', 'a/b/c'],
    ['missing', 'dist'],
  ]) {
    refuseOverlap(path(content!), path(out!));
  }
  await expect(build({ content: path('content'), out: path('link/dist') })).rejects.toThrow(
    /The output folder .* is inside the content folder/,
  );
});
