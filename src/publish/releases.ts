/** The releases that a bucket keeps. */
import { RELEASE_NAME, resolveRelease } from '../emit/release-name.ts';
import { UsageError } from '../report/failure.ts';
import { readKept, readLive } from './archive.ts';
import type { Bucket } from './bucket.ts';
import { RELEASES_FOLDER } from './control.ts';

/** What is known of a release without reading its manifest. */
export type KeptRelease = {
  readonly name: string;
  /** When it last became live; the last attempt for one that never did. */
  readonly published: Date;
  /** When the next one took its place; undefined for the live one. */
  readonly replaced: Date | undefined;
  readonly isLive: boolean;
  /** Whether what it is restored from is still there. */
  readonly isRestorable: boolean;
};

/** A release for people. */
export type DescribedRelease = KeptRelease & {
  readonly commit: string | null;
  /** Time of the commit. */
  readonly time: string | null;
  readonly properties: number | undefined;
};

/** The releases of a bucket, the live one first, then from the newest. */
export async function listReleases(bucket: Bucket): Promise<KeptRelease[]> {
  const live = (await readLive(bucket)).release?.name;
  const published = new Map<string, Date>();
  const restorable = new Set<string>();
  for await (const { key, modified } of bucket.list(`${RELEASES_FOLDER}/`)) {
    const [name = '', file] = key.slice(RELEASES_FOLDER.length + 1).split('/');
    if (!RELEASE_NAME.test(name)) continue;
    if (file === 'manifest.json') published.set(name, modified);
    if (file === 'objects.ndjson.gz') restorable.add(name);
  }
  const order = [...published].sort(
    ([one, a], [other, b]) =>
      Number(other === live) - Number(one === live) || b.getTime() - a.getTime() || (one < other ? -1 : 1),
  );
  return order.map(([name, time], index) => ({
    name,
    published: time,
    replaced: name === live ? undefined : (order[index - 1]?.[1] ?? time),
    isLive: name === live,
    isRestorable: restorable.has(name),
  }));
}

/** The releases of a bucket, with what their manifests tell. */
export async function describeReleases(bucket: Bucket): Promise<DescribedRelease[]> {
  const described: DescribedRelease[] = [];
  for (const kept of await listReleases(bucket)) {
    const release = await readKept(bucket, kept.name);
    const { commit = null, time = null } = release?.manifest.build ?? {};
    described.push({ ...kept, commit, time, properties: release?.sequence.length });
  }
  return described;
}

/**
 * The release to go back to.
 *
 * @param wanted its name, or at least six digits that its name starts with; when absent, the one that was live before
 *   the present one.
 * @throws UsageError `unknown-release`, `ambiguous-release` or `invalid-release-name`.
 */
export async function chooseRelease(bucket: Bucket, wanted: string | undefined): Promise<string> {
  const releases = await listReleases(bucket);
  if (wanted !== undefined) {
    return resolveRelease(
      wanted,
      releases.map(({ name }) => name),
      bucket.name,
    );
  }
  const earlier = releases.find(({ isRestorable, isLive }) => isRestorable && !isLive);
  if (earlier) return earlier.name;
  throw new UsageError(
    'unknown-release',
    `${bucket.name} keeps no earlier release to go back to. "catalogue releases" lists those that it keeps.`,
  );
}
