/** A client with a key against a server that lies: it answers as the data says, or throws an error of its own. */
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CatalogueError,
  type Client,
  type ClientOptions,
  createClient,
  ProblemError,
  SignatureError,
} from '../../src/client/index.ts';
import {
  CURRENT_KEY,
  KEPT_RELEASES_KEY,
  RELEASE_STATEMENTS_FOLDER,
  releaseStatementKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { sha256Hex, signStatement } from '../../src/release/signed-statement.ts';
import { createHandler } from '../../src/serve/handler.ts';
import { createWorkspace, idOf } from '../compile/workspace.ts';
import { serveLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';

const pair = generateKeyPairSync('ed25519');
const KEY = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const MANY = 300;
const DAY = 86_400_000;
const UPPER = '0000ABCD-0000-4000-8000-00000000000A';

/** Signs the release of a folder. */
function sign(folder: string, catalogue: string, number: number): void {
  const { release } = JSON.parse(readFileSync(join(folder, CURRENT_KEY), 'utf8')) as { release: string };
  const root = sha256Hex(readFileSync(join(folder, rootKey(release))));
  const now = Date.now();
  const statement = {
    ...{ version: 1 as const, catalogue, release, number, root },
    published: new Date(now).toISOString(),
    expires: new Date(now + DAY).toISOString(),
  };
  const key = releaseStatementKey(root);
  mkdirSync(join(folder, RELEASE_STATEMENTS_FOLDER));
  writeFileSync(join(folder, key), signStatement(statement, [pair.privateKey]));
  const kept = {
    keptDays: 7,
    releases: [{ release: 'a', version: 1, since: statement.published, keptUntil: null }],
  };
  writeFileSync(join(folder, KEPT_RELEASES_KEY), JSON.stringify(kept));
}

/** Serves two releases of a catalogue of two countries, of which `switchTo` makes one live. */
async function serve(settings: string, many: number) {
  let handler: ReturnType<typeof createHandler> | undefined;
  const origin = await serveLoopback((request, response) => handler!(request, response));
  const workspace = createWorkspace();
  workspace.configure(
    `base_url: ${origin}\npage_sizes: [1, 25, 100]\ntargets: []\nexplorer: { enabled: false }\ndocs: false\n${settings}`,
  );
  for (let n = 1; n <= many; n++)
    workspace.add(n, { title: `House ${n % 7}`, city: n % 3 === 0 ? 'Cork' : 'Zürich' });
  workspace.add(many + 1, {
    id: UPPER.toLowerCase(),
    country: 'FR',
    city: 'Paris',
    latitude: '48.8',
    longitude: '2.3',
  });
  const handlers: (typeof handler)[] = [];
  for (const title of ['Old', 'New']) {
    workspace.add(1, { title });
    await workspace.build();
    const folder = temporaryFolder();
    cpSync(workspace.public, folder, { recursive: true });
    sign(folder, origin, handlers.push(createHandler({ root: folder })));
  }
  const switchTo = (release: 0 | 1) => {
    handler = handlers[release];
  };
  switchTo(1);
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: origin, key: KEY, retries: 0, ...options });
  return { origin, switchTo, client };
}

const all = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
};

/** Every method that is checked, with its arguments in every spelling. */
const CALLS: readonly (readonly [name: string, call: (client: Client) => Promise<unknown>])[] = [
  ...[
    {},
    { country: 'IE' },
    { country: 'FR', size: 100 },
    { city: 'Zürich', page: 2 },
    { city: 'Zürich'.normalize('NFD') },
    { country: 'IE', city: ' Cork' },
    { country: 'IE', city: '' },
    { country: '', city: 'Cork', size: 1, page: 3 },
    { country: '', city: '' },
    { country: undefined, city: undefined, page: undefined, size: undefined },
    { country: 'DE' },
    { country: 'IE', city: 'Paris' },
    { page: 99 },
    { city: '\ud800' },
    { size: '25', page: '2' } as object,
    { country: 'ie' },
    { size: 101 },
    { page: 0 },
  ].map(
    (query) =>
      [`listProperties(${JSON.stringify(query)})`, (client: Client) => client.listProperties(query)] as const,
  ),
  ...[
    idOf(1),
    idOf(2),
    UPPER,
    UPPER.toLowerCase(),
    idOf(0xffff),
    'nope',
    '',
    ' ',
    `${idOf(1)} `,
    '../index.json',
  ].map((id) => [`getProperty(${id})`, (client: Client) => client.getProperty(id)] as const),
  ...['IE', 'FR', 'DE', 'ie', '', '../countries'].flatMap((country) => [
    [`getCities(${country})`, (client: Client) => client.getCities(country)] as const,
  ]),
  ['getIndex', (client) => client.getIndex()],
  ['getCountries', (client) => client.getCountries()],
  ['getGeoJson', (client) => client.getGeoJson()],
  ['iterateProperties', (client) => all(client.iterateProperties({}, { prefetch: 3 }))],
  [
    'iterateProperties, of a city',
    (client) => all(client.iterateProperties({ city: 'Cork', country: '', size: 25 })),
  ],
  ['downloadProperties', (client) => all(client.downloadProperties())],
];

type Outcome = { readonly value: unknown } | { readonly error: Error };
const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (value) => ({ value }),
    (error) => ({ error: error as Error }),
  );

/** A change of an answer: its kind, and where in it. */
type Lie = { readonly kind: string; readonly at: number; readonly which: number };
const KINDS = [
  'value',
  'drop',
  'add',
  'other',
  'older',
  'truncated',
  '404',
  '410',
  '500',
  '401',
  'empty',
  'html',
  'null',
  'list',
  'swap',
];

/** Yields every place of a JSON value: its parent, and its key there. */
function* placesIn(parent: unknown): Generator<[parent: Record<string, unknown>, key: string]> {
  if (typeof parent !== 'object' || parent === null) return;
  for (const key of Object.keys(parent)) {
    yield [parent as Record<string, unknown>, key];
    yield* placesIn((parent as Record<string, unknown>)[key]);
  }
}

/** Changes a JSON text in one place. */
function changed(text: string, { kind, which }: Lie): string {
  const lines = text.split('\n');
  const line = which % Math.max(1, lines.length - 1);
  let value: unknown;
  try {
    value = JSON.parse(lines[line]!);
  } catch {
    return `${text}x`;
  }
  const places = [...placesIn(value)];
  const [parent, key] = places[(which * 7919) % places.length] ?? [{}, ''];
  if (kind === 'drop') {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  } else if (kind === 'add') {
    if (Array.isArray(parent)) parent.push(parent[Number(key)]);
    else parent[which % 2 === 0 ? 'further' : '__proto__x'] = 1;
  } else if (kind === 'swap' && Array.isArray(parent)) parent.reverse();
  else parent[key] = typeof parent[key] === 'number' ? Number(parent[key]) + 1 : { lie: parent[key] };
  return [...lines.slice(0, line), JSON.stringify(value), ...lines.slice(line + 1)].join('\n');
}

describe.each([
  ['pages', '', MANY],
  ['packed', 'layout: packed\n', MANY],
  ['packed, in pieces', 'layout: packed\n', 3000],
])('in the layout %s', (_layout, settings, many) => {
  let place: Awaited<ReturnType<typeof serve>>;
  const truths = new Map<string, Outcome>();
  beforeAll(async () => {
    place = await serve(settings, many);
    // What the data says: tests of conformance compare it with an oracle of their own.
    const plain = createClient({ baseUrl: place.origin, retries: 0 });
    for (const [name, call] of CALLS) truths.set(name, await outcomeOf(call(plain)));
  });

  it.each(CALLS)('a sound answer passes: %s', async (name, call) => {
    const truth = truths.get(name)!;
    const outcome = await outcomeOf(call(place.client({ seen: 2 })));
    if ('value' in truth) expect(outcome).toEqual(truth);
    else {
      expect(truth.error).toBeInstanceOf(ProblemError);
      expect(outcome).toMatchObject({
        error: { name: truth.error.name, status: (truth.error as ProblemError).status },
      });
    }
  });

  it('what is not signed passes too', async () => {
    expect((await place.client().getKeptReleases()).releases).toHaveLength(1);
    expect((await place.client().getProperty(UPPER)).city).toBe('Paris');
  });

  it('no lie passes', async () => {
    const lie = fc.record({
      kind: fc.constantFrom(...KINDS),
      at: fc.nat({ max: 6 }),
      which: fc.nat({ max: 99_999 }),
      call: fc.constantFrom(...CALLS),
    });
    await fc.assert(
      fc.asyncProperty(lie, async ({ call: [name, call], ...told }) => {
        let count = 0;
        const seen: string[] = [];
        /** Lies from one answer on, also when it is asked for again. */
        const fetching: typeof fetch = async (input, init) => {
          const url = String(input);
          seen.push(url);
          if (count++ < told.at) return fetch(input, init);
          if (told.kind === 'older') place.switchTo(0);
          const other = seen[told.which % seen.length]!;
          const from = told.kind === 'other' ? other : url;
          const response = await fetch(from, init).finally(() => place.switchTo(1));
          const { headers } = response;
          const body = Buffer.from(await response.arrayBuffer());
          if (/^[0-9]/.test(told.kind))
            return new Response('{"type":"problems.html#property-not-found"}', { status: Number(told.kind) });
          if (told.kind === 'older' || told.kind === 'other')
            return new Response(body, { status: response.status, headers });
          const texts: Record<string, () => string | Buffer> = {
            truncated: () => body.subarray(0, told.which % Math.max(1, body.length)),
            empty: () => '',
            html: () => '<html>',
            null: () => 'null',
            list: () => '[]',
          };
          const text = texts[told.kind]?.() ?? changed(body.toString(), told);
          return new Response(new Uint8Array(Buffer.from(text)), { status: 200, headers });
        };
        const outcome = await outcomeOf(call(place.client({ seen: 2, fetch: fetching })));
        const truth = truths.get(name)!;
        const label = `${name} ${JSON.stringify(told)}`;
        if ('value' in outcome) expect([label, outcome]).toEqual([label, truth]);
        else {
          expect([label, outcome.error]).toEqual([label, expect.any(CatalogueError)]);
          // Absence is an answer.
          const isAbsent = outcome.error instanceof ProblemError && outcome.error.status === 404;
          if (isAbsent && seen.every((url) => !/current|roots|statements/.test(url) || count > told.at + 9))
            expect([label, truth]).toEqual([label, { error: expect.objectContaining({ status: 404 }) }]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('a property is not said to be absent by a forged 404, nor is a file or a part', async () => {
    const forged = (pattern: RegExp) =>
      place.client({
        fetch: async (input, init) =>
          pattern.test(String(input))
            ? new Response('{"type":"x#property-not-found"}', { status: 404 })
            : fetch(input, init),
      });
    const refused = expect.objectContaining({ name: 'SignatureError', code: 'object-differs' });
    await expect(forged(/properties\//).getProperty(idOf(1))).rejects.toEqual(refused);
    await expect(forged(/properties\//).getProperty(UPPER)).rejects.toEqual(refused);
    await expect(forged(/properties\//).getProperty(idOf(0xffff))).rejects.toThrow(ProblemError);
    await expect(forged(/properties/).listProperties()).rejects.toEqual(refused);
    await expect(forged(/countries\/IE/).getCities('IE')).rejects.toEqual(refused);
  });

  it('pages of two releases are not mixed', async () => {
    const ids: string[] = [];
    const run = async () => {
      place.switchTo(0);
      for await (const { id } of place.client({ seen: 1 }).iterateProperties({ size: 25 }, { prefetch: 1 }))
        if (ids.push(id) === 3) place.switchTo(1);
    };
    const error = await run().catch((thrown: Error) => thrown);
    place.switchTo(1);
    // A folder keeps no earlier release.
    expect(error).toBeInstanceOf(CatalogueError);
    expect(error).not.toBeInstanceOf(SignatureError);
  });
});
