import { accessOf } from '../contract/access.ts';
import { CHANGES_INDEX_KEY, COUNTRIES_KEY, NDJSON_KEY, partKey } from '../contract/document-keys.ts';
import { PROBLEM_TYPE } from '../contract/headers.ts';
import {
  CURRENT_KEY,
  INCOMING_FOLDER,
  LOG_FOLDER,
  NO_FILTER,
  PAGES_FOLDER,
  pageKey,
} from '../contract/object-keys.ts';
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';
import type { Release } from '../release/release.ts';
import { apiKeyHeaders, expectHeaders, sendOrReport, type VerifyContext } from './response.ts';

export type AccessCheck = {
  readonly path: string;
  readonly apiKey: string | undefined;
  /** Expected status. Undefined for an alternative spelling of a path: any of 300 to 499 except 304 is right. */
  readonly status: 404 | 401 | undefined;
};

export function* accessChecks(release: Release, apiKey: string | undefined): Generator<AccessCheck> {
  for (const key of [`${LOG_FOLDER}/00000001.json`, `${INCOMING_FOLDER}/x`]) {
    yield { path: key, apiKey, status: 404 };
    for (const path of spellings(key)) yield { path, apiKey, status: undefined };
  }
  if (!release.settings.api_keys) return;
  const keys = [
    COUNTRIES_KEY,
    NDJSON_KEY,
    partKey('0'.repeat(32)),
    CHANGES_INDEX_KEY,
    CURRENT_KEY,
    pageKey(`${PAGES_FOLDER}/${NO_FILTER}/${NO_FILTER}`, DEFAULT_PAGE_SIZE, 1),
  ];
  for (const key of keys.filter((key) => accessOf(key) === 'guarded')) {
    yield { path: key, apiKey: undefined, status: 401 };
    for (const path of spellings(key)) yield { path, apiKey: undefined, status: undefined };
  }
}

function spellings(key: string): string[] {
  const first = key.charCodeAt(0).toString(16);
  return [
    `%${first}${key.slice(1)}`,
    `%${first.toUpperCase()}${key.slice(1)}`,
    `%25${first}${key.slice(1)}`,
    key.replace('/', '//'),
    key.replace('/', '%2F'),
    key.replace('/', '/./'),
    `media/../${key}`,
    `media/%2e%2e/${key}`,
    key.toUpperCase(),
  ];
}

export async function checkAccess(
  { client, origin, base, report }: VerifyContext,
  { path, apiKey, status }: AccessCheck,
): Promise<void> {
  const url = `${origin}${base}/${path}`;
  const differ = report(`GET ${url}${apiKey === undefined ? '' : ' with a key'}`);
  const answer = await sendOrReport(client, { method: 'GET', url, headers: apiKeyHeaders(apiKey) }, differ);
  if (!answer) return;
  if (status === undefined) {
    if (answer.status < 300 || answer.status === 304 || answer.status >= 500)
      differ('status', 'a refusal', String(answer.status));
    return;
  }
  if (answer.status !== status) differ('status', String(status), String(answer.status));
  else expectHeaders(answer, [['Content-Type', PROBLEM_TYPE]], differ);
}
