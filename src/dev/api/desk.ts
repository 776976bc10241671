/** What the requests of the page share. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Obstacle } from '../../editor/api.ts';
import type { Session } from '../session.ts';
import type { Queue } from './queue.ts';
import type { PhotoUploads } from './uploads.ts';

export type Desk = {
  readonly session: Session;
  readonly queue: Queue;
  /** Files that this session removed, the property first, by its path. */
  readonly removed: Map<string, readonly { readonly path: string; readonly bytes: Buffer }[]>;
  /** Photos that pages brought. */
  readonly uploads: PhotoUploads;
};

/** The address by which Visual Studio Code, and editors of its kind, open a file. */
export function editorLink({ session }: Desk, path: string, line?: number): string {
  const { pathname } = pathToFileURL(join(session.content, path));
  return `vscode://file${pathname}${line === undefined ? '' : `:${line}`}`;
}

export function obstacleAt(desk: Desk, path: string, reason: string, line: number | null): Obstacle {
  return { reason, line, link: editorLink(desk, path, line ?? undefined) };
}
