/** What broke a rule before the rules were checked. These lists only shrink. */

/** Imports that go up. */
export const ALLOWED_IMPORTS: readonly string[] = [];

/** Files that import each other in a circle; a smaller circle of the same files is allowed, too. */
export const ALLOWED_CYCLES: readonly (readonly string[])[] = [];

/** Long files and functions. */
export const ALLOWED_LENGTHS: readonly string[] = [
  'scripts/bench/report.ts judge',
  'scripts/trials/publishing/stage.ts play',
  'scripts/trials/publishing/store.ts startStore',
  'scripts/trials/publishing/watch.ts watch',
  'src/build/images/make-images.ts makeImages',
  'src/build/write/release.ts writeRelease',
  'src/explorer/combobox.tsx Combobox',
  'src/explorer/map.ts createMap',
  'src/explorer/results-page.tsx ResultsPage',
  'src/explorer/search-form.tsx SearchForm',
  'src/packed/serve/list.ts createPackedList',
];
