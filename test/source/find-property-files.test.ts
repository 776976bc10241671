import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileErrorReason } from '../../src/errors/file-error.ts';
import { isInside } from '../../src/source/content-path.ts';
import { findPropertyFiles } from '../../src/source/find-property-files.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { unprivileged } from './unprivileged.ts';

/** Paths of the files, and code, path and message of the problems of others. */
function find(content: string) {
  const { files, diagnostics } = findPropertyFiles(content);
  return {
    files: [...files],
    wrong: diagnostics.map(({ code, file, message }) => [code, file, message]).sort(),
  };
}

/** A folder with these files; a name that ends with `/` is a folder. */
function folderWith(...names: string[]) {
  const workspace = createWorkspace();
  for (const name of names) {
    if (name.endsWith('/')) mkdirSync(join(workspace.content, name), { recursive: true });
    else workspace.write(name, 'x');
  }
  return {
    ...workspace,
    link: (target: string, name: string) => symlinkSync(target, join(workspace.content, name)),
  };
}

describe('a configuration under another name (D9)', () => {
  it.each([
    ...[
      'catalogue.yml',
      'Catalogue.yaml',
      'CATALOGUE.YML',
      'catalogue.yaml.txt',
      '.catalogue.yaml',
      '_catalogue.yml',
    ],
    ...[
      'catalog.yaml',
      'catalouge.yaml',
      'catalogues.yml',
      'catalogue (1).yaml',
      'catalogue.yaml.yaml',
      'catalogue..yaml',
    ],
    ...['catalogue - Copy.yaml', 'catalogue .yaml'],
  ])('is reported, and not read as a property: %s', (name) => {
    const { content } = folderWith(name, 'rose.yaml');
    const { files, wrong } = find(content);
    expect(files).toEqual(['rose.yaml']);
    expect(wrong).toEqual([['misnamed-configuration', name, expect.stringContaining('"catalogue.yaml"')]]);
  });

  it.each(['sub/catalogue.yml', 'catalina.yaml', 'cottage.yaml', 'cat.yaml', 'dialogue.yaml'])(
    'is none: %s',
    (name) => expect(find(folderWith(name).content)).toEqual({ files: [name], wrong: [] }),
  );

  it('is reported beside one with the right name, but no copy that nothing reads', () => {
    const { content } = folderWith(
      'catalogue.yaml',
      'catalogue.yml',
      'catalogue.yaml.txt',
      '.catalogue.yaml',
    );
    expect(find(content).wrong.map(([, name]) => name)).toEqual(['catalogue.yml']);
  });
});

describe('the files', () => {
  it('are those with a YAML extension, at any depth, by path', () => {
    const { content } = folderWith(
      ...['b.yaml', 'a.yml', 'B.YAML', 'c.YmL', 'sub/d.yaml', 'sub/deep/er/e.yaml', 'sub.yaml.bak', 'yaml'],
      ...['x.yamls', 'photo.jpg', 'README.md', 'empty/', 'z.json'],
    );
    expect(find(content)).toEqual({
      files: ['B.YAML', 'a.yml', 'b.yaml', 'c.YmL', 'sub/d.yaml', 'sub/deep/er/e.yaml'],
      wrong: [],
    });
  });

  it('include no configuration, but files of its name elsewhere', () => {
    const { content } = folderWith('catalogue.yaml', 'sub/catalogue.yaml', 'catalogue.yml');
    expect(find(content).files).toEqual(['sub/catalogue.yaml']);
  });

  it('include none whose name, or folder, starts with a dot', () => {
    const { content } = folderWith('.hidden.yaml', '.git/config.yaml', 'sub/.x/y.yaml', 'a.yaml');
    expect(find(content)).toEqual({ files: ['a.yaml'], wrong: [] });
  });

  it('may have any readable name', () => {
    const names = [
      ...[' a.yaml', '!a.yaml', '#a.yaml', '$HOME.yaml', '(a)+.yaml', '**.yaml', '-a.yaml', '@(a).yaml'],
      ...['[a]*.yaml', '[d]/a.yaml', 'a b.yaml', 'a\\b.yaml', 'a\u0301.yaml', 'a?.yaml', 'é.yaml'],
      'quote\'".yaml',
      `${'x'.repeat(250)}.yaml`,
      '{a,b}.yaml',
      '~a.yaml',
      '東京/家.yaml',
      '😀.yaml',
    ];
    expect(find(folderWith(...names).content)).toEqual({ files: [...names].sort(), wrong: [] });
  });

  it.each(['\u202e', '\u2066', '\u200f', '\ufeff', '\u0007', '\n'])(
    'are errors with a control or direction character in their name: %j (C14)',
    (character) => {
      const { wrong } = find(folderWith(`a${character}b.yaml`, `c${character}/d.yaml`).content);
      expect(wrong.map(([code]) => code)).toEqual(['illegible-name', 'illegible-name']);
    },
  );

  it('do not exist in an empty folder; a missing folder throws', () => {
    expect(find(folderWith().content)).toEqual({ files: [], wrong: [] });
    expect(() => findPropertyFiles('/nowhere/at/all')).toThrow(/ENOENT/);
    const { content } = folderWith('a.yaml');
    expect(() => findPropertyFiles(join(content, 'a.yaml'))).toThrow(/ENOTDIR/);
  });

  it.each<[include: string[], exclude: string[], found: string[]]>([
    [[], [], ['a.yaml', 'drafts/b.yml', 'hotels/c.YAML', 'hotels/old/d.yaml']],
    [['hotels/**'], [], ['hotels/c.YAML', 'hotels/old/d.yaml']],
    [['hotels/*.{yaml,YAML}', '*.yaml'], [], ['a.yaml', 'hotels/c.YAML']],
    [[], ['drafts/**', '**/old'], ['a.yaml', 'hotels/c.YAML']],
    [[], ['drafts', 'hotels/*.YAML'], ['a.yaml', 'hotels/old/d.yaml']],
    [['**/*.yaml'], ['hotels/**'], ['a.yaml']],
    // Two walks, of which one lies inside the other.
    [['{hotels/**,hotels/old/**}'], [], ['hotels/c.YAML', 'hotels/old/d.yaml']],
    [['nowhere/**', '.hidden/**'], [], []],
  ])('match the patterns %j without %j', (include, exclude, found) => {
    const { content } = folderWith(
      ...['a.yaml', 'drafts/b.yml', 'hotels/c.YAML', 'hotels/old/d.yaml', 'hotels/e.jpg'],
      ...['.hidden/f.yaml', 'catalogue.yaml'],
    );
    const { files, diagnostics } = findPropertyFiles(content, { include, exclude });
    expect(files).toEqual(found);
    expect(diagnostics).toEqual([]);
  });

  it('are found at great depth', () => {
    const folder = 'd/'.repeat(500);
    const { content } = folderWith();
    let path = content;
    for (let depth = 0; depth < 500; depth++) {
      path = join(path, 'd');
      mkdirSync(path);
    }
    writeFileSync(join(path, 'a.yaml'), 'x');
    expect(find(content).files).toEqual([`${folder}a.yaml`]);
  });
});

describe('an unreadable name', () => {
  const NAME =
    'The name has a line break, a control character or a mark of writing direction in it, or is not UTF-8.';

  it.each(['a\nb.yaml', 'a\rb.yaml', 'a\tb.yaml', 'a\u001b[2Jb.yaml', 'a\u2028b.yaml', 'a\u0085.yaml'])(
    'is reported: %j',
    (name) => {
      expect(find(folderWith(name, 'z.yaml').content)).toEqual({
        files: ['z.yaml'],
        wrong: [['illegible-name', name, NAME]],
      });
    },
  );

  it('of a folder hides its files', () => {
    expect(find(folderWith('a\nb/c.yaml').content).wrong).toEqual([['illegible-name', 'a\nb', NAME]]);
  });

  // Some file systems refuse such names; those of macOS do.
  it.runIf(process.platform === 'linux')('is reported because it is not UTF-8', () => {
    const { content } = folderWith('sub/', 'z.yaml');
    const inside = (...bytes: (string | number)[]) =>
      Buffer.concat([
        Buffer.from(`${content}/`),
        ...bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))),
      ]);
    writeFileSync(inside('sub/caf', 0xe9, '.yaml'), 'x');
    mkdirSync(inside('caf', 0xe9));
    writeFileSync(inside('caf', 0xe9, '/a.yaml'), 'x');
    expect(find(content)).toEqual({
      files: ['z.yaml'],
      wrong: [
        ['illegible-name', 'caf\ufffd', NAME],
        ['illegible-name', 'sub/caf\ufffd.yaml', NAME],
      ],
    });
  });

  it('is ignored for other kinds of files', () => {
    expect(find(folderWith('Icon\r', 'a\nb.jpg').content)).toEqual({ files: [], wrong: [] });
  });
});

describe('a path that is neither file nor folder', () => {
  it('is reported', async () => {
    const { content } = folderWith('folder.yaml/a.yaml', 'folder.yml/');
    execFileSync('mkfifo', [
      join(content, 'pipe.yaml'),
      join(content, 'pipe'),
      join(content, 'catalogue.yaml'),
    ]);
    const server = createServer().listen(join(content, 'socket.yml'));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    expect(find(content)).toEqual({
      files: ['folder.yaml/a.yaml'],
      wrong: [
        [
          'folder-named-like-a-file',
          'folder.yaml',
          'This is a folder, though its name ends like that of a YAML file.',
        ],
        [
          'folder-named-like-a-file',
          'folder.yml',
          'This is a folder, though its name ends like that of a YAML file.',
        ],
        ['not-a-file', 'catalogue.yaml', 'This is a named pipe, not a file.'],
        ['not-a-file', 'pipe.yaml', 'This is a named pipe, not a file.'],
        ['not-a-file', 'socket.yml', 'This is a socket, not a file.'],
      ],
    });
  });
});

describe('a link', () => {
  it('to a file of the content stands for that file', () => {
    const { content, link } = folderWith('sub/real.txt', 'a.yaml');
    link('sub/real.txt', 'b.yaml');
    link(join(content, 'a.yaml'), 'c.yaml');
    expect(find(content)).toEqual({ files: ['a.yaml', 'b.yaml', 'c.yaml'], wrong: [] });
  });

  it('to a folder of the content is skipped', () => {
    const { content, link } = folderWith('real/a.yaml');
    link('real', 'alias');
    link('.', 'self');
    link('..', 'real/up');
    link('real', 'folder.yaml');
    expect(find(content)).toEqual({ files: ['real/a.yaml'], wrong: [] });
  });

  it('that leads outside the content is an error, except to a photo', () => {
    const { content, root, link } = folderWith('a.yaml');
    writeFileSync(join(root, 'secret.yaml'), 'x');
    writeFileSync(join(root, 'photo.jpg'), 'x');
    mkdirSync(join(root, 'content-2'));
    link('../secret.yaml', 'file.yaml');
    link('../content-2', 'folder');
    link('../photo.jpg', 'photo.jpg');
    link('..', 'up');
    link('/dev/zero', 'zero.yaml');
    link('../secret.yaml', 'catalogue.yaml');
    const found = find(content);
    expect(found.files).toEqual(['a.yaml']);
    expect(found.wrong).toEqual([
      ['outside-content', 'catalogue.yaml', 'The link leads out of the content folder, to "../secret.yaml".'],
      ['outside-content', 'file.yaml', 'The link leads out of the content folder, to "../secret.yaml".'],
      ['outside-content', 'folder', 'The link leads out of the content folder, to "../content-2".'],
      ['outside-content', 'up', 'The link leads out of the content folder, to "..".'],
      ['outside-content', 'zero.yaml', expect.stringMatching(/zero"\.$/)],
    ]);
  });

  it('to a missing file, to itself, or to a pipe is reported', () => {
    const { content, link } = folderWith();
    link('nothing.txt', 'dangling.yaml');
    link('nothing', 'dangling');
    link('loop-b.yaml', 'loop-a.yaml');
    link('loop-a.yaml', 'loop-b.yaml');
    link('self.yaml', 'self.yaml');
    execFileSync('mkfifo', [join(content, 'pipe')]);
    link('pipe', 'to-pipe.yaml');
    expect(find(content)).toEqual({
      files: [],
      wrong: [
        ['not-a-file', 'to-pipe.yaml', 'This is a named pipe, not a file.'],
        ['unreadable-file', 'dangling.yaml', 'The file cannot be read: it does not exist.'],
        ['unreadable-file', 'loop-a.yaml', 'The file cannot be read: its links go round in a circle.'],
        ['unreadable-file', 'loop-b.yaml', 'The file cannot be read: its links go round in a circle.'],
        ['unreadable-file', 'self.yaml', 'The file cannot be read: its links go round in a circle.'],
      ],
    });
  });

  it('to the content folder itself stands for that folder', () => {
    const { content, root } = folderWith('a.yaml');
    symlinkSync(content, join(root, 'linked'));
    symlinkSync('a.yaml', join(content, 'b.yaml'));
    expect(find(join(root, 'linked'))).toEqual({ files: ['a.yaml', 'b.yaml'], wrong: [] });
  });
});

describe('a folder that cannot be listed', () => {
  it('is reported, and the others are read', async () => {
    const { content, root } = folderWith('closed/a.yaml', 'open/b.yaml');
    chmodSync(root, 0o755);
    chmodSync(join(content, 'closed'), 0);
    onTestFinished(() => chmodSync(join(content, 'closed'), 0o755));
    expect(await unprivileged(() => find(content))).toEqual({
      files: ['open/b.yaml'],
      wrong: [['unreadable-folder', 'closed', 'The folder cannot be listed: permission denied.']],
    });
  });

  it('throws when it is the content folder', async () => {
    const { content, root } = folderWith();
    chmodSync(root, 0o755);
    chmodSync(content, 0);
    onTestFinished(() => chmodSync(content, 0o755));
    await expect(unprivileged(() => findPropertyFiles(content))).rejects.toThrow(/EACCES/);
  });
});

describe('isInside', () => {
  it.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/b/c', true],
    ['/a/b', '/a/bc', false],
    ['/a/b', '/a', false],
    ['/', '/a', true],
  ])('%s: %s: %s', (folder, path, inside) => expect(isInside(folder, path)).toBe(inside));
});

describe('reasonOf', () => {
  it('describes an error, or returns its code', () => {
    expect(fileErrorReason(Object.assign(new Error('x'), { code: 'EISDIR' }))).toBe('it is a folder');
    expect(fileErrorReason(Object.assign(new Error('x'), { code: 'EFAULT' }))).toBe('EFAULT');
    expect(fileErrorReason(new Error('odd'))).toBe('odd');
  });
});
