/** Import from a service: our own, which gives the same answers again, and hostile ones. */
import { existsSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Candidate } from '../../../src/import/candidate/candidate.ts';
import { importProperties } from '../../../src/import/files/import.ts';
import { importSource } from '../../../src/import/import-source.ts';
import { serviceProperties } from '../../../src/import/service/service-properties.ts';
import { startServer } from '../../../src/serve/server.ts';
import { createWorkspace, idOf, readTree, type Workspace } from '../../compile/workspace.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const LIST = '/api/v1/public/properties';
const CONFIGURATION = 'base_url: https://stays.example/x\npage_sizes: [25]\ntargets: []\ndocs: false\n';

/** A catalogue with every field, in every form. */
async function everything(): Promise<Workspace> {
  const workspace = createWorkspace();
  workspace.configure(CONFIGURATION);
  const picture = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .jpeg()
      .toBuffer();
  workspace.write('photos/a.jpg', await picture('red'));
  workspace.write('photos/b.jpg', await picture('blue'));
  workspace.add(1, {
    title: 'Müller\'s "Haus": 東京 #1',
    zip_code: '01234',
    state: 'no',
    address: '12 Quay Street; 2nd floor',
    latitude: '-0.50',
    longitude: '179.123456789012',
    facilities: ['wifi', 'free parking', 'true', '1984'],
    photo: [
      { file: 'photos/a.jpg', description: 'The garden: in the evening', position: 5 },
      { url: 'https://photos.example/x.jpg', id: idOf(77), position: 2 },
      { file: 'photos/b.jpg', position: 1 },
    ],
    hotel_policy: [{ policy_type: 'check_in', detail: 'From 15:00 - "late" too' }],
    payment_method: [
      { is_enabled: 'true', method_type: 'direct' },
      { is_enabled: 'false', method_type: 'property' },
    ],
  });
  workspace.add(2, { title: 'House 1', email: undefined, phone: undefined, country: 'NO', city: 'Å' });
  workspace.add(3, { title: '東京の家', photo: [{ url: 'https://photos.example/y.jpg' }] });
  workspace.add(4, { title: 'House 1', photo: [{ file: 'photos/a.jpg' }] });
  for (let n = 10; n < 45; n++) workspace.add(n);
  await workspace.build();
  return workspace;
}

async function imported(url: string, content: string, options: { force?: boolean; photos?: boolean } = {}) {
  const { force = false, photos = false } = options;
  const source = serviceProperties({ url, retries: 2 });
  return importProperties(source, {
    ...{ content, force, photos, verbatim: true },
    trustedOrigin: new URL(url).origin,
  });
}

describe('our own service', () => {
  it('gives the same answers after a build of the imported files', async () => {
    const original = await everything();
    const server = await startServer({ root: original.public, port: 0 });
    onTestFinished(() => server.close());
    const copy = createWorkspace();
    copy.configure(CONFIGURATION);
    // A list with pages of 25 only: the first request, for 100, is refused.
    const result = await imported(`${server.url}/x`, copy.content);
    expect(result).toMatchObject({
      ...{ written: 39, replaced: 0, present: 0, conflict: 0, refused: 0 },
      // Valid values of a service are taken as they are.
      repairs: [],
    });
    const built = await copy.build();
    expect(built.outcome).toBe('published');
    for (const part of ['_catalogue/properties', '_catalogue/pages']) {
      expect(readTree(join(copy.public, part))).toEqual(readTree(join(original.public, part)));
    }
    // The second time everything exists. Then two files are removed, as after an interruption.
    const before = readTree(copy.content);
    expect(await imported(`${server.url}/x${LIST}`, copy.content)).toMatchObject({ written: 0 });
    copy.remove([...before.keys()].find((path) => path.endsWith('house-20.yaml'))!);
    expect(await imported(`${server.url}/x`, copy.content)).toMatchObject({ written: 1 });
    expect(readTree(copy.content)).toEqual(before);
    expect(await imported(`${server.url}/x`, copy.content, { force: true })).toMatchObject({ present: 39 });
    expect(readTree(copy.content)).toEqual(before);
    expect(await imported(`${server.url}/x?filter[country]=NO`, createWorkspace().content)).toMatchObject({
      written: 1,
    });
  }, 600_000);

  it('gives declared fields and translations again, and names those that the copy does not declare', async () => {
    const declaration = [
      'languages: [en, fr, pt-BR]',
      'fields:',
      '  description: {}',
      '  bedrooms: {}',
      '  price_from: {}',
      '  quiet: { type: boolean }',
      '  views: { type: choice, list: true, choices: [sea, lake] }',
      '',
    ].join('\n');
    const original = createWorkspace();
    original.configure(`${CONFIGURATION}${declaration}  stars: {}\n  lake: { type: integer }\n`);
    original.add(1, {
      'title@fr': 'Le cottage',
      'title@pt-BR': 'A casa',
      description: 'Quiet, by the sea.',
      'description@fr': 'Calme, au bord de la mer.',
      ...{ bedrooms: '0', price_from: '95.10', quiet: 'false', views: ['sea', 'lake'] },
      ...{ stars: '4', lake: '120' },
      photo: [
        {
          url: 'https://photos.example/a.jpg',
          position: 2,
          description: 'Front',
          'description@fr': 'Devant',
        },
        { url: 'https://photos.example/b.jpg', position: 1, id: idOf(77), 'description@pt-BR': 'Atrás' },
      ],
      hotel_policy: [
        { policy_type: 'check_in', detail: 'From 15.' },
        { policy_type: 'check_out', detail: 'Until 11.', 'detail@fr': "Jusqu'à 11 h." },
      ],
    });
    original.add(2);
    await original.build();
    const server = await startServer({ root: original.public, port: 0 });
    onTestFinished(() => server.close());
    const copy = createWorkspace();
    copy.configure(CONFIGURATION + declaration);
    const { result, unused } = await importSource(`${server.url}/x`, {
      content: copy.content,
      force: false,
      photos: false,
    });
    expect(result).toMatchObject({ written: 2, refused: 0, repairs: [] });
    expect(unused).toMatchObject([
      { name: 'attributes.stars', filled: 1, field: 'stars' },
      { name: 'attributes.lake', filled: 1, field: undefined },
    ]);
    await copy.build();
    const detail = (workspace: Workspace, n: number) =>
      workspace.json(`_catalogue/properties/${idOf(n)}.json`) as { attributes: Record<string, unknown> };
    for (const n of [1, 2]) {
      const { stars, lake, ...attributes } = detail(original, n).attributes;
      expect(detail(copy, n)).toEqual({ ...detail(original, n), attributes });
    }
    // A catalogue without declarations takes what the interface has.
    const plain = createWorkspace();
    plain.configure(CONFIGURATION);
    const other = await importSource(`${server.url}/x`, {
      content: plain.content,
      force: false,
      photos: false,
    });
    expect(other).toMatchObject({ result: { written: 2, refused: 0 } });
    expect(other.unused.map(({ name }) => name)).toEqual([
      ...['description', 'bedrooms', 'price_from', 'quiet', 'views', 'stars', 'lake'].map(
        (name) => `attributes.${name}`,
      ),
      ...['translations.fr', 'translations.pt-BR'],
    ]);
    // Known fields are declared where that is wanted, before anything is written.
    const declaring = createWorkspace();
    declaring.configure(`${CONFIGURATION}fields:\n  beds: {} # mine\n`);
    const wanted = { content: declaring.content, force: false, photos: false, declare: true };
    const more = await importSource(`${server.url}/x`, wanted);
    expect(more).toMatchObject({ result: { written: 2, refused: 0 } });
    expect(more.declared).toEqual(['description', 'bedrooms', 'stars', 'price_from']);
    expect(more.unused.map(({ name }) => name.split('.')[1])).toEqual([
      'quiet',
      'views',
      'lake',
      'fr',
      'pt-BR',
    ]);
    expect(readFileSync(join(declaring.content, 'catalogue.yaml'), 'utf8')).toContain('  beds: {} # mine\n');
    await declaring.build();
    const { description, bedrooms, price_from, stars } = detail(original, 1).attributes;
    expect(detail(declaring, 1).attributes).toEqual({ beds: null, description, bedrooms, price_from, stars });
    const again = await importSource(`${server.url}/x`, wanted);
    expect(again).toMatchObject({ result: { present: 2 } });
    expect(again).not.toHaveProperty('declared');
  });

  it('provides its photos as files on request', async () => {
    const original = await everything();
    const copy = createWorkspace();
    // Its links lead to the address where it is served, so that its photos can be downloaded.
    const first = await startServer({ root: original.public, port: 0 });
    const port = new URL(first.url).port;
    await first.close();
    original.configure(`base_url: http://127.0.0.1:${port}\npage_sizes: [25]\ntargets: []\ndocs: false\n`);
    await original.build();
    const server = await startServer({ root: original.public, port: Number(port) });
    onTestFinished(() => server.close());
    const { outcomes, refused } = await imported(server.url, copy.content, { photos: true });
    expect(refused).toBe(0);
    // Other hosts are contacted as in a build, and this test has no network.
    expect(outcomes.flatMap(({ findings }) => findings.map(({ code }) => code))).toEqual(
      expect.arrayContaining(['photo-not-received']),
    );
    const { counts, diagnostics } = await copy.build();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(counts?.images).toBe(4);
    const detail = copy.json(`_catalogue/properties/${idOf(1)}.json`) as {
      photo: { id: string; position: number }[];
    };
    const before = original.json(`_catalogue/properties/${idOf(1)}.json`) as typeof detail;
    expect(detail.photo.map(({ id, position }) => [id, position])).toEqual(
      before.photo.map(({ id, position }) => [id, position]),
    );
  }, 600_000);
});

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
const page = (data: unknown[], total: number) => ({
  data,
  meta: { pagination: { current_page: 1, per_page: 100, total_entries: total } },
});

async function all(url: string, options: { apiKey?: string; retries?: number } = {}): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for await (const one of serviceProperties({ url, retries: 2, ...options })) candidates.push(one);
  return candidates;
}

describe('a hostile service', () => {
  it('that never stops paging is left when a page brings nothing new', async () => {
    let pages = 0;
    const url = await serveLoopback(({ url = '' }, response) => {
      if (url.includes('?')) json(response, page([{ id: idOf(1 + (pages++ % 3)) }], 1e6));
      else json(response, {}, 404);
    });
    const candidates = await all(url);
    expect(candidates.slice(0, 3).map(({ at }) => at)).toEqual([1, 2, 3].map(idOf));
    expect(candidates.slice(3).map(({ findings }) => findings[0]!.code)).toEqual(['not-received']);
    expect(pages).toBeLessThan(6);
  });

  it('of more properties than an import takes is refused before anything is written', async () => {
    const url = await serveLoopback((_, response) => json(response, page([{ id: idOf(1) }], 3e6)));
    await expect(all(url)).rejects.toThrow('has 3,000,000 properties; 2,000,000 are the most.');
  });

  it('with wrong types and ids with paths is reported problem by problem', async () => {
    const asked: string[] = [];
    const ids = ['../../admin', 42, null, idOf(1), idOf(2), `${idOf(3)}/../x`];
    const url = await serveLoopback(({ url = '' }, response) => {
      asked.push(url);
      if (url.includes('?')) json(response, page([...ids.map((id) => ({ id })), 'x', null], 6));
      else json(response, url.endsWith('1') ? { title: ['a'], photo: 'x', facilities: { a: 1 } } : 'nothing');
    });
    const { content } = createWorkspace();
    const result = await imported(url, content);
    expect(result).toMatchObject({ written: 0, refused: 6 });
    const codes = Object.fromEntries(
      result.outcomes.map(({ at, findings }) => [at, findings.map(({ code, field }) => `${code} ${field}`)]),
    );
    expect(codes['../../admin']).toEqual(['invalid-id id']);
    expect(codes[idOf(1)]).toEqual(expect.arrayContaining(['wrong-type title', 'missing-key city']));
    expect(codes[idOf(2)]).toContain('missing-key title');
    expect(result.causes.find(({ code }) => code === 'missing-key')?.help).toBe('Enter it in the service.');
    expect(asked.filter((path) => !path.includes('?')).sort()).toEqual([
      `${LIST}/${idOf(1)}`,
      `${LIST}/${idOf(2)}`,
    ]);
    expect(readTree(content)).toEqual(new Map());
  });

  it('neither gets the key at another address nor can send a body above the limit', async () => {
    const stolen: unknown[] = [];
    const thief = await serveLoopback(({ headers }, response) => {
      stolen.push(headers['x-api-key']);
      json(response, page([], 0));
    });
    let asked = 0;
    const elsewhere = await serveLoopback((_request, response) => {
      asked++;
      response.writeHead(302, { Location: thief + LIST }).end();
    });
    await expect(all(elsewhere, { apiKey: 'secret' })).rejects.toMatchObject({ code: 'foreign-redirect' });
    expect(stolen).toEqual([]);
    // A refused request is not repeated.
    expect(asked).toBe(1);
    const circle = await serveLoopback((_request, response) =>
      response.writeHead(302, { Location: '/again' }).end(),
    );
    await expect(all(circle)).rejects.toMatchObject({ code: 'foreign-redirect' });
    const endless = await serveLoopback((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = Buffer.alloc(1 << 20, 0x20);
      const more = () => {
        while (response.write(chunk));
        response.once('drain', more);
      };
      more();
    });
    await expect(all(endless)).rejects.toMatchObject({ code: 'answer-too-large' });
    for (const answer of ['{"hello":1}', '<h1>Log in</h1>', JSON.stringify(page([], 0.5))]) {
      const other = await serveLoopback((_request, response) => response.end(answer));
      await expect(all(other)).rejects.toMatchObject({ code: 'not-a-catalogue' });
    }
    const site = await serveLoopback((_request, response) => json(response, {}, 404));
    await expect(all(site)).rejects.toMatchObject({
      code: 'not-a-catalogue',
      message: expect.stringContaining(`There is no table at ${site}, and no catalogue service either`),
    });
    await expect(all('ftp://stays.example')).rejects.toMatchObject({ code: 'invalid-source' });
  });
});

it('sends the key with the list, repeats after a failure, and reports missing properties', async () => {
  const keys: unknown[] = [];
  let failures = 2;
  const url = await serveLoopback(({ url = '', headers }, response) => {
    if (url.includes('?')) {
      keys.push(headers['x-api-key']);
      if (failures-- > 0) json(response, {}, 503);
      else json(response, page([{ id: idOf(1) }, { id: idOf(2) }], 2));
    } else json(response, {}, url.endsWith('1') ? 500 : 200);
  });
  const candidates = await all(url, { apiKey: 'k' });
  expect(keys).toEqual(['k', 'k', 'k']);
  expect(
    candidates.map(({ raw, findings }) => [raw !== undefined, findings.map(({ code }) => code)]),
  ).toEqual([
    [false, ['not-received']],
    [true, []],
  ]);
});

it('makes no folder before the service has answered, and shows at once that it is asked', async () => {
  const content = join(temporaryFolder(), 'content');
  const seen: unknown[] = [];
  const silent = await serveLoopback((_request, response) => {
    seen.push(existsSync(content));
    response.writeHead(404).end();
  });
  const listener = (done: number) => void seen.push(done);
  const options = { content, force: false, photos: false, listener };
  await expect(importSource(silent, options)).rejects.toMatchObject({ code: 'not-a-catalogue' });
  expect([seen[0], seen[1], seen.includes(true)]).toEqual([0, false, false]);
});

it('names the cause when the service is unreachable, and the answer when it is no detail', async () => {
  const silent = await serveLoopback((_request, response) => response.destroy());
  await expect(all(silent, { retries: 0 })).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(
      /^The service http:\S+ cannot be asked: http:\S+ did not answer: (?!TypeError).*\([A-Z_]+\)$/,
    ),
  });
  const url = await serveLoopback(({ url = '' }, response) => {
    if (url.includes('?')) json(response, page([{ id: idOf(1) }], 1));
    else response.end('<h1>Log in</h1>');
  });
  const [candidate] = await all(url);
  expect(candidate!.findings).toMatchObject([
    {
      code: 'not-received',
      message: expect.stringContaining(`/${idOf(1)} answered 200, but not with JSON.`),
    },
  ]);
});

it('never overwrites an existing file, whatever its name is', async () => {
  const url = await serveLoopback(({ url = '' }, response) => {
    if (url.includes('?')) json(response, page([{ id: idOf(1) }], 1));
    else {
      json(response, {
        title: 'House',
        currency: 'EUR',
        city: 'Cork',
        country: 'IE',
        latitude: '1',
        longitude: '2',
        new_field: 1,
      });
    }
  });
  const workspace = createWorkspace();
  workspace.add(5, {}, 'properties/ie/house.yaml');
  const before = readFileSync(join(workspace.content, 'properties/ie/house.yaml'), 'utf8');
  expect(await imported(url, workspace.content)).toMatchObject({ written: 1 });
  expect(readFileSync(join(workspace.content, 'properties/ie/house.yaml'), 'utf8')).toBe(before);
  expect(existsSync(join(workspace.content, 'properties/ie/house-cork.yaml'))).toBe(true);
});

it.each<[string, (response: ServerResponse) => void]>([
  ['fails', (response) => json(response, {}, 500)],
  ['is empty', (response) => json(response, page([], 2))],
  ['has no whole number as the total', (response) => json(response, page([{ id: idOf(2) }], 2.5))],
  ['has too large a total', (response) => json(response, page([{ id: idOf(2) }], 3e6))],
  ['repeats the page before', (response) => json(response, page([{ id: idOf(1) }], 2))],
])(
  'a list whose last page %s loses nothing of the pages before, and nothing counts as gone',
  async (_, answer) => {
    const house = { currency: 'EUR', city: 'Cork', country: 'IE', latitude: '51.9', longitude: '-8.4' };
    let isBroken = false;
    const isSecond = (url: string) => decodeURIComponent(url).includes('page[number]=2');
    const url = await serveLoopback(({ url = '' }, response) => {
      if (!url.includes('?')) json(response, { ...house, title: `House ${url.at(-1)}` });
      else if (isBroken && isSecond(url)) answer(response);
      else
        json(
          response,
          page(
            [isSecond(url) ? 2 : 1].map((n) => ({ id: idOf(n) })),
            2,
          ),
        );
    });
    const { content } = createWorkspace();
    const options = { content, force: false, photos: false } as const;
    expect((await importSource(url, options)).result).toMatchObject({ written: 2, refused: 0 });
    isBroken = true;
    const broken = await importSource(url, { ...options, gone: 'remove' });
    expect(broken.result).toMatchObject({ present: 1, refused: 1, gone: { files: [], removed: [] } });
    expect(broken.result!.causes[0]).toMatchObject({ code: 'not-received', examples: [{ at: 'page 2' }] });
  },
);
