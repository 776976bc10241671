import { env } from 'node:process';
import { problemDocuments } from '../../contract/problem.ts';
import { UsageError } from '../../errors/errors.ts';
import { pageScopes, type Release } from '../../release/release.ts';
import { batches } from '../../storage/for-each.ts';
import {
  isScopeEntry,
  keyValueEntries,
  STORED_RELEASE_KEY,
} from '../../targets/cloudfront-function/store.ts';
import { type AwsService, openAwsService } from './aws-service.ts';
import { createSigner, EVERY_REGION } from './aws-signature.ts';
import { type Invalidator, invalidationError } from './purge.ts';

/** Maximum number of keys per request. */
const BATCH = 50;

const ARN = /^arn:aws[a-z-]*:cloudfront::([0-9]{12}):key-value-store\/[0-9A-Za-z-]+$/;

/**
 * Writes a release's totals and problems to the store, then the release's name. The edge function sends that name, so
 * that `verify` detects a stale store.
 * @param options `endpoint` @default `AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE`, or AWS; `delay`: upper limit of the
 * first retry delay, in milliseconds
 * @throws UsageError `invalid-key-value-store` when `arn` is not the ARN of a key value store
 */
export function createKeyValueStoreInvalidator(
  arn: string,
  { endpoint, delay }: { readonly endpoint?: string; readonly delay?: number } = {},
): Invalidator {
  const account = ARN.exec(arn)?.[1];
  if (account === undefined) {
    throw new UsageError(
      'invalid-key-value-store',
      `"${arn}" is not the ARN of a key value store, such as arn:aws:cloudfront::123456789012:key-value-store/0f3c….`,
    );
  }
  const own = env.AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE;
  const path = `/key-value-stores/${encodeURIComponent(arn)}`;
  const withService = async <T>(work: (service: AwsService) => Promise<T>): Promise<T> => {
    const service = openAwsService({
      endpoint: endpoint ?? (own || `https://${account}.cloudfront-kvs.global.api.aws`),
      signer: createSigner('cloudfront-keyvaluestore', EVERY_REGION),
      type: 'application/json',
      delay,
    });
    try {
      return await work(service);
    } catch (error) {
      throw invalidationError(`the key value store ${arn}`, error);
    } finally {
      service.close();
    }
  };
  return {
    name: 'CloudFront key value store',
    invalidate: async ({ release }) =>
      release ? withService((service) => update(service, path, release)) : [],
    isStale: (release) =>
      withService(async (service) => changesTo(release, await listEntries(service, path)).length > 0),
  };
}

type Change = { readonly Key: string; readonly Value: string } | { readonly Key: string };

async function update(service: AwsService, path: string, release: Release): Promise<string[]> {
  // Reads the tag before the listing, so that the store rejects the update after a concurrent change.
  let { tag } = await service.send('GET', path);
  const changes = changesTo(release, await listEntries(service, path));
  for (const batch of batches(changes, BATCH)) {
    const request = {
      Puts: batch.filter((change) => 'Value' in change),
      Deletes: batch.filter((change) => !('Value' in change)),
    };
    ({ tag } = await service.send('POST', `${path}/keys`, JSON.stringify(request), { tag }));
  }
  return changes.map(({ Key }) => Key);
}

/** The name of the release comes last, so that it is written last. Entries of other programs stay. */
function changesTo(release: Release, held: ReadonlyMap<string, string>): Change[] {
  const entries = new Map(entriesOf(release));
  const gone = [...held.keys()].filter((Key) => isScopeEntry(Key) && !entries.has(Key));
  const other = [...entries].filter(([Key, Value]) => held.get(Key) !== Value);
  return [...gone.map((Key) => ({ Key })), ...other.map(([Key, Value]) => ({ Key, Value }))];
}

function* entriesOf(release: Release): Generator<[key: string, value: string]> {
  const { base, page_sizes: sizes, layout } = release.settings;
  const scopes = Array.from(pageScopes(release), ([folder, { total }]) => ({ folder, total }));
  yield* keyValueEntries(scopes, problemDocuments({ base, sizes, layout }));
  yield [STORED_RELEASE_KEY, release.name];
}

async function listEntries(service: AwsService, path: string): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  let next: string | undefined;
  do {
    const query = { MaxResults: String(BATCH), ...(next ? { NextToken: next } : {}) };
    const { body } = await service.send('GET', `${path}/keys`, '', { query });
    const page = JSON.parse(body.toString()) as {
      Items?: { Key: string; Value: string }[];
      NextToken?: string;
    };
    for (const { Key, Value } of page.Items ?? []) entries.set(Key, Value);
    next = page.NextToken;
  } while (next);
  return entries;
}
