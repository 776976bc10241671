import { defineConfig } from 'vitest/config';

/** The tests that mutation testing runs, again and again: fast ones, of `src/storage` and `src/publish`. */
export default defineConfig({
  test: {
    include: ['test/storage/**/*.test.ts', 'test/publish/**/*.test.ts', 'test/publish/schedules.mutation.ts'],
    // They start a store, build a catalogue, or make pictures.
    exclude: [
      'test/storage/bucket.test.ts',
      'test/publish/{commands,faults,lease,packed,requests}.test.ts',
      'test/publish/*-of-builds.test.ts',
    ],
    // Property-based tests draw the same cases for each change.
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 5000,
  },
});
