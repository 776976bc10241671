import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package/package-root.ts';
import { edgeConfigurationName } from '../../release/edge-configuration-name.ts';
import { problemReplies, type ReplySettings } from '../runtime/reply-settings.ts';
import type { TargetInput } from '../target.ts';

const PLACEHOLDER = 'CATALOGUE_SETTINGS';

const FOLDER = new URL('lib/targets/bundles/', PACKAGE_ROOT);

/** Returns ASCII. @param cutsPages selects the bundle that can cut pages out of chunks */
export function targetCode(name: string, settings: Partial<ReplySettings>, cutsPages = false): string {
  const file = `${name}${cutsPages ? '-cuts-pages' : ''}${settings.digests?.length ? '-keys' : ''}.js`;
  const literal = JSON.stringify(settings).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return readFileSync(new URL(file, FOLDER), 'utf8').replace(PLACEHOLDER, () => literal);
}

export function replySettings({ configuration, settings, problems }: TargetInput): ReplySettings {
  const { api, media, problem } = configuration.cache_control;
  return {
    base: settings.base,
    sizes: settings.sizes,
    cache: { api, media, problem },
    problems: problemReplies(problems),
    digests: configuration.api_keys,
    edge: edgeConfigurationName(configuration),
  };
}

export function replySettingsForLayout(input: TargetInput): ReplySettings {
  return input.configuration.layout === 'pages' ? replySettings(input) : replySettingsForPageCutting(input);
}

/** For bundles that can cut pages out of chunks. Bundles that serve previews always can, since previews are packed. */
export function replySettingsForPageCutting(input: TargetInput): ReplySettings {
  const { layout, cache_control } = input.configuration;
  return { ...replySettings(input), layout, cache: cache_control };
}
