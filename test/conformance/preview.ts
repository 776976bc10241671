/** A fixture as a preview: what belongs to it alone, beside a live release with a file per page. */

import { CURRENT_KEY, problemKey } from '../../src/contract/object-keys.ts';
import { isReleaseKey, objectKindOf } from '../../src/contract/object-kinds.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { type Fixture, type FixtureOptions, makeFixture } from './fixture.ts';

const PREVIEW_PATH = '/_previews/pr-1';

/** Folders of the objects that every release shares, by their names. */
const IMMUTABLE = /^(?:media|explorer)\/|^_catalogue\/(?:chunks|cities|facets|images|parts)\//;

/** Makes the preview that readers see, and what the bucket holds. */
export function makePreview(options: FixtureOptions): { seen: Fixture; stored: Fixture } {
  const live = makeFixture({ ...options, layout: undefined, hasMissingPages: false });
  const seen = makeFixture({
    ...options,
    base: options.base + PREVIEW_PATH,
    layout: 'packed',
    isWhole: true,
  });
  // Problems refer to the pages of the live release.
  for (const [name, problem] of problemDocuments(options))
    seen.files.set(problemKey(name), Buffer.from(JSON.stringify(problem)));
  // A preview has nothing but the objects of a release, without the copies that rollbacks need.
  for (const key of seen.files.keys())
    if (key !== CURRENT_KEY && (!isReleaseKey(key) || objectKindOf(key) === 'copy')) seen.files.delete(key);
  const release = seen.release!;
  const own = [...seen.files.keys()].filter((key) => !IMMUTABLE.test(key) && key !== CURRENT_KEY);
  const named = { expires: '2999-01-01T00:00:00Z', own };
  const current = { ...JSON.parse(String(seen.files.get(CURRENT_KEY))), ...named };
  seen.files.set(CURRENT_KEY, Buffer.from(JSON.stringify(current)));
  const files = new Map(live.files);
  for (const [key, body] of seen.files) {
    if (key === CURRENT_KEY) files.set(`${PREVIEW_PATH.slice(1)}/${key}`, body);
    else if (own.includes(key)) files.set(`${PREVIEW_PATH.slice(1)}/${release}/${key}`, body);
    else files.set(key, body);
  }
  // No answer of the preview may have what the live one has.
  for (const [key, body] of live.files)
    if (own.includes(key) && !key.startsWith('_catalogue/problems/'))
      files.set(key, Buffer.concat([body, Buffer.from('of the live release')]));
  return { seen, stored: { ...live, files } };
}
