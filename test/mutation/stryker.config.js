const { FOLDER = '{contract,release,storage,publish}' } = process.env;

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts' },
  // The OpenAPI document is mostly text. Linters and real answers judge it, too slowly for each change.
  mutate: [`src/${FOLDER}/**/*.ts`, '!src/contract/openapi/**'],
  ignorePatterns: ['/content', '/lib', '/packages', '/docs'],
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, allowColor: false },
  tempDirName: 'reports/stryker',
  tsconfigFile: 'none',
};
