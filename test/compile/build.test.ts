import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { takeOutputLock } from '../../src/compile/output-lock.ts';
import { DOWNLOAD_KEYS } from '../../src/contract/document-keys.ts';
import { CURRENT_KEY, DOCUMENT_COPIES_FOLDER, rootKey } from '../../src/contract/object-keys.ts';
import { createWorkspace, idOf, readTree, sound, yaml } from './workspace.ts';

const FEW_SIZES = 'page_sizes: [1, 2, 25]\ndocs: false\nexplorer: { enabled: false }\n';

describe('the files of a small catalogue', () => {
  it('are byte for byte the expected ones', async () => {
    const workspace = createWorkspace();
    workspace.configure(
      'base_url: https://stays.example\npage_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\n',
    );
    workspace.add(2, {
      ...{ title: 'Zweites Haus', city: 'München', country: 'DE', phone: '+49 89 2180 0' },
      ...{ latitude: '48.13743', longitude: '11.57549' },
    });
    workspace.add(
      1,
      {
        id: idOf(0xabc),
        zip_code: 'D02 AF30',
        city: 'Dublin',
        state: 'Leinster',
        address: '1 Quay Street',
        facilities: ['wifi', 'parking'],
        photo: [
          { url: 'https://photos.example/b.jpg', position: '2', description: 'The garden' },
          { url: 'https://photos.example/a.jpg', position: '1' },
        ],
        hotel_policy: [{ policy_type: 'check_in', detail: 'From 15:00.' }],
        payment_method: [
          { is_enabled: 'true', method_type: 'direct' },
          { is_enabled: 'false', method_type: 'property' },
        ],
      },
      'ie/dublin/house.yml',
    );
    const result = await workspace.build();
    expect(result.diagnostics).toEqual([]);
    const tree = workspace.tree();
    for (const key of ['problems.html', 'openapi.json', 'openapi.yaml']) expect(tree.delete(key)).toBe(true);
    // Copies have the same bytes, by their digests.
    for (const key of [...tree.keys()]) if (key.startsWith(`${DOCUMENT_COPIES_FOLDER}/`)) tree.delete(key);
    const { release } = workspace.json(CURRENT_KEY) as { release: string };
    // It names the version, and so the name of the release depends on it.
    const edge = /,"edge":"[0-9.]+-[0-9a-f]{8}"/;
    expect(tree.get(rootKey(release))).toMatch(edge);
    const openApi = /("openapi\.(?:json|yaml)":)"[0-9a-f]{32}"/g;
    const written = [...tree].map(([key, bytes]) => `${key}\n${Buffer.from(bytes, 'latin1')}`).join('\n\n');
    await expect(
      written.replaceAll(release, '<release>').replace(edge, '').replace(openApi, '$1'),
    ).toMatchFileSnapshot('golden/small-catalogue.txt');
  });
});

describe('every page of every scope and size', () => {
  const city = fc.constantFrom(
    'Galway',
    'galway',
    'Gálway',
    'Cork',
    '東京',
    'Öde',
    'Zug',
    '𝔘lm',
    '\ufb01nn',
    'Saint-Denis/Réunion',
  );
  const country = fc.constantFrom('IE', 'FR', 'DE', 'JP');
  const title = fc.oneof(
    fc.constantFrom('A', 'a', 'Á', 'B', '\uffe5', '𝔘'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter((text) => isClean(text)),
  );
  const properties = fc.array(fc.record({ title, city, country }), { maxLength: 60 });

  it('equals the result of a naive reading of the decisions', async () => {
    await fc.assert(
      fc.asyncProperty(properties, async (list) => {
        const workspace = createWorkspace();
        workspace.configure('page_sizes: [1, 2, 3, 7, 25, 100]\ndocs: false\nexplorer: { enabled: false }\n');
        for (const [index, fields] of list.entries()) workspace.add(index + 1, fields);
        const result = await workspace.build();
        expect(result.outcome).toBe('published');
        const entries = list.map(({ title, city, country }, index) => ({
          id: idOf(index + 1),
          title: title.trim().normalize('NFC'),
          city: city.normalize('NFC'),
          country,
          thumbnail: null,
        }));
        const pages = [...workspace.tree()].filter(([key]) => key.startsWith('_catalogue/pages/'));
        // The total of everything always exists (B10).
        const wanted = { '_catalogue/pages/-/-/total': '0', ...naivePages(entries, [1, 2, 3, 7, 25, 100]) };
        expect(Object.fromEntries(pages)).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  it('has the sizes 1 to 100 by default', async () => {
    const workspace = createWorkspace();
    for (let n = 1; n <= 130; n++)
      workspace.add(n, { country: n % 3 ? 'IE' : 'GB', city: n % 2 ? 'Newport' : 'Bath' });
    const result = await workspace.build();
    const entries = Array.from({ length: 130 }, (_, index) => ({
      id: idOf(index + 1),
      title: `House ${index + 1}`,
      city: (index + 1) % 2 ? 'Newport' : 'Bath',
      country: (index + 1) % 3 ? 'IE' : 'GB',
      thumbnail: null,
    }));
    const sizes = Array.from({ length: 100 }, (_, index) => index + 1);
    const pages = [...workspace.tree()].filter(([key]) => key.startsWith('_catalogue/pages/'));
    expect(Object.fromEntries(pages)).toEqual(naivePages(entries, sizes));
    expect(result.counts?.files).toBe(workspace.tree().size);
    const bytes = pages.reduce((sum, [, text]) => sum + text.length, 0);
    expect(result.counts?.pageBytes).toBe(bytes);
  });
});

describe('determinism', () => {
  it('gives the same bytes whatever the names and times of the files are', async () => {
    const trees = await Promise.all(
      [(n: number) => `a/${n}.yaml`, (n: number) => `z/${100 - n}.yml`].map(async (name) => {
        const workspace = createWorkspace();
        workspace.configure(FEW_SIZES);
        for (let n = 1; n <= 20; n++) workspace.add(n, { title: n % 2 ? 'Same' : `T${n}` }, name(n));
        utimesSync(join(workspace.content, name(3)), 1, 1);
        await workspace.build();
        return workspace.tree();
      }),
    );
    expect(trees[0]).toEqual(trees[1]);
  });
});

describe('errors in the content', () => {
  it('leave the last release as it was', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.add(1);
    await workspace.build();
    const before = readTree(workspace.out);
    workspace.add(2, { country: 'Ireland' });
    const result = await workspace.build();
    expect(result.outcome).toBe('refused');
    expect(result.diagnostics.map(({ code, file }) => [code, file])).toEqual([
      ['unknown-country', 'house-2.yaml'],
    ]);
    expect(readTree(workspace.out)).toEqual(before);
  });

  it('leave an empty output folder empty', async () => {
    const workspace = createWorkspace();
    workspace.write('a.yaml', 'title: [');
    await workspace.build();
    expect(readdirSync(workspace.out)).toEqual([]);
  });

  it('leave out only their own files with keepGoing', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.add(1);
    workspace.add(2, { latitude: '91' });
    workspace.write('photo.jpg', 'no photo');
    workspace.add(3, { photo: [{ file: 'photo.jpg' }] });
    workspace.add(4, { id: idOf(5) });
    workspace.add(5);
    const result = await workspace.build({ keepGoing: true });
    expect(result.leftOut).toEqual(['house-2.yaml', 'house-3.yaml', 'house-4.yaml', 'house-5.yaml']);
    expect(result.counts?.properties).toBe(1);
    expect(readdirSync(join(workspace.public, '_catalogue/properties'))).toEqual([`${idOf(1)}.json`]);

    workspace.add(4);
    // A file that was left out is read again, however old it is.
    await new Promise((resolve) => setTimeout(resolve, 40));
    await workspace.build({ keepGoing: true });
    workspace.add(4, { id: idOf(5) });
    await workspace.build({ keepGoing: true });
    await new Promise((resolve) => setTimeout(resolve, 40));
    await workspace.build({ keepGoing: true });
    workspace.add(4);
    const mended = await workspace.build({ keepGoing: true });
    expect(mended.leftOut).toEqual(['house-2.yaml', 'house-3.yaml']);
    expect(workspace.json(`_catalogue/properties/${idOf(5)}.json`)).toMatchObject({ title: 'House 5' });
  });
});

describe('the files that a build removes', () => {
  it('are those of properties, scopes and photos that no longer exist, and no others', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    const picture = { width: 8, height: 8, channels: 3 as const };
    for (const [name, background] of [
      ['a', '#123456'],
      ['b', '#654321'],
    ] as const) {
      workspace.write(
        `${name}.png`,
        await sharp({ create: { ...picture, background } })
          .png()
          .toBuffer(),
      );
    }
    workspace.add(1, { photo: [{ file: 'a.png' }] });
    workspace.add(2, { city: 'Cork', photo: [{ file: 'b.png' }] });
    workspace.add(3, { city: 'Cork' });
    await workspace.build();
    const others = [
      'CNAME',
      '_catalogue/notes.txt',
      '_catalogue/pages/IE/-/README',
      'media/logo.png',
      'robots.txt',
    ];
    for (const key of others) writeFileSync(join(workspace.public, key), 'mine');
    workspace.remove('house-2.yaml');
    workspace.remove('house-3.yaml');
    await workspace.build();
    const incremental = workspace.tree();
    const clean = createWorkspace();
    clean.configure(FEW_SIZES);
    clean.write('a.png', readFileSync(join(workspace.content, 'a.png')));
    clean.add(1, { photo: [{ file: 'a.png' }] });
    await clean.build();
    for (const key of others) expect(incremental.get(key)).toBe('mine');
    for (const key of others) incremental.delete(key);
    expect([...incremental.keys()]).toEqual([...clean.tree().keys()]);
    expect(existsSync(join(workspace.public, '_catalogue/pages/-/436f726b'))).toBe(false);
  });

  it.each([
    ['was lost', () => Buffer.from('damaged')],
    ['has another digest', (state: Buffer) => Buffer.concat([state.subarray(0, -3), Buffer.from('x"}')])],
  ])('are the same when the state %s', async (_, damage) => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.add(1);
    workspace.add(2, { city: 'Cork', country: 'GB', phone: '+44 20 7946 0018' });
    await workspace.build();
    writeFileSync(join(workspace.public, 'robots.txt'), 'mine');
    workspace.remove('house-2.yaml');
    const state = join(workspace.out, 'state');
    writeFileSync(state, damage(readFileSync(state)));
    const result = await workspace.build();
    expect(result.work.removed).toBeGreaterThan(0);
    const tree = workspace.tree();
    expect(tree.get('robots.txt')).toBe('mine');
    tree.delete('robots.txt');
    const clean = createWorkspace();
    clean.configure(FEW_SIZES);
    clean.add(1);
    await clean.build();
    expect(tree).toEqual(clean.tree());
    expect(existsSync(join(workspace.public, '_catalogue/pages/GB'))).toBe(false);
  });
});

describe('photos', () => {
  it('are published under names that come from their source, with the thumbnail of the lowest position', async () => {
    const workspace = createWorkspace();
    workspace.configure(`${FEW_SIZES}media_base_url: https://media.example/\n`);
    const create = { width: 900, height: 600, channels: 3 as const, background: '#446688' };
    workspace.write('photos/x.jpg', await sharp({ create }).jpeg().toBuffer());
    workspace.add(
      1,
      {
        photo: [
          { url: 'https://p.example/1.jpg', position: '2' },
          { file: '../photos/x.jpg', position: '1' },
        ],
      },
      'ie/a.yaml',
    );
    workspace.add(2, { photo: [{ url: 'https://p.example/1.jpg' }, { file: 'photos/x.jpg' }] });
    const result = await workspace.build();
    expect(result.diagnostics).toEqual([]);
    expect(result.work).toMatchObject({ made: 2, reused: 0 });
    const first = workspace.json(`_catalogue/properties/${idOf(1)}.json`) as {
      photo: { url: string; position: number }[];
    };
    expect(first.photo[0]?.url).toMatch(/^https:\/\/media\.example\/media\/[0-9a-f]{32}\.jpg$/);
    expect(first.photo[1]).toMatchObject({ url: 'https://p.example/1.jpg', position: 2, description: null });
    const { data } = workspace.json('_catalogue/pages/-/-/25-1.json') as {
      data: { thumbnail: string | null }[];
    };
    expect(data[0]?.thumbnail).toMatch(/^https:\/\/media\.example\/media\/[0-9a-f]{32}\.webp$/);
    expect(data[1]?.thumbnail).toBeNull();
    const thumbnail = join(workspace.public, new URL(data[0]!.thumbnail!).pathname);
    expect(await sharp(thumbnail).metadata()).toMatchObject({ width: 400, height: 300 });
    const again = await workspace.build({ force: true });
    expect(again.work).toMatchObject({ made: 0, reused: 2 });
  });

  it('are errors at their line when they cannot be published', async () => {
    const workspace = createWorkspace();
    workspace.write('front.jpg', 'not a photo\0');
    workspace.write(
      'house.yaml',
      `${yaml(sound(1))}photo:\n  - url: https://p.example/1.jpg\n  - file: front.jpg\n  - file: Font.jpg\n`,
    );
    const first = await workspace.build();
    expect(first.diagnostics.map(({ code, span, help }) => [code, span?.line, help])).toEqual([
      ['photo-unsupported', 12, 'Save it as JPEG, PNG, WebP, AVIF, GIF or TIFF.'],
      ['photo-missing', 13, 'Did you mean "front.jpg"?'],
    ]);
    workspace.write('Font.jpg', Buffer.alloc(0));
    const second = await workspace.build();
    expect(second.diagnostics.map(({ code, span }) => [code, span?.line, span?.column])).toEqual([
      ['photo-unsupported', 12, 11],
      ['photo-corrupt', 13, 11],
    ]);
    expect(existsSync(join(workspace.public, 'media'))).toBe(false);
  });
});

describe('a file that is edited during the build', () => {
  it.each([
    ['with other content', 'x: 1\n'],
    ['with no YAML', '- ['],
    ['so that it is gone', undefined],
  ])('%s: reports problems of its photos without a place (C8)', async (_how, text) => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.write('front.jpg', 'not a photo\0');
    workspace.add(1, { photo: [{ file: 'front.jpg' }] });
    const edit = () =>
      text === undefined ? workspace.remove('house-1.yaml') : workspace.write('house-1.yaml', text);
    const result = await workspace.build({
      listener: (event) => {
        if (event.kind === 'stage' && event.stage === 'media') edit();
      },
    });
    expect(result.diagnostics.map(({ code, span, message }) => [code, span, message])).toEqual([
      ['photo-unsupported', null, expect.stringContaining('front.jpg')],
    ]);
  });
});

describe('a build', () => {
  it('ends with the first error of a listener, also one about a missing file', async () => {
    const workspace = createWorkspace();
    workspace.add(1);
    await workspace.build();
    workspace.add(2);
    let calls = 0;
    const listener = () => {
      if (calls++ === 0) throw Object.assign(new Error('the first'), { code: 'ENOENT' });
    };
    await expect(workspace.build({ listener })).rejects.toThrow('the first');
  });

  it('refuses a second build into one folder', async () => {
    const workspace = createWorkspace();
    workspace.add(1);
    const { release } = takeOutputLock(join(workspace.out, 'lock'));
    await expect(workspace.build()).rejects.toMatchObject({
      code: 'output-locked',
      name: 'EnvironmentError',
    });
    release();
    await expect(workspace.build()).resolves.toMatchObject({ outcome: 'published' });
  });

  it('publishes the total of an empty catalogue, and keeps it (B10)', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n');
    const texts = () => [...workspace.tree()].filter(([key]) => key.startsWith('_catalogue/pages/'));
    const none = [['_catalogue/pages/-/-/total', '0']];
    await workspace.build();
    expect(texts()).toEqual(none);
    workspace.add(1);
    await workspace.build();
    expect(workspace.read('_catalogue/pages/-/-/total')).toBe('1');
    workspace.remove('house-1.yaml');
    await workspace.build();
    expect(texts()).toEqual(none);
  });

  it('refuses a plan above the limit, with advice and before any write', async () => {
    const workspace = createWorkspace();
    workspace.configure('max_files: 100\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n');
    workspace.add(1);
    await expect(workspace.build()).rejects.toThrow(
      /^This catalogue makes 459 files; the limit is 100\. What fits: "page_sizes: \[25, 100\]", 67 files, [\d.]+ KiB; "page_sizes: \[25\]", 63 files, .*; "layout: packed", 5\d files, .*; a higher "max_files" in catalogue\.yaml\.$/,
    );
    expect(existsSync(workspace.public)).toBe(false);
  });

  it('refuses a content folder that does not exist', async () => {
    const workspace = createWorkspace();
    await expect(workspace.build({ content: join(workspace.root, 'none') })).rejects.toMatchObject({
      code: 'no-content',
    });
  });

  it('refuses an invalid base URL', async () => {
    const workspace = createWorkspace();
    await expect(workspace.build({ baseUrl: 'stays.example' })).rejects.toMatchObject({
      code: 'invalid-base-url',
    });
  });
});

describe('a build without any change', () => {
  it('writes no file, and reports the warnings again', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.add(1, { email: undefined });
    // A file that changed just now may change again within the same tick of the clock.
    utimesSync(join(workspace.content, 'house-1.yaml'), 1000, 1000);
    await new Promise((resolve) => setTimeout(resolve, 40));
    await workspace.build();
    const before = statSync(join(workspace.out, 'state')).mtimeMs;
    const result = await workspace.build();
    expect(result.outcome).toBe('unchanged');
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['missing-email']);
    expect(result.counts?.properties).toBe(1);
    expect(statSync(join(workspace.out, 'state')).mtimeMs).toBe(before);
  });

  it('repairs an output that was removed', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    workspace.add(1);
    await workspace.build();
    const before = workspace.tree();
    rmSync(workspace.public, { recursive: true });
    await workspace.build();
    expect(workspace.tree()).toEqual(before);
  });
});

function isClean(text: string): boolean {
  return (
    text.trim() !== '' &&
    !/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/u.test(text)
  );
}

type NaiveEntry = { id: string; title: string; city: string; country: string; thumbnail: null };

/** All list files, computed from the decisions and without code of the compiler. */
function naivePages(entries: NaiveEntry[], sizes: number[]): Record<string, string> {
  const points = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
  const bare = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase();
  const compare = (a: string, b: string) => {
    const [left, right] = [points(a), points(b)];
    for (let i = 0; i < Math.min(left.length, right.length); i++)
      if (left[i] !== right[i]) return left[i]! - right[i]!;
    return left.length - right.length;
  };
  const sorted = [...entries].sort(
    (a, b) =>
      compare(a.country, b.country) ||
      compare(bare(a.city), bare(b.city)) ||
      compare(a.city, b.city) ||
      compare(bare(a.title), bare(b.title)) ||
      compare(a.title, b.title) ||
      compare(a.id, b.id),
  );
  const files: Record<string, string> = {};
  const countries = ['-', ...new Set(entries.map(({ country }) => country))];
  const cities = ['-', ...new Set(entries.map(({ city }) => city))];
  for (const country of countries) {
    for (const city of cities) {
      const matching = sorted.filter(
        (entry) => (country === '-' || entry.country === country) && (city === '-' || entry.city === city),
      );
      if (matching.length === 0) continue;
      const folder = `_catalogue/pages/${country}/${city === '-' ? '-' : Buffer.from(city).toString('hex')}`;
      files[`${folder}/total`] = String(matching.length);
      for (const size of sizes) {
        for (let page = 1; (page - 1) * size < matching.length; page++) {
          const data = matching.slice((page - 1) * size, page * size);
          const pagination = { current_page: page, per_page: size, total_entries: matching.length };
          const text = JSON.stringify({ data, meta: { pagination } });
          files[`${folder}/${size}-${page}.json`] = Buffer.from(text).toString('latin1');
        }
      }
    }
  }
  return files;
}

describe('damage of the output', () => {
  it('is found inside an image, and repaired even when the cache is damaged too (C11)', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    const create = { width: 90, height: 90, channels: 3 as const, background: '#123456' };
    workspace.write('a.png', await sharp({ create }).png().toBuffer());
    workspace.add(1, { photo: [{ file: 'a.png' }] });
    await workspace.build();
    const sound = workspace.tree();
    const images = [...sound.keys()].filter((key) => key.startsWith('media/'));
    const cache = join(workspace.out, 'cache', 'media');
    const [engine] = readdirSync(cache).filter((name) => name.startsWith('sharp-'));
    const damage = (path: string) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    };
    for (const options of [{}, { force: true }]) {
      for (const key of images) {
        damage(join(workspace.public, key));
        damage(join(cache, engine!, key.slice('media/'.length)));
      }
      const { damaged, work } = await workspace.build(options);
      expect(damaged).toEqual('force' in options ? [] : images);
      expect(work.made).toBe(images.length);
      expect(workspace.tree()).toEqual(sound);
    }
  });

  it('is found in every file of a build but configurations (C12)', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ntargets: [nginx, apache, cloudflare-worker]\n');
    workspace.add(1);
    await workspace.build();
    const isOutput = ([path]: readonly [path: string, content: string]) =>
      !/^(?:state|edge|journal)/.test(path);
    const sound = new Map([...readTree(workspace.out)].filter(isOutput));
    const kept = [...sound.keys()].map((path) => path.replace(/^public\//, ''));
    const damage = (path: string) => {
      const bytes = Buffer.from(sound.get(path)!, 'latin1');
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(join(workspace.out, path), bytes);
    };
    // Damages each file except those of the state and the cache at once: one build per file would take minutes.
    for (const path of sound.keys()) damage(path);
    expect((await workspace.build()).damaged).toEqual(kept.sort());
    const mended = () => new Map([...readTree(workspace.out)].filter(isOutput));
    expect(mended()).toEqual(sound);

    writeFileSync(join(workspace.public, 'index.html'), '');
    expect((await workspace.build()).damaged).toContain('index.html');
    expect(mended()).toEqual(sound);
    expect((await workspace.build()).damaged).toEqual([]);
  });

  it('is found, of every kind, and repaired', async () => {
    const workspace = createWorkspace();
    workspace.configure(FEW_SIZES);
    const create = { width: 9, height: 9, channels: 3 as const, background: '#123456' };
    workspace.write('a.png', await sharp({ create }).png().toBuffer());
    for (let n = 1; n <= 4; n++) workspace.add(n, { photo: [{ file: 'a.png' }] });
    await workspace.build();
    const sound = workspace.tree();
    const image = [...sound.keys()].find((key) => key.startsWith('media/'))!;
    const path = (key: string) => join(workspace.public, key);
    const damages: [string, () => void][] = [
      ['_catalogue/pages/-/-/2-1.json', () => writeFileSync(path('_catalogue/pages/-/-/2-1.json'), '{}')],
      ['_catalogue/pages/IE/-/total', () => rmSync(path('_catalogue/pages/IE/-/total'))],
      [
        `_catalogue/properties/${idOf(2)}.json`,
        () => appendFileSync(path(`_catalogue/properties/${idOf(2)}.json`), ' '),
      ],
      ['_catalogue/problems/not-found.json', () => rmSync(path('_catalogue/problems/not-found.json'))],
      [image, () => truncateSync(path(image), 20)],
      ...DOWNLOAD_KEYS.map((key): [string, () => void] => [
        key,
        () => {
          const bytes = readFileSync(path(key));
          bytes[bytes.length >> 1]! ^= 1;
          writeFileSync(path(key), bytes);
        },
      ]),
    ];
    for (const [key, damage] of damages) {
      damage();
      expect((await workspace.build()).damaged).toEqual([key]);
      expect(workspace.tree()).toEqual(sound);
    }
    expect((await workspace.build()).damaged).toEqual([]);
    writeFileSync(path('_catalogue/pages/IE/-/2-3.json'), 'stray');
    await workspace.build({ force: true });
    expect(workspace.tree()).toEqual(sound);
  });
});
