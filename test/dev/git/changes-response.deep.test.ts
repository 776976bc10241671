/** Each state that `git status` has a pair of letters for, with real git. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../src/editor/changes.ts';
import type { Workspace } from '../../compile/workspace.ts';
import { ROSE, startEditing } from '../editing.ts';
import { repository, run } from './repository.ts';

/** What makes a state of `rose.yaml` or `new.yaml`, and how the page names it. */
type Case = readonly [
  state: string,
  make: (
    git: (...args: string[]) => string,
    write: (path: string, text: string) => void,
    folder: string,
  ) => void,
  kinds: readonly (readonly [path: string, kind: ChangedFile['kind']])[],
];

const NEW = ROSE.replace('0001', '0009').replace('Rose Cottage', 'New House');
const HOUSE = ROSE.replace('Rose Cottage', 'Rose House');

const CASES: readonly Case[] = [
  ['nothing', () => {}, []],
  ['??', (_git, write) => write('new.yaml', NEW), [['new.yaml', 'added']]],
  ['?? of a hidden file', (_git, write) => write('.DS_Store', 'x'), []],
  [
    'A.',
    (git, write) => {
      write('new.yaml', NEW);
      git('add', 'new.yaml');
    },
    [['new.yaml', 'added']],
  ],
  [
    'AM',
    (git, write) => {
      write('new.yaml', NEW);
      git('add', 'new.yaml');
      write('new.yaml', NEW.replace('New House', 'Newer House'));
    },
    [['new.yaml', 'added']],
  ],
  [
    'AD',
    (git, write, folder) => {
      write('new.yaml', NEW);
      git('add', 'new.yaml');
      rmSync(join(folder, 'new.yaml'));
    },
    [],
  ],
  [
    '.A',
    (git, write) => {
      write('new.yaml', NEW);
      git('add', '--intent-to-add', 'new.yaml');
    },
    [['new.yaml', 'added']],
  ],
  ['.M', (_git, write) => write('rose.yaml', HOUSE), [['rose.yaml', 'changed']]],
  ['.D', (_git, _write, folder) => rmSync(join(folder, 'rose.yaml')), [['rose.yaml', 'removed']]],
  [
    'M.',
    (git, write) => {
      write('rose.yaml', HOUSE);
      git('add', 'rose.yaml');
    },
    [['rose.yaml', 'changed']],
  ],
  [
    'MM, as before',
    (git, write) => {
      write('rose.yaml', HOUSE);
      git('add', 'rose.yaml');
      write('rose.yaml', ROSE);
    },
    [],
  ],
  [
    'MM',
    (git, write) => {
      write('rose.yaml', HOUSE);
      git('add', 'rose.yaml');
      write('rose.yaml', HOUSE.replace('Galway', 'Westport'));
    },
    [['rose.yaml', 'changed']],
  ],
  [
    'MD',
    (git, write, folder) => {
      write('rose.yaml', HOUSE);
      git('add', 'rose.yaml');
      rmSync(join(folder, 'rose.yaml'));
    },
    [['rose.yaml', 'removed']],
  ],
  ['D.', (git) => git('rm', '--quiet', 'rose.yaml'), [['rose.yaml', 'removed']]],
  [
    'D. and ??',
    (git, write) => {
      git('rm', '--quiet', '--cached', 'rose.yaml');
      write('rose.yaml', HOUSE);
    },
    [['rose.yaml', 'changed']],
  ],
  [
    'RM',
    (git, write) => {
      git('mv', 'rose.yaml', 'new.yaml');
      write('new.yaml', HOUSE);
    },
    [
      ['new.yaml', 'added'],
      ['rose.yaml', 'removed'],
    ],
  ],
  [
    'RD',
    (git, _write, folder) => {
      git('mv', 'rose.yaml', 'new.yaml');
      rmSync(join(folder, 'new.yaml'));
    },
    [['rose.yaml', 'removed']],
  ],
  [
    'UU',
    (git, write) =>
      conflict(
        git,
        () => write('rose.yaml', HOUSE),
        () => write('rose.yaml', NEW),
      ),
    [['rose.yaml', 'changed']],
  ],
  [
    'UD',
    (git, write) =>
      conflict(
        git,
        () => write('rose.yaml', HOUSE),
        () => git('rm', '--quiet', 'rose.yaml'),
      ),
    [['rose.yaml', 'changed']],
  ],
  [
    'DU',
    (git, write) =>
      conflict(
        git,
        () => git('rm', '--quiet', 'rose.yaml'),
        () => write('rose.yaml', HOUSE),
      ),
    [['rose.yaml', 'added']],
  ],
  [
    'AA',
    (git, write) =>
      conflict(
        git,
        () => write('new.yaml', NEW),
        () => write('new.yaml', HOUSE),
      ),
    [['new.yaml', 'changed']],
  ],
  [
    'UU after a stash, which is no merge',
    (git, write) => {
      write('rose.yaml', HOUSE);
      git('stash');
      write('rose.yaml', NEW);
      git('commit', '--all', '--message=Another');
      expect(() => git('stash', 'pop')).toThrow();
    },
    [['rose.yaml', 'changed']],
  ],
];

/** Leaves a merge of two changes that git cannot finish. */
function conflict(git: (...args: string[]) => string, ours: () => unknown, theirs: () => unknown): void {
  git('switch', '--quiet', '--create', 'theirs');
  theirs();
  git('add', '.');
  git('commit', '--quiet', '--message=Theirs');
  git('switch', '--quiet', 'main');
  ours();
  git('add', '.');
  git('commit', '--quiet', '--message=Ours');
  expect(() => git('merge', 'theirs')).toThrow();
}

const PLACES = [
  ['in a folder of its own', (workspace: Workspace) => workspace.root],
  // With the folder of builds outside it.
  ['at the root of the repository', (workspace: Workspace) => workspace.content],
] as const;

describe.each(PLACES)('the content %s', (_where, rootOf) => {
  it.each(CASES)('%s (C8, C9)', async (_state, make, kinds) => {
    const { ask, workspace } = await startEditing((made) => {
      repository(made, rootOf(made));
      const write = (path: string, text: string) => made.write(path, text);
      make((...args) => run(made.content, ...args), write, made.content);
    });
    const { status, json } = await ask('changes');
    expect(status).toBe(200);
    const found = (json.files as ChangedFile[]).map(({ path, kind }) => [path, kind]);
    expect(found).toEqual(kinds);
    expect((await ask('properties')).json.changed).toBe(kinds.length);
    const isUnmerged = run(workspace.content, 'ls-files', '--unmerged') !== '';
    expect(json.git.obstacle !== null).toBe(isUnmerged);
    if (isUnmerged || kinds.length === 0) return;
    const files = (json.files as ChangedFile[]).map(({ path, version }) => ({ path, version }));
    const done = await ask('commit', { message: 'All', files });
    expect(done).toMatchObject({ status: 200 });
    expect((await ask('changes')).json.files).toEqual([]);
  });
});

it('a refused record leaves what was staged by hand (C9)', async () => {
  const { ask, workspace } = await startEditing((made) => {
    repository(made);
    made.write('new.yaml', NEW);
    run(made.content, 'add', 'new.yaml');
    writeFileSync(join(made.root, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  });
  const before = run(workspace.content, 'status', '--porcelain');
  const { files } = (await ask('changes')).json as { files: ChangedFile[] };
  const refused = await ask('commit', {
    message: 'All',
    files: files.map(({ path, version }) => ({ path, version })),
  });
  expect(refused.status).toBe(422);
  expect(run(workspace.content, 'status', '--porcelain')).toBe(before);
});
