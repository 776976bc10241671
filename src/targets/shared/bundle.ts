import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from '../../package-root.ts';
import type { ReplySettings } from '../runtime/reply-settings.ts';

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
