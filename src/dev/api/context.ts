/** State that the requests of the page share. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Obstacle } from '../../editor/api.ts';
import type { Session } from '../session.ts';

/** Acts when everything that was asked for before, with the same key, has ended. */
export type Queue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

export type EditContext = {
  readonly session: Session;
  readonly queue: Queue;
  /** Files that this session removed, the property first, by its path. */
  readonly removed: Map<string, readonly { readonly path: string; readonly bytes: Buffer }[]>;
  /** Paths of the photos that pages brought. */
  readonly uploads: Set<string>;
};

/** The address by which Visual Studio Code, and editors of its kind, open a file. */
export function editorLink({ session }: EditContext, path: string, line?: number): string {
  const { pathname } = pathToFileURL(join(session.content, path));
  return `vscode://file${pathname}${line === undefined ? '' : `:${line}`}`;
}

export function obstacleAt(
  context: EditContext,
  path: string,
  reason: string,
  line: number | null,
): Obstacle {
  return { reason, line, link: editorLink(context, path, line ?? undefined) };
}
