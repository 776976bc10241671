import { PAGES_FOLDER } from '../../contract/object-keys.ts';
import type { Problem, ProblemName } from '../../contract/problem.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import type { ScopeTotal } from '../target.ts';

/** Key of the entry that names the release to which the totals belong. `publish` writes this entry last. */
export const STORED_RELEASE_KEY = 'release';

/** Each problem (status, then body) by its name, and the total of each scope by its folder, such as `IE/-`. */
export function* keyValueEntries(
  scopes: Iterable<ScopeTotal>,
  problems: ReadonlyMap<ProblemName, Problem>,
): Generator<[key: string, value: string]> {
  for (const [name, [status, body]] of Object.entries(problemReplies(problems)))
    yield [name, `${status} ${body}`];
  for (const { folder, total } of scopes) yield [folder.slice(PAGES_FOLDER.length + 1), String(total)];
}

const SCOPE = /^(?:-|[A-Z]{2})\/(?:-|(?:[0-9a-f]{2})+)$/;

/** A publish removes only entries of scopes, since any other entry may be the store owner's own. */
export function isScopeEntry(key: string): boolean {
  return SCOPE.test(key);
}
