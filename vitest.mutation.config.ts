import { defineConfig } from 'vitest/config';

/** The tests that mutation testing runs, again and again: fast ones, of `src/storage` and `src/publish`. */
export default defineConfig({
  test: {
    include: ['test/storage/**/*.test.ts', 'test/publish/**/*.test.ts', 'test/publish/schedules.mutation.ts'],
    // What starts a store, builds a catalogue, or makes pictures.
    exclude: [
      'test/storage/bucket.test.ts',
      'test/storage/s3/ceph.test.ts',
      'test/publish/{commands,encoding,explorer-files,faults,lease,packed,plan,publish,record-history,requests}.test.ts',
      'test/publish/archive/**',
      'test/publish/purge/**',
    ],
    // Property-based tests draw the same cases for each change.
    setupFiles: ['test/seed.ts'],
    testTimeout: 10_000,
  },
});
