import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the schedules last: most changes are found by the tests before them, in a tenth of the time. */
class SchedulesLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      `${moduleId.endsWith('.mutation.ts') ? 1 : 0}${moduleId}`;
    return [...files].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  }
}

/** The tests that mutation testing runs, again and again: fast ones, of `src/storage` and `src/publish`. */
export default defineConfig({
  test: {
    include: ['test/storage/**/*.test.ts', 'test/publish/**/*.test.ts', 'test/publish/schedules.mutation.ts'],
    // What starts a store, builds a catalogue, or makes pictures.
    exclude: [
      'test/storage/bucket.test.ts',
      'test/storage/s3/ceph.test.ts',
      'test/publish/{commands,encoding,explorer-files,faults,lease,packed,requests}.test.ts',
      'test/publish/*-of-builds.test.ts',
    ],
    sequence: { sequencer: SchedulesLast },
    // Property-based tests draw the same cases for each change.
    setupFiles: ['test/seed.ts'],
    testTimeout: 10_000,
  },
});
