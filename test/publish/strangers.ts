/** A bucket into which strangers write: whatever they do, commands end with a message, and touch nothing that is not the catalogue's. */
import { generateKeyPairSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  CURRENT_KEY,
  RELEASE_STATEMENTS_FOLDER,
  releaseStatementKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { objectKindOf } from '../../src/contract/object-kinds.ts';
import { previewKeyPrefix } from '../../src/contract/preview-keys.ts';
import { EnvironmentError, UsageError } from '../../src/errors/errors.ts';
import { describeReleases } from '../../src/publish/list-releases.ts';
import { endPreview, publishPreview } from '../../src/publish/preview.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { digestOf } from '../../src/release/digest.ts';
import { parseCurrent } from '../../src/release/root-contents.ts';
import { isSignedBy, parseStatement, sha256Hex } from '../../src/release/signed-statement.ts';
import type { Bucket, ObjectHeaders } from '../../src/storage/bucket.ts';
import { etagOf } from '../../src/storage/bucket.ts';
import { createReleases, type Layout } from '../simulation/releases.ts';
import { openMemory } from '../storage/memory.ts';
import { createVirtualHost, START } from '../storage/virtual-host.ts';

type Objects = Map<string, { body: Buffer; headers: ObjectHeaders; tag: string; modified: Date }>;

const KEYS = generateKeyPairSync('ed25519');
const SIGNING = { keys: [KEYS.privateKey], days: 90 };
const HEADERS = { contentType: 'application/json', cacheControl: 'no-store' };
const EVIL = 'e'.repeat(32);

/** Objects of others, beside and among those of the catalogue. */
const FOREIGN = [
  ...['robots.txt', 'evil.html', 'media/hero.jpg', 'explorer/mine.js', 'docs/guide.html', 'changes/own.txt'],
  ...[
    '_catalogue/own.txt',
    '_catalogue/properties/own.txt',
    '_catalogue/releases/own.txt',
    '_previews/readme.md',
  ],
  ...['_catalogue/parts/own.json', `_catalogue/releases/${EVIL}/own.txt`, '../outside/victim'],
  ...['statements', 'roots', 'chunks', 'facets', 'cities', 'pages', 'problems', 'documents', 'images'].map(
    (folder) => `_catalogue/${folder}/own.txt`,
  ),
  ...['_previews/a/own.txt', `_previews/a/${EVIL}/own.txt`],
];

/** How far a number may grow above what is proved. */
const LEAP = 101;
/** Longest that a command may wait, in milliseconds of the store's clock. */
const PATIENCE = 20 * 60_000;
const MOST_REQUESTS = 5_000;

type Prepared = { readonly objects: Objects; readonly older: Objects };

/** A catalogue with a history, earlier releases, signatures and previews. */
async function prepare(layout: Layout): Promise<Prepared> {
  const objects: Objects = new Map();
  const { host, passed } = createVirtualHost();
  const bucket = openMemory({ objects, now: () => new Date(START + passed()) });
  const [one, two, three] = createReleases(layout, true);
  const [preview] = createReleases('packed', true);
  const options = { signing: SIGNING, allowShrink: true, keptDays: 7, lock: { host } };
  for (const key of FOREIGN) await bucket.write(key, Buffer.from(`of others: ${key}`), HEADERS);
  await publishRelease(bucket, one!, options);
  const older = new Map(objects);
  await publishRelease(bucket, two!, options);
  await publishPreview(bucket, 'a', preview!, { lock: { host } });
  await publishRelease(bucket, three!, options);
  return { objects, older };
}

/** Values that a stranger may put anywhere into JSON. */
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 31,
    Number.MAX_SAFE_INTEGER,
    1e308,
    '',
    'x',
    [],
    {},
    [[]],
    [null],
    { length: 3 },
  ],
  ...[
    '../../outside/victim',
    '../outside/victim',
    '/etc/passwd',
    'robots.txt',
    'media/hero.jpg',
    '..',
    '\\..\\x',
    '\0',
  ],
  ...[
    '_catalogue/log/00000001.json',
    '_catalogue/current.json',
    'media/../robots.txt',
    '_catalogue/releases/own.txt',
  ],
  ...[
    '9999-12-31T23:59:59Z',
    '+275760-09-13T00:00:00.000Z',
    '0000-01-01T00:00:00Z',
    'soon',
    '1970-01-01T00:00:00Z',
  ],
  ...[
    EVIL,
    'a'.repeat(100_000),
    '__proto__',
    'constructor',
    '\u001b[2J',
    '<script>',
    'public, max-age=999999999',
  ],
];

/** A change: what is changed, how, where in it, and to what; each a number that is taken modulo the choices. */
export type Change = readonly [object: number, how: number, place: number, value: number];
export const anyChange = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat());

/** What commands read, or remove by what they read: everything but what is only served. */
const isControl = (key: string) =>
  !['media', 'asset', 'detail', 'page', 'total', 'problem'].includes(objectKindOf(key)) &&
  !FOREIGN.includes(key);

/** One group for each sort of object, so that each is changed as often, however many there are. */
const sortOf = (key: string) => key.replace(/[0-9a-f-]{6,}/g, '*');

/** How often each sort of object was changed. */
export const counts = new Map<string, number>();

/** Applies a change, as the role may. */
function change(
  { objects, older }: Prepared,
  role: 'preview' | 'writer',
  [object, how, place, value]: Change,
): void {
  const isMine = (key: string) => isControl(key) && (role === 'writer' || key.startsWith('_previews/'));
  const names = ['a', 'evil'];
  const made = [
    `${previewKeyPrefix(names[place % 2]!)}${EVIL}/used.json`,
    `${previewKeyPrefix(names[place % 2]!)}_catalogue/current.json`,
    `${previewKeyPrefix(names[place % 2]!)}_catalogue/log/00000001.json`,
    ...(role === 'writer'
      ? [
          `_catalogue/roots/${EVIL}.json`,
          `_catalogue/roots/${EVIL}.pruned`,
          `_catalogue/images/${EVIL}.json`,
          `${RELEASE_STATEMENTS_FOLDER}/${'0'.repeat(64)}.ndjson`,
        ]
      : []),
  ];
  const all = [...new Set([...objects.keys()].filter(isMine).sort().concat(made))];
  const sorts = [...new Set(all.map(sortOf))];
  const sort = sorts[object % sorts.length]!;
  const keys = all.filter((one) => sortOf(one) === sort);
  const key = keys[Math.floor(object / sorts.length) % keys.length]!;
  counts.set(sort, (counts.get(sort) ?? 0) + 1);
  const before = objects.get(key)?.body;
  const put = (body: Buffer) => void objects.set(key, stored(body, value));
  const present = before ?? Buffer.from(JSON.stringify([...objects.keys()]));
  const evil = VALUES[value % VALUES.length];
  const others = [...objects.values()].map(({ body }) => body);
  const forged = (body: Buffer) => {
    put(body);
    if (before && role === 'writer') forge(objects, key, before, value);
  };
  const steps = [
    () => put(edited(present, place, evil)),
    () => put(edited(present, place, evil)),
    () => put(edited(present, place, undefined)),
    () => forged(edited(present, place, evil)),
    () => forged(edited(present, place, evil)),
    () => forged(edited(present, place, undefined)),
    () => forged(bent(present, place, value)),
    () => put(Buffer.from(JSON.stringify(evil) ?? '')),
    () => put(present.subarray(0, place % (present.length + 1))),
    () => forged(others[place % others.length]!),
    () => put(older.get(key)?.body ?? Buffer.from('[')),
    () => put(gzipSync(Buffer.alloc(1_000_000, JSON.stringify(evil) ?? 'x'))),
    () => put(Buffer.from(JSON.stringify([...objects.keys(), ...FOREIGN, evil]))),
    () => void objects.delete(key),
  ];
  steps[how % steps.length]!();
}

function stored(body: Buffer, value: number) {
  return { body, headers: HEADERS, tag: etagOf(body), modified: new Date(START - (value % 3) * 1e9) };
}

/** Changes one byte. */
function bent(body: Buffer, place: number, value: number): Buffer {
  const copy = Buffer.from(body);
  if (copy.length > 0) copy[place % copy.length] = value;
  return copy;
}

/** Names new bytes as one who knows the format does: wherever the digest of the old ones is, up to the lock. */
function forge(objects: Objects, key: string, before: Buffer, value: number, depth = 5): void {
  const { body } = objects.get(key)!;
  const [old, digest] = [digestOf(before), digestOf(body)];
  // An object that another was put in place of may name itself.
  if (old === digest || depth === 0) return;
  const base64 = (digits: string) => Buffer.from(digits, 'hex').toString('base64');
  const replaced: [string, string][] = [
    [old, digest],
    [base64(old), base64(digest)],
  ];
  objects.delete(key);
  objects.set(key.replace(old, digest), stored(body, value));
  for (const [other, { body: text }] of [...objects]) {
    if (!replaced.some(([was]) => text.includes(was)) || !isControl(other)) continue;
    const next = replaced.reduce((all, [was, is]) => all.replaceAll(was, is), text.toString('latin1'));
    objects.set(other, stored(Buffer.from(next, 'latin1'), value));
    forge(objects, other, text, value, depth - 1);
  }
}

/** What a reader may get from a bucket of pages after changes. */
export async function strange(
  list: readonly Change[],
): Promise<ReadonlyMap<string, { readonly body: Buffer }>> {
  const ready = prepared.get('pages') ?? prepare('pages');
  prepared.set('pages', ready);
  const { objects, older } = await ready;
  const changed: Objects = new Map(objects);
  for (const one of list) change({ objects: changed, older }, 'writer', one);
  return changed;
}

/** An earlier change may have cut it off. */
function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body);
  } catch {
    return body;
  }
}

/** Puts a value somewhere into JSON, or into a line of JSON, compressed or not; undefined removes what is there. */
function edited(body: Buffer, place: number, value: unknown): Buffer {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b;
  const text = (isPacked ? unpacked(body) : body).toString('utf8');
  const lines = text.split('\n');
  const index = place % Math.max(1, lines.length - 1);
  const whole = tried(text);
  const json = whole ?? tried(lines[index]!);
  if (json === undefined)
    return Buffer.concat([body.subarray(0, place % (body.length + 1)), Buffer.from('x')]);
  const places: [object: Record<string, unknown>, key: string][] = [];
  const root = { root: json } as Record<string, unknown>;
  const walk = (object: Record<string, unknown>) => {
    for (const key of Object.keys(object)) {
      if (places.length > 3000) return;
      places.push([object, key]);
      if (typeof object[key] === 'object' && object[key] !== null)
        walk(object[key] as Record<string, unknown>);
    }
  };
  walk(root);
  const [object, key] = places[place % places.length]!;
  if (value === undefined) delete object[key];
  else object[key] = value;
  const result = JSON.stringify(root.root) ?? '';
  const bytes = Buffer.from(whole === undefined ? lines.with(index, result).join('\n') : result);
  return isPacked ? gzipSync(bytes) : bytes;
}

function tried(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers of the statements that prove them, and that of the live release. */
function numbersIn(objects: Objects): { greatest: number; live: number | undefined } {
  const numberOf = (key: string) => {
    const signed = parseStatement(objects.get(key)?.body ?? Buffer.of());
    const isProved =
      signed && releaseStatementKey(signed.statement.root) === key && isSignedBy(signed, KEYS.publicKey);
    return isProved ? signed.statement.number : undefined;
  };
  const all = [...objects.keys()].flatMap((key) =>
    key.startsWith(RELEASE_STATEMENTS_FOLDER) ? (numberOf(key) ?? []) : [],
  );
  const current = parseCurrent(objects.get(CURRENT_KEY)?.body ?? Buffer.of());
  const root = current && objects.get(rootKey(current.release))?.body;
  const live = root && numberOf(releaseStatementKey(sha256Hex(root)));
  return { greatest: Math.max(0, ...all), live };
}

const OWN_REMOVED =
  /^(?:media\/[0-9a-f]{32}\.\w+|explorer\/[a-z]+-[\w-]{8}\.\w+|changes\/(?:\d{4}-\d\d\.ndjson|index\.json|feed\.xml)|_catalogue\/(?!(?:\w+\/)*own)[\w/.-]+|_previews\/[a-z0-9-]+\/[\w/.-]+|(?:index|openapi|datapackage|dcat)\.\w+|properties\.[\w.]+)$/;

/** Applies changes to a prepared bucket, runs every command, and checks what they did. */
async function withstands(
  prepared: Prepared,
  layout: Layout,
  role: 'preview' | 'writer',
  list: readonly Change[],
  order: number,
): Promise<void> {
  const objects: Objects = new Map(prepared.objects);
  for (const one of list) change({ objects, older: prepared.older }, role, one);
  const { host, passed, advance } = createVirtualHost('another');
  const now = () => new Date(START + 140_000 + passed());
  const memory = openMemory({ objects, now });
  let requests = 0;
  const count = () => {
    if (++requests > MOST_REQUESTS) throw new Error('it asks without end');
  };
  const bucket: Bucket = {
    ...memory,
    read(key) {
      count();
      return memory.read(key);
    },
    remove(keys) {
      count();
      for (const key of keys) {
        expect(key).toMatch(OWN_REMOVED);
        expect(FOREIGN).not.toContain(key);
      }
      return memory.remove(keys);
    },
  };
  const [, , three, four] = createdOf(layout);
  const lock = { host };
  const options = { signing: SIGNING, allowShrink: true, allowOlder: true, keptDays: 7, lock };
  const commands = [
    () => publishRelease(bucket, four!, options),
    () => describeReleases(bucket),
    () => pruneReleases(bucket, { lock }),
    () => endPreview(bucket, 'a', { lock }),
    () => pruneReleases(bucket, { grace: 0, force: true, lock }),
    () => rollBack(bucket, undefined, options),
    () => publishPreview(bucket, 'b', createdOf('packed')[1]!, { lock }),
    () => publishRelease(bucket, three!, { ...options, verify: true }),
  ];
  for (let step = 0; step < commands.length; step++) {
    const before = numbersIn(objects);
    const started = passed();
    requests = 0;
    try {
      await commands[(order + step) % commands.length]!();
    } catch (error) {
      if (!(error instanceof UsageError) && !(error instanceof EnvironmentError)) throw error;
    }
    expect(passed() - started).toBeLessThan(PATIENCE);
    const after = numbersIn(objects);
    expect(after.greatest).toBeLessThanOrEqual(before.greatest + LEAP);
    if (after.live !== undefined && after.live !== before.live)
      expect(after.live).toBeGreaterThanOrEqual(before.greatest);
    for (const key of FOREIGN) expect(objects.get(key)?.body.toString(), key).toBe(`of others: ${key}`);
    await advance(120_000);
  }
  if (role === 'preview') {
    const names = await describeReleases(memory);
    expect(names[0]?.isLive).toBe(true);
  }
}

const created = new Map<Layout, ReturnType<typeof createReleases>>();
function createdOf(layout: Layout): ReturnType<typeof createReleases> {
  const known = created.get(layout) ?? createReleases(layout, true);
  created.set(layout, known);
  return known;
}

const prepared = new Map<Layout, Promise<Prepared>>();

/** Runs this many sequences of changes in the name of a role, over both layouts. */
export async function withstandsAll(
  role: 'preview' | 'writer',
  numRuns: number,
  lengths = { minLength: 1, maxLength: 3 },
): Promise<void> {
  const property = fc.asyncProperty(
    fc.constantFrom<Layout>('pages', 'packed'),
    fc.array(anyChange, lengths),
    fc.nat(),
    async (layout, list, order) => {
      const ready = prepared.get(layout) ?? prepare(layout);
      prepared.set(layout, ready);
      await withstands(await ready, layout, role, list, order);
    },
  );
  await fc.assert(property, { numRuns });
}
