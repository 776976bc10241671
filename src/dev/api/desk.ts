/** What the requests of the page share. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Obstacle } from '../../editor/api.ts';
import type { Session } from '../session.ts';
import type { Journal } from './journal.ts';
import type { Queue } from './queue.ts';
import type { PhotoUploads } from './uploads.ts';
import type { TextVersions } from './versions.ts';

export type Desk = {
  readonly session: Session;
  readonly queue: Queue;
  /** What can be undone. */
  readonly journal: Journal;
  /** Texts that pages hold. */
  readonly versions: TextVersions;
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
