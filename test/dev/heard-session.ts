/** A session, and what it reports. */
import { expect, onTestFinished } from 'vitest';
import { type SessionEvent, type SessionOptions, startSession } from '../../src/dev/session/session.ts';
import type { Workspace } from '../compile/workspace.ts';

export type HeardSession = Awaited<ReturnType<typeof startHeardSession>>;

/** Starts it for the time of a test, and waits for its first build. */
export async function startHeardSession(workspace: Workspace, options: Partial<SessionOptions> = {}) {
  const { content, out, write } = workspace;
  const events: SessionEvent[] = [];
  const find = async (from: number, isIt: (event: SessionEvent) => boolean): Promise<SessionEvent> => {
    await expect.poll(() => events.slice(from).some(isIt), { interval: 5 }).toBe(true);
    return events.slice(from).find(isIt)!;
  };
  const listener = (event: SessionEvent) => void events.push(event);
  const session = await startSession({ content, out, jobs: 1, idle: 40, listener, ...options });
  onTestFinished(() => session.close());
  /** Waits for the next event of a kind, from this number of events on. */
  const next = (kind: SessionEvent['kind'], from: number) => find(from, (event) => event.kind === kind);
  await next('settled', 0);
  return {
    session,
    events,
    next,
    /** Writes a file, and waits until a build has read it, and another one has found nothing else. */
    async settle(name: string, text: string | Uint8Array): Promise<void> {
      const from = events.length;
      write(name, text);
      const isRead = (event: SessionEvent) => event.kind === 'files' && event.paths?.includes(name) === true;
      await next('settled', events.indexOf(await find(from, isRead)));
    },
  };
}
