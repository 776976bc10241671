/** `catalogue changes`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputFolder } from '../build/output-folder.ts';
import { NDJSON_KEY } from '../contract/document-keys.ts';
import { UsageError } from '../errors.ts';
import { isUnchanged } from '../history/difference.ts';
import { recordRelease } from '../history/record.ts';
import { openRelease } from '../release/open.ts';
import { apiKeyOf } from './api-key.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type ChangesArguments = { previous?: string; out: string; time?: string };

/** Compares, writes the files below `changes/`, and says in one line what differs. Returns the exit code. */
export async function runChanges({ previous, out, time }: ChangesArguments): Promise<number> {
  const { public: root } = outputFolder(out);
  const after = await openRelease(root);
  if (!after) {
    throw new UsageError('nothing-built', `There is no catalogue in ${root}. Run "catalogue build" first.`);
  }
  if (!(NDJSON_KEY in after.release.manifest.documents)) {
    throw new UsageError(
      'no-downloads',
      'This catalogue offers no downloads, by "bulk" or "api_keys" in catalogue.yaml, and so no changes, which name every property. Leave this step out.',
    );
  }
  const before = previous === undefined ? undefined : await openRelease(previous, { apiKey: apiKeyOf() });
  if (previous !== undefined && !before) {
    throw new UsageError(
      'no-previous-release',
      `There is no catalogue at ${previous}. Name a folder such as dist/public or a base URL; leave --previous out for the first release.`,
    );
  }
  const { changes, files } = await recordRelease(before, after, async (key) => before?.read(key), time);
  for (const [key, text] of files) {
    const path = join(root, key);
    if (text === '') {
      rmSync(path, { force: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { added, changed, removed } = changes;
  const { err } = terminal();
  if (isUnchanged(changes)) err('Nothing changed since the previous release.\n');
  else err(`${added.length} added, ${changed.length} changed, ${removed.length} removed\n`);
  return 0;
}
