import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FOLDER } from './scripts/mutation/log.ts';

/** The tests that mutation testing runs, again and again: fast ones, of `src/storage` and `src/publish`. */
export default defineConfig({
  plugins: [
    {
      name: 'changes',
      enforce: 'pre',
      /** The code with the changes in it. */
      load(id) {
        const path = join(FOLDER, relative('.', id));
        return path.endsWith('.ts') && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      },
    },
  ],
  test: {
    include: ['test/storage/**/*.test.ts', 'test/publish/**/*.test.ts', 'test/publish/schedules.mutation.ts'],
    // What starts a store, builds a catalogue, or makes pictures.
    exclude: [
      'test/storage/bucket.test.ts',
      'test/storage/s3/ceph.test.ts',
      'test/publish/{commands,encoding,explorer-files,faults,lease,packed,requests}.test.ts',
      'test/publish/*-of-builds.test.ts',
    ],
    runner: './scripts/mutation/runner.ts',
    // Property-based tests draw the same cases for each change.
    setupFiles: ['test/seed.ts'],
    maxWorkers: 1,
    testTimeout: 5000,
    reporters: ['dot'],
  },
});
