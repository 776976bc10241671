import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { outputFolder } from '../compile/output-folder.ts';
import { type BuildState, readState, type StateSummary } from '../compile/state/state-file.ts';
import { INDEX_KEY } from '../contract/document-keys.ts';
import type { HostName } from '../contract/hosts.ts';
import { CURRENT_KEY, DATA_FOLDER, MEDIA_FOLDER } from '../contract/object-keys.ts';
import { UsageError } from '../errors/errors.ts';
import { readFileIfPresent } from '../files/files-and-folders.ts';
import { readRelease } from '../release/read-release.ts';
import { type PublishedObject, type Release, readDetail } from '../release/release.ts';
import { parseCurrent, serializeCurrent, toIndexTemplate } from '../release/root-contents.ts';
import type { ObjectBody } from '../storage/body.ts';
import { readFileBody } from '../storage/file-body.ts';
import { bodyDigest } from './body-digest.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { openListMaker, type ReleaseSource } from './release-source.ts';

/**
 * Maximum bytes of checked details to hold in memory until they are sent: enough for 10,000 properties. Reading the
 * files a second time would make a publish 10% slower.
 */
const MAX_HELD_BYTES = 32 * 2 ** 20;

export type DistSource = ReleaseSource & {
  /** Sorted names of files and folders directly in `dist/public` that do not belong to the catalogue. */
  readonly others: readonly string[];
  /** `base_url` of the configuration that the build used. */
  readonly baseUrl: string;
  readonly host: HostName | undefined;
};

/**
 * @throws UsageError `nothing-built`, `dist-incomplete`, `preview-build`. Functions of the returned source throw
 * UsageError `dist-damaged`
 */
export async function openDist(out: string): Promise<DistSource> {
  const folder = outputFolder(out);
  const bytes = readFileIfPresent(join(folder.public, CURRENT_KEY));
  if (!bytes) {
    throw new UsageError(
      'nothing-built',
      `There is no catalogue in ${folder.public}. Run "catalogue build" first.`,
    );
  }
  const state = readState<RememberedMedia>(folder.state);
  const read = async (key: string) => readFileIfPresent(join(folder.public, key));
  const leafError = (key: string, isMissing: boolean) =>
    damaged(folder.public, key, isMissing ? 'is missing' : 'is not what the release says');
  const current = parseCurrent(bytes);
  const release = current && (await readRelease(current, { read, leafError }));
  if (!state || !release || !bytes.equals(currentOf(state.summary))) {
    throw new UsageError(
      'dist-incomplete',
      `${folder.root} is not what a build left: the last one did not end, or current.json was changed. Run "catalogue build" first.`,
    );
  }
  if (state.summary.preview) {
    throw new UsageError(
      'preview-build',
      `${folder.root} is a preview of "catalogue dev", with drafts. Run "catalogue build" and publish its folder.`,
    );
  }
  const mediaDigest = createMediaDigests(state);
  return {
    ...createSource(folder.public, release, mediaDigest),
    others: othersIn(folder.public, release),
    baseUrl: release.settings.url,
    host: state.summary.configuration.host,
  };
}

function currentOf({ release, identity: build }: StateSummary): Buffer {
  return serializeCurrent({ release, build });
}

type RememberedMedia = { readonly groups: { readonly media: Readonly<Record<string, string>> } };

/**
 * An image is named after its original photo, not after its own bytes, so its digest comes from the build state.
 * This part of the state is read only at the first call, since most publishes send no image.
 */
function createMediaDigests(state: BuildState<RememberedMedia>): (name: string) => string | undefined {
  let digests: Readonly<Record<string, string>> | undefined;
  return (name) => {
    digests ??= state.rest()?.groups.media ?? {};
    return digests[name];
  };
}

function createSource(
  root: string,
  release: Release,
  mediaDigest: (name: string) => string | undefined,
): ReleaseSource {
  const { leafError } = release.leaves;
  const buffers = createBufferPool();
  const read = (key: string, take?: BufferPool['take']): ObjectBody => {
    const changed = () => damaged(root, key, 'changed while it was published');
    const body = readFileBody(`${root}/${key}`, changed, take);
    if (!body) throw damaged(root, key, 'is missing');
    return body;
  };
  const listOf = openListMaker(release);
  const held = new Map<string, Buffer>();
  let room = MAX_HELD_BYTES;
  const checkedBody = async (object: PublishedObject): Promise<ObjectBody> => {
    // `check` may hold details in memory, so they take no buffer from the pool.
    const bytes = read(object.key, object.kind === 'detail' ? undefined : buffers.take);
    if (object.kind === 'detail') {
      const detail = await readDetail(release, object.id);
      if (!detail || !Buffer.isBuffer(bytes) || !bytes.equals(detail)) throw leafError(object.key, false);
      return bytes;
    }
    const digest = object.kind === 'media' ? mediaDigest(object.name) : release.documents[object.key];
    const named =
      object.key === INDEX_KEY && Buffer.isBuffer(bytes) ? toIndexTemplate(bytes, release.name) : bytes;
    if ((await bodyDigest(named)) !== digest) throw leafError(object.key, false);
    return bytes;
  };
  // A file that changes during the publish is never sent: every read is checked, and held details are not read again.
  const body = (object: PublishedObject): ObjectBody | Promise<ObjectBody> =>
    object.kind === 'page' || object.kind === 'total'
      ? listOf(object)
      : (held.get(object.key) ?? checkedBody(object));
  return {
    release,
    isFromBucket: false,
    body,
    reuse: buffers.give,
    async check(objects) {
      for (const object of objects) {
        const bytes = await body(object);
        buffers.give(bytes);
        if (object.kind !== 'detail' || !Buffer.isBuffer(bytes) || bytes.length > room) continue;
        held.set(object.key, bytes);
        room -= bytes.length;
      }
    },
  };
}

function damaged(root: string, key: string, what: string): UsageError {
  return new UsageError(
    'dist-damaged',
    `${join(root, key)} ${what}. Nothing may be published from here. Run "catalogue build --force" first.`,
  );
}

function othersIn(root: string, { documents }: Release): string[] {
  const own = new Set(
    [DATA_FOLDER, MEDIA_FOLDER, ...Object.keys(documents)].map((key) => key.replace(/\/.*/, '')),
  );
  return readdirSync(root)
    .filter((name) => !own.has(name))
    .sort();
}
