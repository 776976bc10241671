import { defineConfig } from 'vitest/config';

/** Tests of other rooms that hold what the room's own do not. */
const OTHERS: Record<string, string[]> = {
  release: ['test/publish/{dist-source,plan,source,survey}.test.ts'],
};
/** Tests that replace modules: each of them needs a process of its own. */
const ALONE = ['test/storage/{file-body,folder/*}.test.ts', 'test/publish/schedules.mutation.ts'];
const { FOLDER = '{contract,release,storage,publish}' } = process.env;

/** The tests that mutation testing runs, again and again: fast ones. */
export default defineConfig({
  test: {
    // Property-based tests draw the same cases for each change.
    setupFiles: ['test/support/seed.ts'],
    // StrykerJS ends a test that never ends; a busy machine is to find no change.
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [`test/${FOLDER}/**/*.test.ts`, ...(OTHERS[FOLDER] ?? [])],
          // They start a store, build a catalogue, or make pictures.
          exclude: [
            'test/contract/{openapi-types,openapi/document}.test.ts',
            'test/storage/bucket.test.ts',
            'test/publish/{commands,faults,packed,publishers,requests}.test.ts',
            'test/{publish,release}/*-of-builds.test.ts',
            ...ALONE,
          ],
          // Files share the modules that one of them has loaded.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE.filter((files) => FOLDER.includes(',') || files.startsWith(`test/${FOLDER}/`)),
        },
      },
    ],
  },
});
