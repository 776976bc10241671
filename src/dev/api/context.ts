/** State shared by the requests of the editor's API. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Obstacle } from '../../editor/api.ts';
import type { Session } from '../session.ts';

/** Runs a function after all earlier ones with the same key have ended. */
export type Queue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

export type EditContext = {
  readonly session: Session;
  readonly queue: Queue;
  /** Files removed in this session, by the property's path; the property file is first. */
  readonly removed: Map<string, readonly { readonly path: string; readonly bytes: Buffer }[]>;
  /** Paths of photos uploaded in this session. */
  readonly uploads: Set<string>;
};

/** Returns the URL that opens a file in Visual Studio Code and similar editors. */
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
