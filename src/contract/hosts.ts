import type { Layout } from './object-keys.ts';
import type { TargetName } from './target-names.ts';

type HostLimits = {
  /** Maximum on the host's largest plan. */
  readonly files?: number;
  readonly filesAndFolders?: number;
  readonly filesPerFolder?: number;
  readonly bytesPerFile?: number;
  /** In all files together. */
  readonly bytes?: number;
};

export type Host = {
  readonly title: string;
  /** Settings as they are written in `catalogue.yaml`. */
  readonly settings: {
    readonly layout: Layout;
    readonly targets: readonly TargetName[];
    readonly page_sizes?: readonly string[];
    readonly max_files?: string;
    readonly origin?: 'bucket';
    readonly docs?: 'false';
  };
  /** Whether the host ignores queries, because it runs no code and has no rewrite rules. @default false */
  readonly isStatic?: boolean;
  readonly limits: HostLimits;
  /**
   * The cache that `catalogue publish` purges if it is called with `option`. `isOfPages`: the cache holds lists if the
   * layout is `pages`, but not if it is `packed`.
   */
  readonly cache?: { readonly name: string; readonly option: string; readonly isOfPages?: boolean };
  /** Dollars for a million writes. @default no price is shown */
  readonly dollarsPerMillionWrites?: number;
  /** URL of the host's own page about limits and prices. @default there is no such page */
  readonly source?: string;
};

export const HOST_LIMITS_AS_OF = '2026-11';

const CLOUDFLARE = {
  settings: { layout: 'packed', targets: ['cloudflare-assets'], max_files: '20000' },
  limits: { files: 100_000, bytesPerFile: 25 * 1024 * 1024 },
} as const satisfies Pick<Host, 'settings' | 'limits'>;

/**
 * For hosts that ignore queries: readers request pages of the list as files. The API reference in `docs/` is left out,
 * since it sends requests with queries.
 */
const STATIC_SETTINGS = { layout: 'pages', targets: [], page_sizes: ['25', '100'], docs: 'false' } as const;

export const HOSTS = {
  'cloudflare-workers': {
    title: 'Cloudflare Workers',
    ...CLOUDFLARE,
    source: 'https://developers.cloudflare.com/workers/platform/limits/',
  },
  'cloudflare-pages': {
    title: 'Cloudflare Pages',
    ...CLOUDFLARE,
    source: 'https://developers.cloudflare.com/pages/platform/limits/',
  },
  netlify: {
    title: 'Netlify',
    settings: { layout: 'packed', targets: ['fetch-handler'] },
    limits: { filesPerFolder: 54_000 },
    source: 'https://docs.netlify.com/site-deploys/overview',
  },
  'github-pages': {
    title: 'GitHub Pages',
    settings: STATIC_SETTINGS,
    isStatic: true,
    limits: { bytes: 1e9 },
    source: 'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits',
  },
  'gitlab-pages': {
    title: 'GitLab Pages',
    settings: STATIC_SETTINGS,
    isStatic: true,
    limits: { filesAndFolders: 200_000, bytes: 1e9 },
    source: 'https://docs.gitlab.com/user/gitlab_com/#gitlab-pages',
  },
  's3-cloudfront': {
    title: 'S3 and CloudFront',
    settings: { layout: 'packed', targets: ['lambda-edge'] },
    limits: {},
    cache: { name: 'CloudFront', option: '--cloudfront <distribution>' },
    dollarsPerMillionWrites: 5,
    source: 'https://aws.amazon.com/s3/pricing/',
  },
  'r2-worker': {
    title: 'R2 and a Worker',
    settings: { layout: 'packed', targets: ['cloudflare-worker'] },
    limits: {},
    cache: { name: 'Cloudflare', option: '--cloudflare <zone>', isOfPages: true },
    dollarsPerMillionWrites: 4.5,
    source: 'https://developers.cloudflare.com/r2/pricing/',
  },
  gcs: {
    title: 'Google Cloud Storage',
    settings: { layout: 'packed', targets: ['fetch-handler'], origin: 'bucket' },
    limits: {},
    dollarsPerMillionWrites: 5,
    source: 'https://cloud.google.com/storage/pricing',
  },
  nginx: {
    title: 'a server of your own with nginx',
    settings: { layout: 'pages', targets: ['nginx-njs', 'nginx'] },
    limits: {},
  },
  apache: {
    title: 'shared hosting with Apache',
    settings: { layout: 'pages', targets: ['apache'] },
    limits: {},
  },
  node: {
    title: 'a server of your own with Node.js',
    settings: { layout: 'packed', targets: [] },
    limits: {},
  },
} as const satisfies Readonly<Record<string, Host>>;

export type HostName = keyof typeof HOSTS;
export const HOST_NAMES = Object.keys(HOSTS) as HostName[];

/** The catalogue's own settings take precedence. */
export function withHostDefaults(
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const host = hostOf(settings.host as HostName);
  return host ? { ...host.settings, ...settings } : settings;
}

export function hostOf(name: HostName | undefined): Host | undefined {
  return name !== undefined && Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
}
