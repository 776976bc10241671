/** Checks out the content folder of a git revision into a temporary folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';

export type CheckedOut = { readonly content: string; readonly close: () => void };

/**
 * Checks a content folder out of a revision. The repository, its index and its work tree are not changed.
 *
 * @param revision anything that names a commit or a tree.
 * @throws UsageError `no-revision`, `no-repository`.
 */
export function checkOut(content: string, revision: string): CheckedOut {
  const folder = realpathSync(resolve(content));
  const root = git(folder, ['rev-parse', '--show-toplevel'], {}).trim();
  const id = treeOf(folder, revision);
  const inside = relative(realpathSync(root), folder).split(sep).join('/');
  const temporary = mkdtempSync(join(tmpdir(), 'catalogue-base-'));
  const close = () => rmSync(temporary, { recursive: true, force: true });
  try {
    // A temporary index, since the repository's own may have staged work.
    const environment = { GIT_INDEX_FILE: join(temporary, 'index') };
    git(root, ['read-tree', id], environment);
    const paths = git(
      root,
      ['ls-files', '-z', '--', inside === '' ? '.' : `:(top,literal)${inside}`],
      environment,
    );
    const tree = join(temporary, 'tree');
    mkdirSync(tree);
    git(root, ['checkout-index', '-z', '--stdin', '--force', `--prefix=${tree}/`], environment, paths);
    const found = join(tree, inside);
    // A revision from before the catalogue has no content folder.
    if (!existsSync(found)) mkdirSync(found, { recursive: true });
    return { content: found, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Writes the tree of what the next commit records, and returns its id. @throws UsageError `no-repository`. */
export function indexTree(content: string): string {
  return git(realpathSync(resolve(content)), ['write-tree'], {}).trim();
}

function treeOf(folder: string, revision: string): string {
  try {
    return git(
      folder,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{tree}`],
      {},
    ).trim();
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
  environment: Record<string, string>,
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
