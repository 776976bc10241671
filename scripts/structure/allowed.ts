/** What broke a rule before the rules were checked. These lists only shrink. */

/** Imports that go up. */
export const ALLOWED_IMPORTS: readonly string[] = [
  'src/release/in-memory.ts -> src/build/write/pages.ts',
  'src/release/manifest.ts -> src/build/state/sequence.ts',
];

/** Files that import each other in a circle; a smaller circle of the same files is allowed, too. */
export const ALLOWED_CYCLES: readonly (readonly string[])[] = [
  ['src/storage/challenge.ts', 'src/storage/lease.ts'],
  ['src/history/feed.ts', 'src/history/files.ts'],
  ['src/build/images/images.ts', 'src/build/images/remote.ts'],
  [
    'src/build/build-release.ts',
    'src/build/build.ts',
    'src/build/order.ts',
    'src/build/plan.ts',
    'src/build/read/catalogue.ts',
    'src/build/state/last-release.ts',
    'src/build/state/reusable.ts',
    'src/build/state/trust.ts',
    'src/build/write/documents.ts',
    'src/build/write/downloads.ts',
    'src/build/write/points-files.ts',
    'src/build/write/release.ts',
  ],
];

/** Long files and functions. */
export const ALLOWED_LENGTHS: readonly string[] = [
  'scripts/bench/report.ts judge',
  'scripts/trials/publishing/stage.ts play',
  'scripts/trials/publishing/store.ts startStore',
  'scripts/trials/publishing/watch.ts watch',
  'src/build/build-release.ts buildWith',
  'src/build/build.ts build',
  'src/build/images/make-images.ts makeImages',
  'src/build/write/release.ts writeRelease',
  'src/dev/server.ts startDevServer',
  'src/dev/session.ts startSession',
  'src/explorer/combobox.tsx Combobox',
  'src/explorer/map.ts createMap',
  'src/explorer/results-page.tsx ResultsPage',
  'src/explorer/search-form.tsx SearchForm',
  'src/packed/serve/list.ts createPackedList',
  'src/source/codes.ts',
  'src/storage/folder/bucket.ts openFolder',
  'src/storage/holder.ts createHolder',
];
