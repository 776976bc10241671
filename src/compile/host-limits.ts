/** Refuses a release that exceeds the limits of its host or `max_files`, and suggests settings that fit. */
import type { Configuration } from '../contract/configuration.ts';
import { HOST_NAMES, type HostName, hostOf } from '../contract/hosts.ts';
import { UsageError } from '../errors/errors.ts';
import { bytesText, formatNumber } from '../text/amounts.ts';
import type { ReleaseSize } from './release-size.ts';

/** `setting` is a line for `catalogue.yaml`, such as `layout: packed`. */
export type SettingVariant = { readonly setting: string; readonly size: ReleaseSize };

type Settings = Pick<Configuration, 'host' | 'base_url' | 'max_files'>;

type Measure = {
  readonly value: number;
  readonly limit: number | undefined;
  readonly format: (value: number) => string;
  readonly noun: string;
};

/** Estimated number of folders other than those of lists. */
const FOLDERS = 40;

function measures(size: ReleaseSize, { host, max_files }: Settings): readonly Measure[] {
  const limits = hostOf(host)?.limits ?? {};
  const files = Math.min(max_files, limits.files ?? max_files);
  // Each list (all, a country or a city) has one total and one folder of pages, so there are as many folders as totals.
  const filesAndFolders = size.files + size.totals + FOLDERS;
  return [
    { value: size.files, limit: files, format: formatNumber, noun: 'files' },
    {
      value: filesAndFolders,
      limit: limits.filesAndFolders,
      format: formatNumber,
      noun: 'files and folders',
    },
    {
      value: size.largestFolder,
      limit: limits.filesPerFolder,
      format: formatNumber,
      noun: 'files in one folder',
    },
    { value: size.largest, limit: limits.bytesPerFile, format: bytesText, noun: 'in one photo' },
    { value: size.bytes, limit: limits.bytes, format: bytesText, noun: 'in all, about' },
  ];
}

function excess(size: ReleaseSize, settings: Settings): Measure | undefined {
  return measures(size, settings).find(({ value, limit }) => limit !== undefined && value > limit);
}

/**
 * @param alternatives returns the sizes for suggestions: `whole` is `size` including the images
 * @throws UsageError `too-many-files` or `too-large`; its message suggests the `variants` that fit
 */
export function assertFitsHost(
  size: ReleaseSize,
  settings: Settings,
  alternatives: () => { readonly whole: ReleaseSize; readonly variants: readonly SettingVariant[] },
): void {
  const over = excess(size, settings);
  if (!over) return;
  const { value, limit = 0, format, noun } = over;
  const host = hostOf(settings.host);
  const isOwn = noun === 'files' && ![host?.limits.files, Number(host?.settings.max_files)].includes(limit);
  const takes = host && !isOwn ? `${host.title} takes ${format(limit)}` : `the limit is ${format(limit)}`;
  const { whole, variants } = alternatives();
  const ways = waysOf(whole, settings, variants);
  throw new UsageError(
    format === bytesText ? 'too-large' : 'too-many-files',
    `This catalogue makes ${format(value)} ${noun}; ${takes}. ${ways ? `What fits: ${ways}.` : 'No setting makes it fit.'}`,
  );
}

function waysOf(size: ReleaseSize, settings: Settings, variants: readonly SettingVariant[]): string {
  const most = hostOf(settings.host)?.limits.files ?? size.files;
  const raised = { ...settings, max_files: most };
  const hosts = HOST_NAMES.filter((host) => !excess(size, { ...settings, host, max_files: size.files }));
  return [
    ...variants
      .filter((variant) => !excess(variant.size, settings))
      .map(
        ({ setting, size: { files, bytes: all } }) =>
          `"${setting}", ${formatNumber(files)} files, ${bytesText(all)}`,
      ),
    ...(size.files > settings.max_files && !excess(size, raised)
      ? [settings.host ? `a paid plan and "max_files: ${most}"` : 'a higher "max_files" in catalogue.yaml']
      : []),
    ...(settings.host ? [`"host: ${hosts.join('" or "host: ')}"`] : []),
  ].join('; ');
}

export type HostLimitsAndCosts = {
  readonly host: HostName;
  readonly baseUrl: string;
  /** Maximum number of files: the host's limit, or `max_files` if that is less. Undefined if the host has no limit. */
  readonly files: number | undefined;
  /** Maximum size of all files. Undefined for a host that does not limit it. */
  readonly bytes: number | undefined;
  readonly isStatic: boolean;
  readonly first: Cost;
  /** Cost of publishing what this build changed. */
  readonly change: Cost;
};

/** `dollars`: undefined for a host without a price per write, such as a server of your own. */
type Cost = { readonly requests: number; readonly dollars: number | undefined };

/** Estimated number of requests of a publish other than uploads: for the lock and the history. */
const OVERHEAD_REQUESTS = 35;

/** Undefined if the configuration names no host. @param changed the number of files that this build wrote or removed */
export function limitsAndCostsOf(
  { host, base_url: baseUrl, max_files }: Settings,
  files: number,
  changed: number,
): HostLimitsAndCosts | undefined {
  const { dollarsPerMillionWrites, limits, isStatic = false } = hostOf(host) ?? {};
  if (!host || !limits) return undefined;
  const cost = (objects: number): Cost => {
    const requests = objects === 0 ? 0 : objects + OVERHEAD_REQUESTS;
    return { requests, dollars: dollarsPerMillionWrites && (requests * dollarsPerMillionWrites) / 1e6 };
  };
  const most = limits.files && Math.min(limits.files, max_files);
  return {
    host,
    baseUrl,
    files: most,
    bytes: limits.bytes,
    isStatic,
    first: cost(files),
    change: cost(changed),
  };
}
