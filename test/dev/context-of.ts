/** The part of a session that requests about the repository need. */

import type { EditContext } from '../../src/dev/api/edit-context.ts';
import { createPublishedCommitLookup } from '../../src/dev/git/published-commit.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';

export function contextOf(content: string, timeout = 60_000): EditContext {
  return {
    session: {
      content,
      notify: () => {},
      rescan: () => {},
      configuration: () => readConfiguration(content).usable,
    },
    undoable: new Map(),
    remote: { problem: null, timeout, lookup: createPublishedCommitLookup() },
  } as unknown as EditContext;
}
