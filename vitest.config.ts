import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Where temporary files lie: in memory where there is room for the many small files of tests. */
function temporaryFiles(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 4e9 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Holds every temporary file of a run, those of stopped servers too, and is removed when the run ends. */
const folder = mkdtempSync(join(temporaryFiles(), 'catalogue-tests-'));
// Servers and tests that have no rights go through it.
chmodSync(folder, 0o755);
// A process that ends at this moment may still write.
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Tests that replace modules: each of them needs a process of its own. */
const alone = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes('vi.mock('));
const DEEP = 'test/**/*.deep.test.ts';

export default defineConfig({
  test: {
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    env: { TMPDIR: folder },
    setupFiles: ['test/support/seed.ts'],
    // More than two cores: much of the time a test waits for a server or a command.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes late on a busy machine, and no sooner for a short limit.
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, DEEP, ...alone],
          // Files share the modules that one of them has loaded.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: alone, exclude: [...configDefaults.exclude, DEEP] },
      },
      { extends: true, test: { name: 'deep', include: [DEEP] } },
    ],
  },
});
