import { gitOrEmpty, gitSucceeds } from './git.ts';

export async function currentBranch(content: string): Promise<string | null> {
  return (await gitOrEmpty(content, 'symbolic-ref', '--quiet', '--short', 'HEAD')) || null;
}

export async function mainBranch(
  content: string,
  remote: string | null,
  branch: string | null,
): Promise<string> {
  const head = await gitOrEmpty(content, 'symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`);
  const known = head.slice(`${remote}/`.length);
  if (known !== '') return known;
  const names = linesOf(await gitOrEmpty(content, 'for-each-ref', '--format=%(refname)'));
  const isThere = (name: string) =>
    names.includes(`refs/remotes/${remote}/${name}`) || names.includes(`refs/heads/${name}`);
  return ['main', 'master', 'trunk'].find(isThere) ?? branch ?? 'main';
}

/** Full name of the remote's branch, or else of the local branch; undefined if neither exists. */
export async function findBranch(
  content: string,
  remote: string | null,
  name: string,
): Promise<string | undefined> {
  for (const reference of [`refs/remotes/${remote}/${name}`, `refs/heads/${name}`])
    if (await gitSucceeds(content, 'rev-parse', '--verify', '--quiet', reference)) return reference;
  return undefined;
}

export async function unmergedBranchesOf(
  content: string,
  main: string,
  branch: string | null,
): Promise<string[]> {
  const start = 'refs/heads/';
  const notIn = `--no-merged=${start}${main}`;
  const references = linesOf(await gitOrEmpty(content, 'for-each-ref', notIn, '--format=%(refname)', start));
  return references
    .map((reference) => reference.slice(start.length))
    .filter((name) => name !== branch && name !== main);
}

export function linesOf(output: string): string[] {
  return output.split('\n').filter(Boolean);
}
