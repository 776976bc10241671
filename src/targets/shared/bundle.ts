import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package-root.ts';
import { edgeName } from '../../release/edge-name.ts';
import { problemReplies, type ReplySettings } from '../runtime/reply-settings.ts';
import type { TargetInput } from '../target.ts';

/** The name in a bundle that stands for its settings. */
const PLACEHOLDER = 'CATALOGUE_SETTINGS';

const FOLDER = new URL('lib/targets/bundles/', PACKAGE_ROOT);

/**
 * The code of a JavaScript target, from `lib/targets/bundles`, with the settings of a catalogue in it. ASCII. Settings
 * that name a layout are those of a target that cuts pages out of chunks.
 */
export function targetCode(name: string, settings: Partial<ReplySettings>): string {
  const file = `${name}${settings.layout ? '-packed' : ''}${settings.digests?.length ? '-keys' : ''}.js`;
  const literal = JSON.stringify(settings).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return readFileSync(new URL(file, FOLDER), 'utf8').replace(PLACEHOLDER, () => literal);
}

/** The settings of a JavaScript target that finds each page in a file. */
export function replySettings({ configuration, settings, problems }: TargetInput): ReplySettings {
  const { api, media, problem } = configuration.cache_control;
  return {
    base: settings.base,
    sizes: settings.sizes,
    cache: { api, media, problem },
    problems: problemReplies(problems),
    digests: configuration.api_keys,
    edge: edgeName(configuration),
  };
}

/** The settings of a JavaScript target that can do both: it cuts pages out of chunks wherever there are any. */
export function eitherSettings(input: TargetInput): ReplySettings {
  const { layout, cache_control } = input.configuration;
  return layout === 'pages'
    ? replySettings(input)
    : { ...replySettings(input), layout, cache: cache_control };
}
