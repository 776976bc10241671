import { UsageError } from '../errors/errors.ts';
import { countProperties } from '../release/manifest.ts';
import { goneIds, type Release } from '../release/release.ts';
import { plural } from '../text/words.ts';
import type { Plan } from './plan.ts';

export type GuardOptions = {
  /** Allows any number of properties to be removed. @default false */
  readonly allowShrink?: boolean | undefined;
  /** Allows an older commit to replace a newer one. @default false */
  readonly allowOlder?: boolean | undefined;
  /** Largest percentage of properties removed at once. @default 10 */
  readonly maxShrink?: number | undefined;
};

/** Number of properties that may always be removed at once. */
const FEW = 5;

export function guardContent(release: Release): void {
  if (release.sequence.length > 0) return;
  throw new UsageError(
    'empty-catalogue',
    'The catalogue holds no property. An empty one is never published: look for what went wrong with the content folder.',
  );
}

/**
 * @param last the live release; the newest kept one where the live manifest cannot be read.
 * @throws UsageError `older-commit` or `too-many-removed`.
 */
export function guardPlan(last: Release | undefined, plan: Plan, options: GuardOptions): void {
  const before = last?.manifest.build;
  const { commit, time } = plan.after.manifest.build;
  if (!options.allowOlder && before?.time && time && Date.parse(time) < Date.parse(before.time)) {
    throw new UsageError(
      'older-commit',
      `This release is of commit ${commit} of ${time}; the live one is of a later commit, ${before.commit} of ${before.time}. Build the latest commit, or publish this one with --allow-older.`,
    );
  }
  const goneProperties = Math.max(last ? goneIds(last, plan.after).length : 0, plan.goneProperties);
  const total = last ? countProperties(last.manifest) : plan.after.sequence.length + goneProperties;
  const limit = removalLimit(total, options.maxShrink);
  if (!options.allowShrink && goneProperties > limit) {
    throw new UsageError(
      'too-many-removed',
      `This release would remove ${goneProperties} of ${plural(total, 'property')}; the limit is ${limit}. If that is meant, publish with --allow-shrink.`,
    );
  }
}

/**
 * Returns the largest number of properties that may go at once.
 *
 * @param maxShrink percentage of the properties. @default 10
 */
export function removalLimit(total: number, maxShrink = 10): number {
  return Math.max(FEW, Math.floor((total * maxShrink) / 100));
}
