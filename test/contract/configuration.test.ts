import { describe, expect, it } from 'vitest';
import { type Configuration, configurationSchema, routeSettings } from '../../src/contract/configuration.ts';

type Settings = Record<string, unknown>;

const accepted = (settings: Settings): Configuration => configurationSchema.parse(settings);

/** Path and message of every issue. */
function refused(settings: Settings): [path: string, message: string][] {
  const { error } = configurationSchema.safeParse(settings);
  return (error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]);
}

const refusedPaths = (settings: Settings) => refused(settings).map(([path]) => path);

describe('the settings', () => {
  it('have these defaults', () => {
    expect(accepted({})).toMatchObject({
      base_url: 'http://localhost:8080',
      page_sizes: 'all',
      layout: 'pages',
      max_files: 2_000_000,
      thumbnail: { width: 400, height: 300, fit: 'cover', format: 'webp', quality: 75 },
      photo: { max_width: 2560, format: 'jpeg', quality: 82 },
      vocabulary: { facilities: { isOpen: true }, policy_types: { isOpen: true } },
      api_keys: [],
      cache_control: {
        api: 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400',
        media: 'public, max-age=31536000, immutable',
        problem: 'public, max-age=10',
      },
    });
    expect(accepted({})).not.toHaveProperty('media_base_url');
  });

  it('of one group keep the defaults of the other settings in it', () => {
    expect(accepted({ photo: { quality: '60' } }).photo).toEqual({
      max_width: 2560,
      format: 'jpeg',
      quality: 60,
    });
  });

  it('are refused in every group when they do not exist', () => {
    for (const settings of [
      { base: 'x' },
      { __proto__: null, constructor: 'x' },
      { thumbnail: { size: '1' } },
      { photo: { height: '1' } },
      { vocabulary: { photos: [] } },
      { cache_control: { html: 'no-store' } },
    ]) {
      expect(configurationSchema.safeParse(settings).error?.issues).toMatchObject([
        { code: 'unrecognized_keys' },
      ]);
    }
  });
});

describe.each(['base_url', 'media_base_url'] as const)('%s', (key) => {
  it.each([
    ['https://stays.example', 'https://stays.example', ''],
    ['https://stays.example/', 'https://stays.example', ''],
    ['https://stays.example/a/b//', 'https://stays.example/a/b', '/a/b'],
    [' http://localhost:8080 ', 'http://localhost:8080', ''],
    ['http://127.0.0.1/v1.2/x_y~z-', 'http://127.0.0.1/v1.2/x_y~z-', '/v1.2/x_y~z-'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x', '/x'],
  ])('%j is %s, with the path %j', (written, url, path) => {
    const configuration = accepted({ [key]: written });
    expect(configuration[key]).toBe(url);
    if (key !== 'base_url') return;
    expect(routeSettings(configuration)).toEqual({ base: path, sizes: 'all', layout: 'pages' });
  });

  it.each([
    '',
    'stays.example',
    '//stays.example',
    '/stays',
    'ftp://stays.example',
    'https:stays.example',
    'https:/stays.example',
    'https:///stays.example',
    'https://',
    'https://user:secret@stays.example',
    'https://stays.example:99999',
    'https://stays.example/?a=b',
    'https://stays.example/#top',
    'https://stays.example/%41',
    'https://stays.example/é',
    'https://é.example',
    'https://stays.example/a b',
    'https://stays.example/a/../b',
    'https://stays.example/./b',
    'https://stays.example/a//b',
    'https://stays.example/a\\b',
    'https://stays.example/"',
    'https://stays.example/{a}',
    'https://stays.example/$uri',
    'https://stays.example/a;b',
    'javascript:alert(1)',
  ])('%j is refused', (url) => expect(refusedPaths({ [key]: url })).toEqual(expect.arrayContaining([key])));
});

describe('page_sizes', () => {
  it.each([
    ['all', 'all'],
    [['25'], [25]],
    [
      ['100', '1', '25', '1'],
      [1, 25, 100],
    ],
  ])('%j is %j', (written, sizes) => expect(accepted({ page_sizes: written }).page_sizes).toEqual(sizes));

  const range = 'expected a whole number from 1 to 100';
  const missing = 'expected the sizes to include 25, the size of a request that names none';
  it.each([
    ['25', 'page_sizes', 'expected all, or a list of whole numbers from 1 to 100'],
    [{ all: '25' }, 'page_sizes', 'expected all, or a list of whole numbers from 1 to 100'],
    [['25', '101'], 'page_sizes.1', range],
    [['25', '0'], 'page_sizes.1', range],
    [['25', 'ten'], 'page_sizes.1', range],
    [['25', '1e1'], 'page_sizes.1', range],
    [['10', '50'], 'page_sizes', missing],
    [[], 'page_sizes', missing],
  ])('%j is refused', (page_sizes, path, message) =>
    expect(refused({ page_sizes })).toEqual([[path, message]]),
  );
});

describe('numbers', () => {
  it.each([
    ['max_files', '1', '1000000000', '0', '1000000001'],
    ['thumbnail.width', '16', '2048', '15', '2049'],
    ['thumbnail.height', '16', '2048', '15', '2049'],
    ['thumbnail.quality', '1', '100', '0', '101'],
    ['photo.max_width', '16', '16384', '15', '16385'],
    ['photo.quality', '1', '100', '0', '101'],
  ])('%s is from %s to %s', (path, least, most, below, above) => {
    const settings = (value: string) => {
      const [group = '', name] = path.split('.');
      return name === undefined ? { [group]: value } : { [group]: { [name]: value } };
    };
    expect(refused(settings(least))).toEqual([]);
    expect(refused(settings(most))).toEqual([]);
    for (const value of [
      below,
      above,
      '',
      '-1',
      '+5',
      '050',
      '5.0',
      '1e2',
      '0x20',
      'many',
      '5px',
      '99999999999999999',
    ]) {
      expect(refusedPaths(settings(value))).toContain(path);
    }
  });
});

describe('choices', () => {
  it.each([
    ['thumbnail.fit', ['cover', 'inside'], ['contain', '']],
    ['thumbnail.format', ['jpeg', 'webp', 'avif'], ['jpg', 'png', 'JPEG']],
    ['photo.format', ['jpeg', 'webp', 'avif'], ['jpg', 'heic', 'gif']],
  ])('%s', (path, good, bad) => {
    const [group = '', name] = path.split('.');
    const settings = (value: string) =>
      name === undefined ? { [group]: value } : { [group]: { [name]: value } };
    for (const value of good) expect(refused(settings(value))).toEqual([]);
    for (const value of bad) expect(refusedPaths(settings(value))).toEqual([path]);
  });
});

describe('vocabulary', () => {
  it('is trimmed and normalised to NFC, as the values that are compared with it', () => {
    expect(
      accepted({ vocabulary: { facilities: [' cafe\u0301 '], policy_types: ['check_in'] } }).vocabulary,
    ).toMatchObject({ facilities: { words: ['café'] }, policy_types: { words: ['check_in'] } });
  });

  it.each(['facilities', 'policy_types'])('%s has no empty words', (key) => {
    expect(refusedPaths({ vocabulary: { [key]: ['a', ' '] } })).toEqual([`vocabulary.${key}.1`]);
    expect(refusedPaths({ vocabulary: { [key]: 'a' } })).toEqual([`vocabulary.${key}`]);
  });
});

describe('are digests, never the keys themselves', () => {
  const digest = 'ab'.repeat(32);
  it('are digests, never keys', () => {
    expect(accepted({ api_keys: [digest] }).api_keys).toEqual([digest]);
    for (const key of ['secret', digest.toUpperCase(), digest.slice(1), `${digest}0`, '']) {
      expect(refused({ api_keys: [key] })).toEqual([
        ['api_keys.0', 'expected a SHA-256 digest: 64 lower-case hexadecimal digits'],
      ]);
    }
  });
});

describe('cache_control', () => {
  it.each(['api', 'media', 'problem'])('%s is one line of ASCII', (key) => {
    expect(refused({ cache_control: { [key]: 'no-store' } })).toEqual([]);
    for (const value of ['', 'a\r\nSet-Cookie: b', 'a\tb', 'é']) {
      expect(refusedPaths({ cache_control: { [key]: value } })).toEqual([`cache_control.${key}`]);
    }
  });
});

describe('the explorer', () => {
  const map = 'https://maps.example/?lat={latitude}&lon={longitude}';
  const tiles = (url: string) => ({ explorer: { tiles: { url, attribution: 'Tiles' } } });
  it.each<[Settings, string[]]>([
    [{ contact: { email: 'stay@house.example' } }, []],
    [{ contact: { url: 'https://house.example' } }, []],
    [{ contact: { name: 'Rose' } }, ['contact']],
    [{ explorer: { map_link: map } }, []],
    [{ explorer: { map_link: map.replace('{latitude}', '53') } }, ['explorer.map_link']],
    [{ explorer: { map_link: map.replace('{longitude}', '-9') } }, ['explorer.map_link']],
    [tiles('https://{s}.tiles.example:8080/{z}/{x}/{y}.png'), []],
    [{ explorer: { tiles: 'openstreetmap' } }, []],
    [{ explorer: { tiles: 'elsewhere' } }, ['explorer.tiles']],
    [tiles('https://tiles.example/{x}/{y}.png'), ['explorer.tiles.url']],
    [tiles('https://tiles.example/{z}/{y}.png'), ['explorer.tiles.url']],
    [tiles('https://tiles.example/{z}/{x}.png'), ['explorer.tiles.url']],
    [tiles('https://tiles.{s}.example/{z}/{x}/{y}.png'), ['explorer.tiles.url']],
    [tiles('https://{x}.tiles.example/{z}/{x}/{y}.png'), ['explorer.tiles.url']],
  ])('%j: %j is refused', (settings, paths) => {
    expect(refusedPaths(settings)).toEqual(paths);
  });

  it('has tiles of OpenStreetMap by one word, with their source', () => {
    expect(accepted({ explorer: { tiles: 'openstreetmap' } }).explorer.tiles).toEqual({
      url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      attribution: '© OpenStreetMap contributors',
      attribution_url: 'https://www.openstreetmap.org/copyright',
    });
  });

  it('takes a colour with or without "#"', () => {
    expect(accepted({ accent: '#0A5F2C' }).accent).toBe('#0a5f2c');
    expect(accepted({ accent: '0a5f2c' }).accent).toBe('#0a5f2c');
  });

  it('is on, off, and nothing else', () => {
    expect(accepted({ explorer: { enabled: 'true' } }).explorer.enabled).toBe(true);
    expect(accepted({ explorer: { enabled: 'false' } }).explorer.enabled).toBe(false);
    expect(refusedPaths({ explorer: { enabled: 'yes' } })).toEqual(['explorer.enabled']);
  });
});
