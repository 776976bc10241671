import { UsageError } from '../errors/errors.ts';
import { compareReleases } from '../release/compare-releases.ts';
import type { Release } from '../release/release.ts';
import { removalLimit } from '../release/removal-limit.ts';
import { countText } from '../text/amounts.ts';
import type { PublishPlan } from './plan.ts';

export type GuardOptions = {
  /** Allows removing any number of properties. @default false */
  readonly allowShrink?: boolean | undefined;
  /** Allows replacing a newer commit with an older one. @default false */
  readonly allowOlder?: boolean | undefined;
  /** Maximum percentage of properties removed at once. @default 10 */
  readonly maxShrink?: number | undefined;
};

export function assertNotEmpty(release: Release): void {
  if (release.root.total > 0) return;
  throw new UsageError(
    'empty-catalogue',
    'The catalogue holds no property. An empty one is never published: look for what went wrong with the content folder.',
  );
}

/**
 * @param last the live release; if it is unknown, the newest kept release; undefined if there is neither
 * @throws UsageError `older-commit`, `too-many-removed`
 */
export async function guardPlan(
  last: Release | undefined,
  plan: PublishPlan,
  options: GuardOptions,
): Promise<void> {
  const before = last?.build;
  const { commit, time } = plan.after.build;
  if (!options.allowOlder && before?.time && time && Date.parse(time) < Date.parse(before.time)) {
    throw new UsageError(
      'older-commit',
      `This release is of commit ${commit} of ${time}; the live one is of a later commit, ${before.commit} of ${before.time}. Build the latest commit, or publish this one with --allow-older.`,
    );
  }
  const removed = last ? (await compareReleases(last, plan.after)).removed.length : 0;
  const goneProperties = Math.max(removed, plan.goneProperties);
  const total = last ? last.root.total : plan.after.root.total + goneProperties;
  const limit = removalLimit(total, options.maxShrink);
  if (!options.allowShrink && goneProperties > limit) {
    throw new UsageError(
      'too-many-removed',
      `This release would remove ${goneProperties} of ${countText(total, 'property')}; the limit is ${limit}. If that is meant, publish with --allow-shrink.`,
    );
  }
}
