/** The part of a session that requests about the repository need. */
import type { EditContext } from '../../../src/dev/api/context.ts';

export function contextOf(content: string, patience = 60_000): EditContext {
  return {
    session: { content, notify: () => {}, configuration: () => ({ base_url: 'http://localhost:8080' }) },
    removed: new Map(),
    remote: { problem: null, patience },
  } as unknown as EditContext;
}
