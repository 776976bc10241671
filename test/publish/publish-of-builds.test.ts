/** Publishing from end to end, as a person would do it. */
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, propertyKey } from '../../src/contract/object-keys.ts';
import { describeReleases } from '../../src/publish/list-releases.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { idOf } from '../compile/workspace.ts';
import { useS3 } from '../support/s3.ts';
import { createCatalogue, expectObjects, objects, photo, tree, written } from './catalogue.ts';

const { openPrefix } = useS3();

/** These catalogues are in no repository. */
const TIMELESS =
  'The release has no time, since its content is in no commit of git: its changes are not recorded.';

describe('publishing to S3', () => {
  it('publishes, changes one field, removes a property, and rolls back', async () => {
    const bucket = openPrefix();
    const catalogue = createCatalogue(6);

    const first = await catalogue.publish(bucket);
    expect(first).toMatchObject({ outcome: 'published', previous: null, removed: 0, unchanged: 0 });
    expect(written(first)).toMatchObject({ details: 6, pages: 4, totals: 4 });
    await expectObjects(bucket, tree(catalogue.public));

    // A field that no list shows: one detail, and the files with all data.
    catalogue.add(3, { email: 'new@house.example' });
    const second = await catalogue.publish(bucket);
    expect(second).toMatchObject({ outcome: 'published', previous: first.release, removed: 0 });
    expect(second.written).toMatchObject({ details: 1, pages: 0, totals: 0, problems: 0 });
    await expectObjects(bucket, tree(catalogue.public));

    catalogue.remove('house-6.yaml');
    const third = await catalogue.publish(bucket);
    expect(third.written).toMatchObject({ details: 0, pages: 4, totals: 4 });
    // No list names it any longer; it stays for readers of cached lists (A9).
    expect([third.removed, third.retired]).toEqual([0, 1]);
    expect(await bucket.read(propertyKey(idOf(6)))).toBeDefined();
    await expectObjects(bucket, tree(catalogue.public));

    const back = await rollBack(bucket, undefined);
    expect(back).toMatchObject({ release: second.release, previous: third.release });
    expect(back.written).toMatchObject({ details: 1, pages: 4, totals: 4, tree: 1 });
    catalogue.add(6);
    await catalogue.build();
    await expectObjects(bucket, tree(catalogue.public));

    await rollBack(bucket, first.release.slice(0, 8));
    catalogue.add(3);
    await catalogue.build();
    await expectObjects(bucket, tree(catalogue.public));
    const kept = await describeReleases(bucket);
    expect(kept.map(({ name, isLive }) => [name, isLive])).toEqual([
      [first.release, true],
      [second.release, false],
      [third.release, false],
    ]);
    expect(kept.map(({ properties }) => properties)).toEqual([6, 6, 5]);
  });

  it('compares with a real listing on request, and never touches foreign objects', async () => {
    const catalogue = createCatalogue(3);
    const bucket = openPrefix();
    const headers = { contentType: 'text/plain', cacheControl: 'no-store' };
    await catalogue.publish(bucket);
    await bucket.write('robots.txt', Buffer.from('mine'), headers);
    await bucket.write('_catalogue/pages/-/-/notes.txt', Buffer.from('whose?'), headers);
    expect((await catalogue.publish(bucket, { verify: true })).outcome).toBe('unchanged');
    await bucket.write(propertyKey(idOf(1)), Buffer.from('{}'), headers);
    await bucket.remove([propertyKey(idOf(2))]);
    expect((await catalogue.publish(bucket)).outcome).toBe('unchanged');
    const notes: string[] = [];
    const listener = (event: PublishEvent) => void (event.kind === 'note' && notes.push(event.text));
    expect(written(await catalogue.publish(bucket, { verify: true, listener }))).toEqual({ details: 2 });
    expect(notes).toEqual([
      `2 objects in ${bucket.name} that the catalogue did not write: publishing leaves them as they are.`,
      TIMELESS,
    ]);
    const found = await objects(bucket);
    expect(found.delete('robots.txt') && found.delete('_catalogue/pages/-/-/notes.txt')).toBe(true);
    expect(found).toEqual(tree(catalogue.public));
  });
});

describe('headers', () => {
  it('belong to each object by its kind, and a change of them alone is a change', async () => {
    const catalogue = createCatalogue(2);
    catalogue.write('a.jpg', await photo(10));
    catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
    const bucket = openPrefix();
    await catalogue.publish(bucket);
    for (const key of (await objects(bucket)).keys())
      expect((await bucket.inspect(key))?.headers?.contentEncoding, key).toBeUndefined();
    const headersOf = async (key: string) => (await bucket.inspect(key))?.headers;
    const media = [...tree(catalogue.public).keys()].filter((key) => key.startsWith('media/'));
    expect(media).toHaveLength(2);
    for (const key of media) {
      expect(await headersOf(key)).toEqual({
        contentType: key.endsWith('.jpg') ? 'image/jpeg' : 'image/webp',
        cacheControl: 'public, max-age=31536000, immutable',
      });
    }
    const api = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';
    expect(await headersOf(propertyKey(idOf(1)))).toEqual({
      contentType: 'application/json',
      cacheControl: api,
    });
    expect(await headersOf('_catalogue/pages/-/-/total')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      cacheControl: api,
    });
    expect(await headersOf('_catalogue/problems/not-found.json')).toEqual({
      contentType: 'application/problem+json',
      cacheControl: 'public, max-age=10',
    });

    catalogue.configure('page_sizes: [25]\ncache_control:\n  media: no-cache\n');
    const { written: counts } = await catalogue.publish(bucket);
    expect(counts).toMatchObject({ media: 2, details: 0, pages: 0, totals: 0, problems: 0 });
    for (const key of media) expect((await headersOf(key))?.cacheControl).toBe('no-cache');

    // A listing finds it too, although the bytes are equal.
    await bucket.remove([CURRENT_KEY]);
    catalogue.configure('page_sizes: [25]\n');
    expect((await catalogue.publish(bucket)).written).toMatchObject({ media: 2, details: 0, pages: 0 });
    expect((await headersOf(media[0]!))?.cacheControl).toContain('immutable');

    // A rollback restores the headers.
    await rollBack(bucket, undefined);
    expect((await headersOf(media[0]!))?.cacheControl).toBe('no-cache');
  });
});
