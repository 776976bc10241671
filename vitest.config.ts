import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests write many small files: in memory where there is room for them. */
function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 4e9 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

export default defineConfig({
  test: {
    // It imports JSON without saying so, which Node refuses.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    include: ['test/**/*.test.ts'],
    env: { TMPDIR: temporaryFolder() },
    // Each of two cores: much of the time a test waits for a server.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes late on a busy machine, and no sooner for a short limit.
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: false,
  },
});
