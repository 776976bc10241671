import { hostOf } from '../../contract/hosts.ts';
import { LIST_PATH } from '../../contract/object-keys.ts';
import { DEFAULT_PAGE_SIZE } from '../../contract/parameters.ts';
import type { TargetName } from '../../contract/target-names.ts';
import { documentationUrl } from '../../package/documentation.ts';
import type { TargetFile, TargetInput } from '../target.ts';
import { renderTemplate } from './template.ts';

export type ReadmeOptions = {
  /** `src/targets/<target>/README.md` has the steps, each starting with `1. `. */
  readonly target: TargetName;
  readonly title: string;
  /** Arguments of `catalogue publish`. Undefined if the target needs no bucket. */
  readonly publish?: string;
  /** Commands after each publish. @default [] */
  readonly afterwards?: readonly string[];
  readonly view?: object;
};

export const SERVER_FOLDER = '/srv/catalogue';

/** Page of `docs/hosting/` for each target. Used unless a host is configured that uses the target. @default `README` */
const HOSTING_PAGES: Readonly<Partial<Record<TargetName, string>>> = {
  'nginx-njs': 'nginx',
  nginx: 'nginx',
  apache: 'apache',
  'cloudfront-function': 's3-cloudfront',
  'lambda-edge': 's3-cloudfront',
  'cloudflare-worker': 'r2-worker',
  'cloudflare-assets': 'cloudflare-workers',
  'fetch-handler': 'deno-vercel',
};

function guideOf(target: TargetName, { configuration: { host } }: TargetInput): string {
  const isOfHost = host && hostOf(host)?.settings.targets.includes(target);
  return documentationUrl(`hosting/${isOfHost ? host : (HOSTING_PAGES[target] ?? 'README')}`);
}

export function serverNameAndPort({ configuration }: TargetInput): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(configuration.base_url);
  return { host: hostname, port: protocol === 'https:' ? 80 : Number(port || 80) };
}

export function readmeFile(input: TargetInput, options: ReadmeOptions): TargetFile {
  const { base_url, api_keys } = input.configuration;
  const { target, title, publish, afterwards = [], view } = options;
  const url = base_url.replace(/\/$/, '');
  const isKeyed = api_keys.length > 0;
  const place = { folder: SERVER_FOLDER, listener: serverNameAndPort(input), target };
  let number = 0;
  const steps = renderTemplate(`${target}/README.md`, { ...place, ...view }).replace(
    /^1\. /gm,
    () => `${++number}. `,
  );
  const key = isKeyed ? " -H 'X-API-KEY: <key>'" : '';
  const guide = guideOf(target, input);
  const about = {
    title,
    guide,
    steps,
    publish,
    afterwards,
    isKeyed,
    key,
    url,
    size: DEFAULT_PAGE_SIZE,
    list: url + LIST_PATH,
  };
  return { path: 'README.md', content: renderTemplate('shared/README.md', about) };
}
