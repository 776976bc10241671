/** What a client with a key refuses: each attack by its own code. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, ConnectionError, createClient, SignatureError } from '../../src/client/index.ts';
import { createSearch } from '../../src/client/search.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  FACETS_FOLDER,
  PARTS_FOLDER,
  propertyKey,
  RELEASE_STATEMENTS_FOLDER,
  ROOTS_FOLDER,
  releaseStatementKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import type { ReleaseStatement } from '../../src/contract/release-statement.ts';
import { route } from '../../src/contract/route.ts';
import { digestOf } from '../../src/release/digest.ts';
import { sha256Hex, signStatement } from '../../src/release/signed-statement.ts';
import { createWorkspace, idOf } from '../compile/workspace.ts';

const BASE = 'https://catalogue.example';
const [pair, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const textOf = ({ publicKey }: typeof pair) =>
  publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const KEY = textOf(pair);
const HOUR = 3_600_000;

/** Texts, and bytes in Latin-1. */
type Files = Map<string, string>;

/** Builds catalogues of three properties, and returns their files. */
async function built(settings = ''): Promise<(title: string) => Promise<Files>> {
  const workspace = createWorkspace();
  workspace.configure(
    `base_url: ${BASE}\npage_sizes: [25]\ntargets: []\nexplorer: { enabled: false }\ndocs: false\n${settings}`,
  );
  for (const n of [1, 2, 3]) workspace.add(n);
  return async (title) => {
    workspace.add(1, { title });
    await workspace.build();
    return new Map(
      [...workspace.tree().keys()].map((key) => [key, readFileSync(join(workspace.public, key), 'latin1')]),
    );
  };
}

/** The key of the live root. */
function rootOf(files: Files): string {
  return rootKey((JSON.parse(files.get(CURRENT_KEY)!) as { release: string }).release);
}

/** Adds the statement of a release. */
function sign(files: Files, changes: Partial<ReleaseStatement> = {}, keys = [pair]): Files {
  const root = sha256Hex(Buffer.from(files.get(rootOf(files))!, 'latin1'));
  const now = Date.now();
  const statement: ReleaseStatement = {
    ...{ version: 1, catalogue: BASE, release: 'a', number: 7, root },
    published: new Date(now).toISOString(),
    expires: new Date(now + 24 * HOUR).toISOString(),
    ...changes,
  };
  const text = signStatement(
    statement,
    keys.map(({ privateKey }) => privateKey),
  ).toString();
  return new Map(files).set(releaseStatementKey(root), text);
}

/** A client of files, as a target serves them. */
function clientOf(files: Files, options: Partial<ClientOptions> = {}) {
  return createClient({
    ...{ baseUrl: BASE, key: KEY, retries: 0, ...options },
    fetch: async (url) => {
      const { pathname, search } = new URL(String(url));
      const answer = route('GET', pathname, search.slice(1), { base: '', sizes: [25] });
      const key = 'key' in answer ? answer.key : pathname.slice(1);
      const body = files.get(key);
      return body === undefined
        ? new Response('', { status: 404 })
        : new Response(new Uint8Array(Buffer.from(body, 'latin1')));
    },
  });
}

/** Reads everything that is checked. */
async function readAll(client: ReturnType<typeof clientOf>): Promise<void> {
  const { data } = await client.listProperties();
  expect(data).toHaveLength(3);
  expect((await client.listProperties({ country: 'IE', city: 'Galway' })).data).toHaveLength(3);
  expect((await client.getProperty(data[0]!.id)).title).toBe(data[0]!.title);
  await Promise.all([client.getIndex(), client.getCountries(), client.getCities('IE')]);
  let records = 0;
  for await (const { id } of client.downloadProperties()) records += id ? 1 : 0;
  expect(records).toBe(3);
}

const codeOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof SignatureError) return error.code;
    throw error;
  }
  return 'none';
};

const make = await built();
const before = await make('House 1');
const after = await make('Another');
const file = (files: Files, from: Files, key: string) => new Map(files).set(key, from.get(key)!);

it('reports an answer that breaks off as a network error', async () => {
  const fetch = async () =>
    new Response(new ReadableStream({ start: (body) => body.error(new Error('cut off')) }));
  const client = createClient({ baseUrl: BASE, key: KEY, retries: 0, fetch });
  await expect(client.getStatement()).rejects.toThrow(ConnectionError);
});

it('reads what the key signed, and says its number', async () => {
  for (const key of [KEY, [textOf(other), KEY]]) {
    const client = clientOf(sign(after), { key, seen: 7 });
    await readAll(client);
    expect(await client.getStatement()).toMatchObject({ number: 7, catalogue: BASE });
  }
  await readAll(clientOf(sign(after, {}, [other, pair])));
  await readAll(clientOf(sign(after), { baseUrl: 'https://copy.example', catalogue: BASE }));
  await expect(createClient({ baseUrl: BASE }).getStatement()).rejects.toMatchObject({ code: 'invalid-key' });
});

it.each(['hello', '', 'MCowBQYDK2VwAyEA', `${KEY}=`, KEY.slice(1), '{}', 'é'.repeat(60), [KEY, 'hello']])(
  'says what a key looks like: %s',
  async (key) => {
    const client = clientOf(sign(after), { key });
    for (const call of [client.getStatement(), client.getIndex(), client.listProperties()]) {
      const error = (await call.catch((thrown: unknown) => thrown)) as SignatureError;
      expect(error).toBeInstanceOf(SignatureError);
      expect([error.code, error.message]).toEqual(['invalid-key', expect.stringContaining('60 characters')]);
    }
  },
);

it('takes a key in base64url, and with spaces around it', async () => {
  const urlSafe = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  for (const key of [` ${KEY}\n`, urlSafe]) await readAll(clientOf(sign(after), { key }));
});

it('reads ids and filters in every spelling that the API takes', async () => {
  const lettered = await (await built())('House 1');
  const client = clientOf(sign(lettered));
  for (const query of [{ country: '' }, { city: '' }, { country: 'IE', city: '' }, { city: undefined }])
    expect((await client.listProperties(query)).data).toHaveLength(3);
  expect((await client.getProperty(idOf(1).toUpperCase())).title).toBe('House 1');
});

it('lets nobody say that a property or a file is not there', async () => {
  for (const key of [propertyKey(idOf(1)), 'index.json', '_catalogue/countries/IE.json']) {
    const files = sign(after);
    files.delete(key);
    const client = clientOf(files);
    const call = { i: () => client.getIndex(), _: () => client.getCities('IE') }[key[0]!]!;
    expect(await codeOf(key === propertyKey(idOf(1)) ? () => client.getProperty(idOf(1)) : call)).toBe(
      'object-differs',
    );
  }
  const client = clientOf(sign(after));
  await expect(client.getProperty(idOf(99))).rejects.toMatchObject({ name: 'ProblemError', status: 404 });
  await expect(client.getCities('FR')).rejects.toMatchObject({ name: 'ProblemError', status: 404 });
});

describe('refuses', () => {
  const signed = sign(after);
  const old = sign(before, { number: 6 });
  const statement = [...signed.keys()].find((key) => key.startsWith(RELEASE_STATEMENTS_FOLDER))!;
  const ahead = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

  it.each<[code: string, what: string, files: Files, options?: Partial<ClientOptions>]>([
    ['release-rolled-back', 'an older release than was seen', old, { seen: 7 }],
    ['statement-expired', 'an expired statement', sign(after, { expires: ahead(-1.1) })],
    ['statement-early', 'a statement of the future', sign(after, { published: ahead(1.1) })],
    ['wrong-key', 'the signature of another key', sign(after, {}, [other])],
    [
      'wrong-key',
      'a changed statement',
      new Map(signed).set(statement, signed.get(statement)!.replace(':7,', ':8,')),
    ],
    ['wrong-key', 'everything, without a key', signed, { key: [] }],
    [
      'wrong-catalogue',
      'the statement of another catalogue',
      sign(after, { catalogue: 'https://other.example' }),
    ],
    ['root-differs', 'the statement of another root', sign(after, { root: '0'.repeat(64) })],
    [
      'root-damaged',
      'a root that is cut off',
      new Map(signed).set(rootOf(signed), signed.get(rootOf(signed))!.slice(0, -9)),
    ],
    [
      'root-damaged',
      'the root of another release',
      new Map(signed).set(rootOf(signed), before.get(rootOf(before))!),
    ],
    [
      'root-damaged',
      'a name of no release',
      new Map(signed).set(CURRENT_KEY, '{"version":3,"release":"../../other"}'),
    ],
    ['statement-missing', 'a release that nobody signed', after],
  ])('%s: %s', async (code, _what, files, options) => {
    const client = clientOf(files, options);
    for (const call of [
      () => client.getIndex(),
      () => client.listProperties(),
      () => client.getProperty(idOf(1)),
      () => client.getStatement(),
    ])
      expect(await codeOf(call)).toBe(code);
  });

  it('takes a clock that is an hour off', async () => {
    await readAll(clientOf(sign(after, { expires: ahead(-0.9) })));
    await readAll(clientOf(sign(after, { published: ahead(0.9), expires: ahead(5) })));
  });

  it('object-differs: objects of another release, swapped and invented ones', async () => {
    const page = '_catalogue/pages/-/-/25-1.json';
    const data = after.get(page)!;
    const swapped = new Map(signed).set(propertyKey(idOf(1)), after.get(propertyKey(idOf(2)))!);
    const { meta, data: entries } = JSON.parse(data) as { meta: unknown; data: unknown[] };
    const shorter = JSON.stringify({ data: entries.slice(1), meta });
    const further = JSON.stringify({ data: entries, meta, links: {} });
    const deeper = JSON.stringify({ data: entries, meta: { ...Object(meta), further: 1 } });
    const detail = after.get(propertyKey(idOf(1)))!.replace('{', '{"further":1,');
    const reversed = JSON.stringify({ data: entries.reverse(), meta });
    for (const call of [
      () => clientOf(file(signed, before, propertyKey(idOf(1)))).getProperty(idOf(1)),
      () => clientOf(swapped).getProperty(idOf(1)),
      () => clientOf(file(signed, before, page)).listProperties(),
      () => clientOf(new Map(signed).set(propertyKey(idOf(1)), detail)).getProperty(idOf(1)),
      ...[shorter, reversed, further, deeper, data.replace('"total_entries":3', '"total_entries":2')].map(
        (text) => () => clientOf(new Map(signed).set(page, text)).listProperties(),
      ),
      () =>
        clientOf(
          new Map(signed).set(
            '_catalogue/pages/IE/-/25-1.json',
            after.get(page)!.replace('"current_page":1', '"current_page":2'),
          ),
        ).listProperties({ country: 'IE' }),
      () => clientOf(file(signed, before, 'index.json')).getIndex(),
      () =>
        clientOf(file(signed, before, 'properties.ndjson'))
          .downloadProperties()
          .next(),
    ])
      expect(await codeOf(call)).toBe('object-differs');
  });

  it.each([
    [CHUNKS_FOLDER, (client: ReturnType<typeof clientOf>) => client.listProperties()],
    [CITIES_FOLDER, (client: ReturnType<typeof clientOf>) => client.listProperties({ city: 'Galway' })],
    [PARTS_FOLDER, (client: ReturnType<typeof clientOf>) => client.getProperty(idOf(1))],
    [CHUNKS_FOLDER, (client: ReturnType<typeof clientOf>) => createSearch(client)({})],
    [FACETS_FOLDER, (client: ReturnType<typeof clientOf>) => createSearch(client)({})],
    [CITIES_FOLDER, (client: ReturnType<typeof clientOf>) => createSearch(client)({ city: 'Galway' })],
  ])('object-differs: an object of %s that is changed, and reads it again', async (folder, call) => {
    const files = new Map(signed);
    const key = [...files.keys()].find((one) => one.startsWith(`${folder}/`))!;
    const changed = files.get(key)!.replace('Galway', 'galway').replace('53.27', '54.27');
    files.set(key, changed);
    const client = clientOf(files);
    expect(await codeOf(() => call(client))).toBe('object-differs');
    expect(await codeOf(() => client.getIndex())).toBe('none');
    files.set(key, signed.get(key)!);
    await readAll(client);
  });
});

it('reads a root again that was damaged', async () => {
  const signed = sign(after);
  const files = new Map(signed);
  const client = clientOf(files);
  for (const text of ['{', signed.get(rootOf(signed))!.replace('"total"', '"Total"')]) {
    files.set(rootOf(signed), text);
    for (const call of [() => client.listProperties(), () => createSearch(client)({})])
      expect(await codeOf(call)).toBe('root-damaged');
  }
  files.set(rootOf(signed), signed.get(rootOf(signed))!);
  await readAll(client);
});

it('goes on in the release that follows, and never back', async () => {
  const live = sign(before, { number: 6 });
  const client = clientOf(live);
  await readAll(client);
  const search = createSearch(client, { maxAge: -1 });
  expect((await search({ text: 'another' })).total).toBe(0);
  for (const [key, text] of sign(after)) live.set(key, text);
  await readAll(client);
  expect((await search({ text: 'another' })).total).toBe(1);
  expect(await client.getStatement()).toMatchObject({ number: 7 });
  for (const [key, text] of sign(before, { number: 6 })) live.set(key, text);
  expect(await codeOf(() => search({}))).toBe('release-rolled-back');
  expect(await codeOf(() => readAll(client))).toBe('release-rolled-back');
});

/** Names the root in `index.json`, as a build does above 1 MB of properties. */
function inParts(files: Files): Files {
  const index = JSON.parse(files.get('index.json')!) as { downloads: { name: string }[] };
  const unnamed = '0'.repeat(32);
  const downloads = index.downloads.slice(0, 1).map(({ name }) => ({ name, root: rootKey(unnamed) }));
  const template = JSON.stringify({ ...index, release: unnamed, downloads });
  const root = JSON.parse(files.get(rootOf(files))!) as { documents: object };
  const documents = { ...root.documents, 'index.json': digestOf(template) };
  const text = JSON.stringify({ ...root, documents });
  const release = digestOf(text);
  const others = [...files].filter(([key]) => key !== rootOf(files));
  return new Map(others)
    .set('index.json', template.replaceAll(unnamed, release))
    .set(rootKey(release), text)
    .set(CURRENT_KEY, JSON.stringify({ version: 3, release }));
}

it.each(['pages', 'packed'])(
  'reads parts that a root of the layout %s names by their digests',
  async (layout) => {
    const signed = sign(inParts(await (await built(`layout: ${layout}\n`))('House 1')));
    const client = clientOf(signed);
    const ids: string[] = [];
    for await (const { id } of client.downloadProperties()) ids.push(id);
    expect(ids).toEqual([1, 2, 3].map((n) => idOf(n)));
    const keyIn = (folder: string) => [...signed.keys()].find((key) => key.startsWith(`${folder}/`))!;
    const part = signed.get(keyIn(PARTS_FOLDER))!.replace('House', 'Mouse');
    const root = signed.get(keyIn(ROOTS_FOLDER))!.replace('"total":3', '"total":2');
    for (const [key, text, code] of [
      [keyIn(PARTS_FOLDER), part, 'object-differs'],
      [keyIn(ROOTS_FOLDER), root, 'root-damaged'],
    ] as const) {
      const client = clientOf(new Map(signed).set(key, text));
      expect(await codeOf(() => client.downloadProperties().next())).toBe(code);
    }
  },
);
