import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENT_KEY, problemKey, rootKey } from '../contract/object-keys.ts';
import { problemDocuments } from '../contract/problem.ts';
import { parseRootContents, type ReleaseSettings } from '../release/root-contents.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import { parseCurrentJson } from '../tree/format/root.ts';

/**
 * @throws Error if the folder has no catalogue of a known version, or if the catalogue has API keys and `apiKeys` is
 * empty
 */
export function readReplySettings(root: string, apiKeys: readonly string[] = []): ReplySettings {
  const current = join(root, CURRENT_KEY);
  if (!existsSync(current)) {
    throw new Error(
      `There is no catalogue in ${root}: ${current} does not exist. Run "catalogue build", or name the folder dist/public of a catalogue.`,
    );
  }
  const api = settingsIn(root, readFileSync(current));
  if (!api) throw new Error(`${current} is not what a build of this version writes. Build again.`);
  if (api.api_keys && apiKeys.length === 0) {
    throw new Error(
      `The catalogue in ${root} asks for API keys, and no digests of keys were given. Pass "apiKeys", the list of "api_keys" in catalogue.yaml.`,
    );
  }
  const route = { base: api.base, sizes: api.page_sizes, layout: api.layout };
  const problems: Record<string, [number, string]> = {};
  for (const name of problemDocuments(route).keys()) {
    const text = readFileSync(join(root, problemKey(name)), 'utf8');
    problems[name] = [(JSON.parse(text) as { status: number }).status, text];
  }
  return { ...route, cache: api.cache_control, problems, digests: apiKeys, edge: api.edge };
}

function settingsIn(root: string, current: Buffer): ReleaseSettings | undefined {
  const live = parseCurrentJson(current);
  const path = live && join(root, rootKey(live.release));
  return path && existsSync(path) ? parseRootContents(readFileSync(path))?.settings : undefined;
}
