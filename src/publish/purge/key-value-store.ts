import { env } from 'node:process';
import { problemDocuments } from '../../contract/problem.ts';
import { UsageError } from '../../errors/errors.ts';
import { pageScopes, type Release } from '../../release/release.ts';
import {
  isScopeEntry,
  keyValueEntries,
  STORED_RELEASE_KEY,
} from '../../targets/cloudfront-function/key-value-entries.ts';
import { createAwsSender, type SendToAws } from './aws-service.ts';
import { createSigner, EVERY_REGION } from './aws-signature.ts';
import type { Purger } from './purge-caches.ts';
import { PurgeRefusal, type PurgeRequestOptions, withPurgeClient } from './request.ts';

/** Maximum number of keys per request. */
const BATCH = 50;

const ARN = /^arn:aws[a-z-]*:cloudfront::([0-9]{12}):key-value-store\/[0-9A-Za-z-]+$/;

/**
 * Writes a release's totals and problems to the store, then the release's name. The edge function sends that name, so
 * that `verify` detects a stale store.
 * @param options `endpoint` @default `AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE`, or AWS
 * @throws UsageError `invalid-key-value-store` when `arn` is not the ARN of a key value store
 */
export function createKeyValueStorePurger(
  arn: string,
  { endpoint, ...options }: PurgeRequestOptions & { readonly endpoint?: string } = {},
): Purger {
  const account = ARN.exec(arn)?.[1];
  if (account === undefined) {
    throw new UsageError(
      'invalid-key-value-store',
      `"${arn}" is not the ARN of a key value store, such as arn:aws:cloudfront::123456789012:key-value-store/0f3c….`,
    );
  }
  const own = env.AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE;
  const path = `/key-value-stores/${encodeURIComponent(arn)}`;
  const withStore = <Result>(run: (send: SendToAws) => Promise<Result>): Promise<Result> =>
    withPurgeClient(`the key value store ${arn}`, options, (client) =>
      run(
        createAwsSender(client, {
          endpoint: endpoint ?? (own || `https://${account}.cloudfront-kvs.global.api.aws`),
          signer: createSigner('cloudfront-keyvaluestore', EVERY_REGION),
          type: 'application/json',
        }),
      ),
    );
  return {
    name: 'CloudFront key value store',
    purge: async ({ release }) => (release ? withStore((send) => update(send, path, release)) : []),
    isStale: (release) =>
      withStore(async (send) => changesTo(release, await listEntries(send, path)).length > 0),
  };
}

type Change = { readonly Key: string; readonly Value: string } | { readonly Key: string };

/** Statuses with which the service may refuse an outdated tag. */
const OTHER_TAG = [400, 409, 412];

async function update(send: SendToAws, path: string, release: Release): Promise<string[]> {
  // Reads the tag before the listing, so that the store rejects the update after a concurrent change.
  const read = async () => {
    const { tag } = await send('GET', path);
    return { tag, changes: changesTo(release, await listEntries(send, path)) };
  };
  let { tag, changes } = await read();
  const updated = changes.map(({ Key }) => Key);
  while (changes.length > 0) {
    const batch = changes.slice(0, BATCH);
    const request = {
      Puts: batch.filter((change) => 'Value' in change),
      Deletes: batch.filter((change) => !('Value' in change)),
    };
    try {
      ({ tag } = await send('POST', `${path}/keys`, JSON.stringify(request), { tag }));
      changes = changes.slice(BATCH);
    } catch (error) {
      if (!(error instanceof PurgeRefusal) || !OTHER_TAG.includes(error.status)) throw error;
      // If the response to the first attempt was lost, the store refuses the second attempt, which has the old tag. The
      // store then has the changes of the batch already.
      const now = await read();
      if (now.changes.length > changes.length - batch.length) throw error;
      ({ tag, changes } = now);
    }
  }
  return updated;
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

async function listEntries(send: SendToAws, path: string): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  let next: string | undefined;
  do {
    const query = { MaxResults: String(BATCH), ...(next ? { NextToken: next } : {}) };
    const { body } = await send('GET', `${path}/keys`, '', { query });
    const page = JSON.parse(body.toString()) as {
      Items?: { Key: string; Value: string }[];
      NextToken?: string;
    };
    for (const { Key, Value } of page.Items ?? []) entries.set(Key, Value);
    next = page.NextToken;
  } while (next);
  return entries;
}
