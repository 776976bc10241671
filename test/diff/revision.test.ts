/** A review reads no photo of its base: git's blob ids say which differ (D4). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { diffContent } from '../../src/diff/diff.ts';
import { checkOut } from '../../src/diff/revision.ts';
import { createWorkspace, idOf, readTree, type Workspace } from '../compile/workspace.ts';

const PLAIN = 'page_sizes: [25]\ntargets: []\ndocs: false\nbulk: false\n';

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  const options = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', ['-C', folder, ...identity, ...options, ...args], { encoding: 'utf8' }).trim();
}

function commit(workspace: Workspace): void {
  git(workspace.root, 'add', '-A');
  git(workspace.root, 'commit', '-qm', 'one');
}

/** A repository with two properties, each with a photo; only the first is in a subfolder. */
function repository(more: (workspace: Workspace) => void = () => {}): Workspace {
  const workspace = createWorkspace();
  workspace.configure(PLAIN);
  workspace.write('photos/one.jpg', 'bytes of one');
  workspace.write('two.jpg', 'bytes of two');
  workspace.add(1, { photo: [{ file: 'photos/one.jpg' }] });
  workspace.add(2, { photo: [{ file: 'two.jpg' }] });
  git(workspace.root, 'init', '-q');
  more(workspace);
  commit(workspace);
  return workspace;
}

/** Removes the blobs of photos from the repository: whoever asks for one fails. */
function loseBlobs({ root }: Workspace, ...paths: string[]): void {
  for (const path of paths) {
    const blob = git(root, 'rev-parse', `HEAD:content/${path}`);
    rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  }
}

const compare = ({ content }: Workspace) => diffContent({ content, base: 'HEAD', jobs: 1 });
const changedIds = async (workspace: Workspace) => (await compare(workspace)).changed.map(({ id }) => id);

describe('a review', () => {
  it('asks git for no photo, and counts the images of changed ones', async () => {
    const workspace = repository();
    loseBlobs(workspace, 'photos/one.jpg', 'two.jpg');
    const same = await compare(workspace);
    expect([same.changed, same.incomparable]).toEqual([[], []]);
    expect(same.releases.before).toBe(same.releases.after);
    workspace.write('two.jpg', 'other bytes');
    const found = await compare(workspace);
    expect(found.changed.map(({ id }) => id)).toEqual([idOf(2)]);
    expect(found.files.written.photos).toBe(2);
    expect(found.releases).toEqual({ before: null, after: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  it('writes no photo, and leaves nothing behind', async () => {
    const workspace = repository();
    const out = checkOut(workspace.content, 'HEAD');
    const files = readTree(out.content);
    expect([...files.keys()].sort()).toEqual([
      'catalogue.yaml',
      'house-1.yaml',
      'house-2.yaml',
      'photos/one.jpg',
      'two.jpg',
    ]);
    for (const path of ['photos/one.jpg', 'two.jpg'])
      expect(files.get(path)).toBe(git(workspace.root, 'rev-parse', `HEAD:content/${path}`));
    out.close();
    const temporary = join(workspace.root, 'temporary');
    mkdirSync(temporary);
    vi.stubEnv('TMPDIR', temporary);
    await compare(workspace);
    vi.unstubAllEnvs();
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('knows a photo by its bytes: moved, copied, staged or not, or touched', async () => {
    const workspace = repository();
    loseBlobs(workspace, 'photos/one.jpg', 'two.jpg');
    writeFileSync(join(workspace.content, 'two.jpg'), 'bytes of two');
    renameSync(join(workspace.content, 'photos/one.jpg'), join(workspace.content, 'photos/neu é "1".jpg'));
    workspace.add(1, { photo: [{ id: idOf(9), file: 'photos/neu é "1".jpg' }] });
    const { changed, files } = await compare(workspace);
    // The photo's own id follows from its file's name.
    expect(changed.map(({ id }) => id)).toEqual([idOf(1)]);
    expect(files.written.photos).toBe(0);
  });

  it('follows symbolic links to photos and folders', async () => {
    const workspace = repository((made) => {
      symlinkSync('two.jpg', join(made.content, 'link.jpg'));
      symlinkSync('photos', join(made.content, 'folder'));
      made.add(3, { photo: [{ file: 'link.jpg' }, { file: 'folder/one.jpg' }] });
    });
    loseBlobs(workspace, 'photos/one.jpg', 'two.jpg');
    expect(await changedIds(workspace)).toEqual([]);
    rmSync(join(workspace.content, 'link.jpg'));
    symlinkSync('photos/one.jpg', join(workspace.content, 'link.jpg'));
    expect(await changedIds(workspace)).toEqual([idOf(3)]);
    workspace.write('photos/one.jpg', 'other bytes');
    expect(await changedIds(workspace)).toEqual([idOf(1), idOf(3)]);
  });

  it('compares files that a filter stores in another form, such as pointers of Git LFS', async () => {
    const workspace = repository((made) => {
      made.write('.gitattributes', '*.jpg filter=pointer\n*.yaml text eol=lf\n');
      // As git-lfs does: what is stored is made from the file, and back.
      git(made.root, 'config', 'filter.pointer.clean', 'sed "s/^/pointer to /"');
      git(made.root, 'config', 'filter.pointer.smudge', 'sed "s/^pointer to //"');
      git(made.root, 'config', 'filter.pointer.required', 'true');
    });
    loseBlobs(workspace, 'photos/one.jpg', 'two.jpg');
    expect(await changedIds(workspace)).toEqual([]);
    writeFileSync(join(workspace.content, 'two.jpg'), 'bytes of two');
    expect(await changedIds(workspace)).toEqual([]);
    workspace.write('two.jpg', 'other bytes');
    expect(await changedIds(workspace)).toEqual([idOf(2)]);
  });

  it('sees into submodules', async () => {
    const photos = createWorkspace();
    photos.write('deep/three.jpg', 'bytes of three');
    git(photos.root, 'init', '-q');
    commit(photos);
    const workspace = repository((made) => {
      git(made.root, 'submodule', '--quiet', 'add', photos.root, 'content/shared');
      made.add(3, { photo: [{ file: 'shared/content/deep/three.jpg' }] });
    });
    expect(await compare(workspace)).toMatchObject({ changed: [], incomparable: [] });
    workspace.write('shared/content/deep/three.jpg', 'other bytes');
    expect(await changedIds(workspace)).toEqual([idOf(3)]);
  });

  it('works in the root of a repository, and where the base has no catalogue', async () => {
    const workspace = createWorkspace();
    git(workspace.content, 'init', '-q');
    git(workspace.content, 'commit', '-q', '--allow-empty', '-m', 'none');
    workspace.configure(PLAIN);
    workspace.write('a.jpg', 'bytes');
    workspace.add(1, { photo: [{ file: 'a.jpg' }] });
    expect((await compare(workspace)).added.map(({ id }) => id)).toEqual([idOf(1)]);
    git(workspace.content, 'add', '-A');
    git(workspace.content, 'commit', '-qm', 'one');
    expect(await compare(workspace)).toMatchObject({ added: [], changed: [], incomparable: [] });
  });
});
