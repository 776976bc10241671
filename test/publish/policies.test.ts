/** The policies of the documentation allow every command, and no more. */
import { expect, it } from 'vitest';
import { CURRENT_KEY } from '../../src/contract/object-keys.ts';
import { describeReleases } from '../../src/publish/list-releases.ts';
import { endPreview, publishPreview } from '../../src/publish/preview.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { createReleases } from '../simulation/releases.ts';
import { allows, enforce, type PolicyStatement, policyBelow } from '../support/policy.ts';
import { useS3 } from '../support/s3.ts';

const s3 = useS3();
const HEADERS = { contentType: 'text/html', cacheControl: 'no-store' };
const [ONE, TWO] = createReleases('packed', true);
const READING: PolicyStatement[] = [
  { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: 'arn:aws:s3:::stays' },
  { Effect: 'Allow', Action: ['s3:GetObject'], Resource: 'arn:aws:s3:::stays/*' },
];

async function open(policy: readonly PolicyStatement[]) {
  const refused: string[] = [];
  const endpoint = await enforce(s3.endpoint(), policy, refused);
  return { bucket: withRetry(s3.open('', { endpoint })), refused };
}

it('that of the publisher allows every command', async () => {
  const text = JSON.stringify(
    policyBelow('Make a user or a role for publishing', 'hosting/s3-cloudfront'),
  ).replaceAll('stays-live', 'stays');
  const { bucket, refused } = await open(JSON.parse(text) as PolicyStatement[]);
  await publishRelease(bucket, ONE!, { keptDays: 7 });
  await publishRelease(bucket, TWO!, { allowShrink: true, keptDays: 7 });
  await rollBack(bucket, undefined, { allowShrink: true });
  await publishRelease(bucket, TWO!, { allowShrink: true, verify: true });
  await publishPreview(bucket, 'a', ONE!);
  await endPreview(bucket, 'a');
  await pruneReleases(bucket, { grace: 0, force: true });
  expect(await describeReleases(bucket)).toHaveLength(1);
  expect(refused).toEqual([]);
});

it('that of previews allows to publish and to end one, and to create nothing else', async () => {
  const owner = withRetry(s3.open(''));
  await publishRelease(owner, ONE!, { allowOlder: true, allowShrink: true });
  const { bucket, refused } = await open([
    ...READING,
    ...policyBelow('A preview is at `_previews/pr-12/`', 'releases'),
  ]);
  await publishPreview(bucket, 'pr-12', TWO!);
  await publishPreview(bucket, 'pr-12', ONE!);
  await endPreview(bucket, 'pr-12');
  expect(refused).toEqual([]);
  const keys = [
    ...['evil.html', 'index.html', 'robots.txt', 'docs/evil.html', 'changes/2026-01.ndjson', 'openapi.json'],
    ...[
      '_catalogue/log/00000009.json',
      '_catalogue/log/00000009.beat',
      CURRENT_KEY,
      CURRENT_KEY,
      '_catalogue/releases.json',
      '_catalogue/releases/retired-details.json',
    ],
    ...[
      '_catalogue/statements/x.ndjson',
      '_catalogue/roots/x.json',
      '_catalogue/properties/x.json',
      '_previewsx',
    ],
  ];
  for (const key of keys) {
    const body = Buffer.from('evil');
    const denied = { code: 'bucket-denied' };
    await expect(bucket.write(key, body, HEADERS, { absent: true }), key).rejects.toMatchObject(denied);
    await expect(bucket.write(key, body, HEADERS), key).rejects.toMatchObject(denied);
    await expect(bucket.remove([key]), key).rejects.toMatchObject(denied);
  }
  // Shared objects are created, never replaced or removed.
  const photo = `media/${'0'.repeat(32)}.jpg`;
  await bucket.write(photo, Buffer.from('photo'), HEADERS, { absent: true });
  await expect(bucket.write(photo, Buffer.from('evil'), HEADERS)).rejects.toMatchObject({
    code: 'bucket-denied',
  });
  await expect(bucket.remove([photo])).rejects.toMatchObject({ code: 'bucket-denied' });
  await pruneReleases(owner);
});

it('a policy is judged by action, resource and condition', () => {
  const policy = policyBelow('A preview is at');
  const create = { 'if-none-match': '*' };
  expect(allows(policy, 's3:PutObject', 'arn:aws:s3:::stays/_previews/a/x')).toBe(true);
  expect(allows(policy, 's3:PutObject', 'arn:aws:s3:::other/_previews/a/x')).toBe(false);
  expect(allows(policy, 's3:PutObject', 'arn:aws:s3:::stays/media/x.jpg', create)).toBe(true);
  expect(allows(policy, 's3:PutObject', 'arn:aws:s3:::stays/media/x.jpg')).toBe(false);
  expect(allows(policy, 's3:GetObject', 'arn:aws:s3:::stays/media/x.jpg', create)).toBe(false);
});

it('a publisher that may not remove is told that the release is live (B12)', async () => {
  const owner = withRetry(s3.open(''));
  const [one, two] = createReleases('pages', false);
  await publishRelease(owner, one!, { allowOlder: true, allowShrink: true });
  const { bucket } = await open([
    { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: 'arn:aws:s3:::stays' },
    { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: 'arn:aws:s3:::stays/*' },
  ]);
  await expect(publishRelease(bucket, two!, { allowShrink: true })).rejects.toMatchObject({
    code: 'bucket-denied',
    message: expect.stringMatching(
      /^The release is live, but what it replaced could not be removed\. .*s3:DeleteObject/,
    ),
  });
  expect((await describeReleases(owner))[0]).toMatchObject({ name: two!.release.name, isLive: true });
});
