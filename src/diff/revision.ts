import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { makeFolder } from '../files/files-and-folders.ts';
import { YAML_FILE_NAME } from '../source/content-path.ts';

export type CheckedOutRevision = {
  readonly content: string;
  /**
   * Replaces the stand-in of a file, such as the logo, with its content.
   * @param file relative to the content folder
   */
  readonly fill: (file: string) => void;
  readonly close: () => void;
};

type TreeFile = { readonly path: string; readonly mode: string; readonly blob: string };

const LINK = '120000';
const SUBMODULE = '160000';

/**
 * Checks out a revision without changing the repository, its index or its work tree. Files other than YAML, such as
 * photos, become stand-ins: files that contain only the id of their blob.
 * @param isWhole returns true for a file that is checked out with its content. @default YAML files
 * @throws UsageError `no-revision`, `no-repository`, `no-git`
 */
export function checkOut(
  content: string,
  revision: string,
  isWhole = (path: string) => YAML_FILE_NAME.test(path),
): CheckedOutRevision {
  const { folder, root, inside } = locate(content);
  const treeish = treeOf(folder, revision);
  const temporary = mkdtempSync(join(tmpdir(), 'catalogue-base-'));
  const close = () => rmSync(temporary, { recursive: true, force: true });
  try {
    const tree = join(temporary, 'tree');
    const found = join(tree, inside);
    // A revision older than the content folder does not contain it.
    mkdirSync(found, { recursive: true });
    const repository = { root, treeish, inside, tree, index: join(temporary, 'index'), isWhole };
    place(repository);
    const fill = (file: string) => {
      if (existsSync(join(found, file))) copyOut(repository, [posix.join(inside, file)]);
    };
    return { content: found, fill, close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Id of a tree with the content of the index, which is what the next commit records.
 * @throws UsageError `no-repository`, `no-git`
 */
export function writeGitIndexTree(content: string): string {
  return git(realpathSync(resolve(content)), ['write-tree']).trim();
}

function locate(content: string): {
  readonly folder: string;
  readonly root: string;
  readonly inside: string;
} {
  const folder = realpathSync(resolve(content));
  const root = realpathSync(git(folder, ['rev-parse', '--show-toplevel']).trim());
  return { folder, root, inside: relative(root, folder).split(sep).join('/') };
}

/** `inside`: folder to check out. `tree`: folder for its files. `index`: path of a temporary index. */
type Repository = {
  readonly root: string;
  readonly treeish: string;
  readonly inside: string;
  readonly tree: string;
  readonly index: string;
  readonly isWhole: (path: string) => boolean;
};

function place(repository: Repository): void {
  const { root, treeish, inside, tree, index, isWhole } = repository;
  // Uses a temporary index, since the repository's own index may contain staged changes.
  git(root, ['read-tree', treeish], { GIT_INDEX_FILE: index });
  const whole: string[] = [];
  for (const { path, mode, blob } of filesOf(root, inside, { GIT_INDEX_FILE: index })) {
    if (mode === SUBMODULE) placeSubmodule(repository, path, blob);
    else if (mode === LINK || isWhole(path)) whole.push(path);
    else {
      makeFolder(dirname(join(tree, path)));
      writeFileSync(join(tree, path), blob);
    }
  }
  copyOut(repository, whole);
}

function placeSubmodule(repository: Repository, path: string, commit: string): void {
  const { root, tree, index } = repository;
  if (!existsSync(join(root, path, '.git'))) return;
  try {
    git(join(root, path), ['cat-file', '-e', `${commit}^{tree}`]);
  } catch {
    return;
  }
  makeFolder(join(tree, path));
  place({
    ...repository,
    root: join(root, path),
    treeish: commit,
    inside: '',
    tree: join(tree, path),
    index: `${index}-of-submodule`,
  });
}

function copyOut({ root, tree, index }: Repository, paths: readonly string[]): void {
  const args = ['checkout-index', '-z', '--stdin', '--force', `--prefix=${tree}/`];
  git(root, args, { GIT_INDEX_FILE: index }, paths.map((path) => `${path}\0`).join(''));
}

function* filesOf(root: string, inside: string, environment = {}): Generator<TreeFile> {
  const pathspec = inside === '' ? '.' : `:(top,literal)${inside}`;
  for (const line of git(root, ['ls-files', '-s', '-z', '--', pathspec], environment).split('\0')) {
    const [, mode, blob, path] = /^(\d+) ([0-9a-f]+) \d\t(.+)$/s.exec(line) ?? [];
    if (mode && blob && path) yield { path, mode, blob };
  }
}

/**
 * Returns a map from the digest of each stand-in ({@link checkOut}) to the digest of the photo.
 * @param photos maps the path of each photo to its digest
 */
export function photoDigestsOfStandIns(
  content: string,
  photos: ReadonlyMap<string, string>,
): Map<string, string> {
  const standIns = new Map<string, string>();
  if (photos.size === 0) return standIns;
  const { root, inside } = locate(content);
  const known = new Map<string, string>();
  for (const { path, mode, blob } of filesOf(root, inside))
    if (mode !== LINK && mode !== SUBMODULE) known.set(path, blob);
  for (const path of git(root, ['diff-files', '-z', '--name-only']).split('\0')) known.delete(path);
  const digests = new Map([...photos].map(([path, digest]) => [posix.join(inside, path), digest]));
  // The index does not have the blob ids of new and changed files, or of files in submodules or behind links. Git
  // computes these ids, since its filters may change the bytes.
  const others = [...digests.keys()].filter((path) => !known.has(path));
  const lines = others.map((path) => `${JSON.stringify(path)}\n`).join('');
  const blobs = lines === '' ? [] : git(root, ['hash-object', '--stdin-paths'], {}, lines).split('\n');
  for (const [index, path] of others.entries()) known.set(path, blobs[index]!);
  for (const [path, digest] of digests)
    standIns.set(createHash('sha256').update(known.get(path)!).digest('hex'), digest);
  return standIns;
}

function treeOf(folder: string, revision: string): string {
  try {
    return git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`]).trim();
  } catch {
    throw new UsageError(
      'no-revision',
      `"${revision}" is no revision of this repository, no folder of a build, and no address of a catalogue. In a shallow clone, fetch it first: git fetch origin main.`,
    );
  }
}

function git(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): string {
  try {
    return execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      input,
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 2 ** 30,
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw new UsageError('no-git', 'There is no git on this machine.');
    if (/not a git repository/.test(stderr ?? '')) {
      throw new UsageError(
        'no-repository',
        `${folder} is in no git repository. Name a folder of a build instead.`,
      );
    }
    throw error;
  }
}
