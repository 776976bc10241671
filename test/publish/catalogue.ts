/** A small catalogue that a test builds, publishes and inspects from outside. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { BuildOptions } from '../../src/compile/context.ts';
import { propertyIdOf } from '../../src/contract/object-keys.ts';
import { isHistoryKey, isSharedKey, objectKindOf } from '../../src/contract/object-kinds.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { type PublishOptions, type PublishResult, publishRelease } from '../../src/publish/publish.ts';
import { readLiveRelease } from '../../src/publish/stored-release.ts';
import { readTimeline } from '../../src/publish/timeline.ts';
import { readIds } from '../../src/release/release.ts';
import { type Bucket, etagOf } from '../../src/storage/bucket.ts';
import { createWorkspace, readTree, type Workspace } from '../compile/workspace.ts';

export type Catalogue = Workspace & {
  /** Builds, and publishes the result. */
  publish: (bucket: Bucket, options?: PublishOptions) => Promise<PublishResult>;
  /** Builds to another folder. */
  buildTo: (out: string, options?: BuildOptions) => Promise<string>;
};

/** `properties` houses in one city. */
export function createCatalogue(properties: number, configuration = 'page_sizes: [25]\n'): Catalogue {
  const workspace = createWorkspace();
  workspace.configure(configuration);
  for (let n = 1; n <= properties; n++) workspace.add(n);
  return {
    ...workspace,
    async publish(bucket, options) {
      const { outcome, diagnostics } = await workspace.build();
      if (outcome === 'refused') throw new Error(JSON.stringify(diagnostics));
      return publishRelease(bucket, await openDist(workspace.out), options);
    },
    async buildTo(name, options = {}) {
      const out = join(workspace.root, name);
      await workspace.build({ ...options, out });
      return out;
    },
  };
}

/** A photo of one colour. */
export function photo(red: number): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: { r: red, g: 40, b: 40 } } })
    .jpeg()
    .toBuffer();
}

/**
 * Every object of the releases in a bucket, as its listing shows them: tags by key. Details that are kept for readers of
 * lists in caches are left out.
 */
export async function objects(bucket: Bucket): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const { release } = await readLiveRelease(bucket);
  const ids = new Set(release && (await readIds(release)));
  const isReplacing = (await readTimeline(bucket)).before.length > 0;
  const isLeft = (key: string) =>
    isReplacing && objectKindOf(key) === 'detail' && !ids.has(propertyIdOf(key));
  for await (const { key, tag } of bucket.list('')) {
    if (objectKindOf(key) !== 'control' && !isHistoryKey(key) && !isLeft(key)) found.set(key, tag);
  }
  return found;
}

/** Expects these objects, besides those named by their content that only earlier releases have. */
export async function expectObjects(bucket: Bucket, expected: ReadonlyMap<string, string>): Promise<void> {
  const found = [...(await objects(bucket))].filter(([key]) => expected.has(key) || !isSharedKey(key));
  expect(new Map(found)).toEqual(expected);
}

/** The listing of a bucket that holds exactly the files of a build. */
export function tree(folder: string): Map<string, string> {
  return new Map([...readTree(folder).keys()].map((key) => [key, etagOf(readFileSync(join(folder, key)))]));
}

/** Numbers of a result that are not 0, by group. */
export function written({ written: counts }: PublishResult): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
