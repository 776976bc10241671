/** Long lists take time in proportion to their length, and a file that becomes too long is refused with that reason. */
import { expect, it } from 'vitest';
import type { FieldValues } from '../../src/editing/field-values.ts';
import { setFields } from '../../src/editing/set-fields.ts';

const TEXT = `# Kept by Ada.
id: 00000000-0000-4000-8000-000000000001
title: 'Rose Cottage'   # as on the sign
hotel_policy:
  # Since 2019.
  - policy_type: check_in
    detail: First
  - policy_type: check_out
    detail: Last
`;

/** As many policies between the first and the last. */
const policies = (count: number): FieldValues => ({
  hotel_policy: [
    { policy_type: 'check_in', detail: 'First' },
    ...Array.from({ length: count }, (_, n) => ({
      policy_type: 'pets',
      detail: `From ${n}:00. Ring the bell.`,
    })),
    { policy_type: 'check_out', detail: 'Last' },
  ],
});
const photos = (count: number): FieldValues => ({
  photo: Array.from({ length: count }, (_, n) => ({ file: `../photos/${n}.jpg`, description: `Photo ${n}` })),
});

/** Milliseconds of processor time of the fastest of three runs. */
function costOf(values: FieldValues): number {
  const runs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    expect(setFields(TEXT, values)).toHaveProperty('text');
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

it('inserts 400 photos and 1,000 policies in a second, and four times as many in eight times the time at most', () => {
  costOf(policies(250));
  const [few, many] = [costOf(policies(250)), costOf(policies(1000))];
  expect(many / few).toBeLessThan(8);
  expect(many).toBeLessThan(1000);
  expect(costOf(photos(400))).toBeLessThan(1000);
});

it('refuses a file that nobody could read again', () => {
  expect(setFields(TEXT, policies(2000))).toMatchObject({
    refused: 'too-long',
    message: expect.stringContaining('too long'),
  });
});
