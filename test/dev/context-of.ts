/** The part of a session that requests about the repository need. */
import { readConfiguration } from '../../src/compile/inputs/configuration.ts';
import type { EditContext } from '../../src/dev/edit-context.ts';

export function contextOf(content: string, patience = 60_000): EditContext {
  return {
    session: { content, notify: () => {}, configuration: () => readConfiguration(content).usable },
    removed: new Map(),
    remote: { problem: null, patience },
  } as unknown as EditContext;
}
