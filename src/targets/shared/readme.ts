import { LIST_PATH } from '../../contract/keys.ts';
import type { TargetName } from '../../contract/target-names.ts';
import type { TargetFile, TargetInput } from '../target.ts';
import { fill } from './template.ts';

/** What the README of a target says, apart from what all say. */
export type ReadmeOptions = {
  /** The target; its folder below `src/targets` holds the steps, `README.md`; each begins with `1. `. */
  readonly target: TargetName;
  readonly title: string;
  /** The arguments of `catalogue publish`. */
  readonly publish: string;
  /** Commands after each publication, where a target needs something of the catalogue. @default [] */
  readonly afterwards?: readonly string[];
  /** What the steps name besides folder, ports and host of the examples. @default {} */
  readonly view?: object;
};

/** Folder of a server of one's own in which the catalogue is, in the examples of READMEs. */
export const SERVER_FOLDER = '/srv/catalogue';

/** Where the server of files of the examples listens, behind a target that has none of its own. */
export const ORIGIN_PORT = 8081;

/** Host and port at which a server of one's own listens: those of the base URL, without TLS. */
export function listenerOf({ configuration }: TargetInput): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(configuration.base_url);
  return { host: hostname, port: protocol === 'https:' ? 80 : Number(port || 80) };
}

/** The README of a target: what to set, how to publish, how to check it. */
export function readme(input: TargetInput, options: ReadmeOptions): TargetFile {
  const { base_url, api_keys } = input.configuration;
  const { target, title, publish, afterwards = [], view } = options;
  const url = base_url.replace(/\/$/, '');
  const isKeyed = api_keys.length > 0;
  const place = { folder: SERVER_FOLDER, originPort: ORIGIN_PORT, listener: listenerOf(input), target };
  let number = 0;
  const steps = fill(`${target}/README.md`, { ...place, ...view }).replace(/^1\. /gm, () => `${++number}. `);
  const key = isKeyed ? " -H 'X-API-KEY: <key>'" : '';
  const about = { title, steps, publish, afterwards, isKeyed, key, url, list: url + LIST_PATH };
  return { path: 'README.md', content: fill('shared/README.md', about) };
}

/** A site of nginx that serves the files to this machine alone, and nothing else. */
export function originSite(): TargetFile {
  const view = { folder: SERVER_FOLDER, originPort: ORIGIN_PORT };
  return { path: 'origin.conf', content: fill('shared/origin.conf', view) };
}
