import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CacheControlSettings } from '../contract/headers.ts';
import { type Layout, MANIFEST_KEY, problemKey } from '../contract/object-keys.ts';
import { problemDocuments } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';

type PublishedSettings = {
  readonly base: string;
  readonly page_sizes: RouteSettings['sizes'];
  readonly layout?: Layout;
  readonly cache_control: CacheControlSettings;
  readonly api_keys?: boolean;
  readonly edge?: string;
};

/** @throws Error if the folder has no catalogue, or one with API keys and `apiKeys` is empty */
export function readReplySettings(root: string, apiKeys: readonly string[] = []): ReplySettings {
  const manifest = join(root, MANIFEST_KEY);
  if (!existsSync(manifest)) {
    throw new Error(
      `There is no catalogue in ${root}: ${manifest} does not exist. Run "catalogue build", or name the folder dist/public of a catalogue.`,
    );
  }
  const api = settingsIn(readFileSync(manifest, 'utf8'));
  if (!api) throw new Error(`${manifest} is not what a build of this version writes. Build again.`);
  if (api.api_keys && apiKeys.length === 0) {
    throw new Error(
      `The catalogue in ${root} asks for API keys, and no digests of keys were given. Pass "apiKeys", the list of "api_keys" in catalogue.yaml.`,
    );
  }
  const route = { base: api.base, sizes: api.page_sizes, layout: api.layout ?? 'pages' };
  const problems: Record<string, [number, string]> = {};
  for (const name of problemDocuments(route).keys()) {
    const text = readFileSync(join(root, problemKey(name)), 'utf8');
    problems[name] = [(JSON.parse(text) as { status: number }).status, text];
  }
  return { ...route, cache: api.cache_control, problems, digests: apiKeys, edge: api.edge };
}

function settingsIn(manifest: string): PublishedSettings | undefined {
  try {
    const { api } = JSON.parse(manifest) as { api: PublishedSettings };
    const isSound =
      typeof api.base === 'string' &&
      (api.page_sizes === 'all' || Array.isArray(api.page_sizes)) &&
      typeof api.cache_control.api === 'string';
    return isSound ? api : undefined;
  } catch {
    return undefined;
  }
}
