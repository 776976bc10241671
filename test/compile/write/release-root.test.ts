/** What a root has besides lists and details follows from the configuration, and is read back as it was written. */
import { expect, it } from 'vitest';
import { rootContents } from '../../../src/compile/write/release-root.ts';
import { configurationSchema } from '../../../src/contract/configuration.ts';
import { partKey } from '../../../src/contract/document-keys.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { edgeConfigurationName } from '../../../src/release/edge-configuration-name.ts';
import { parseRootContents } from '../../../src/release/root-contents.ts';
import { rootText } from '../../../src/tree/format/root.ts';

const [KEY, IMAGES] = [digestOf('key').repeat(2), digestOf('images')];
const DOCUMENTS = new Map([
  ['openapi.json', digestOf('openapi')],
  [partKey(digestOf('part')), digestOf('part')],
  ['index.json', digestOf('index')],
]);

function written(settings: object) {
  const configuration = configurationSchema.parse(settings);
  const contents = rootContents(configuration, DOCUMENTS, [`${'f'.repeat(32)}.jpg`], [IMAGES]);
  const text = rootText({ countries: [], chunks: [], cityShards: [], details: [], facets: '', contents });
  return { configuration, text, contents: parseRootContents(Buffer.from(text))! };
}

it.each(['packed', 'pages'])('names the documents, sorted, and the lists of images (%s)', (layout) => {
  const { text, contents } = written({ layout });
  expect(contents.documents).toEqual(Object.fromEntries(DOCUMENTS));
  expect(Object.keys(contents.documents)).toEqual([...DOCUMENTS.keys()].sort());
  expect(contents.images).toEqual([IMAGES]);
  // Readers of lists find what they need first.
  expect(text.indexOf('"countries"')).toBeLessThan(text.indexOf('"settings"'));
});

it('has the settings that serving needs, and no key', () => {
  const { configuration, text, contents } = written({
    title: 'Stays',
    base_url: 'https://stays.example/a',
    page_sizes: ['25'],
    layout: 'packed',
    api_keys: [KEY],
  });
  expect(contents.settings).toEqual({
    about: { title: 'Stays' },
    base: '/a',
    url: 'https://stays.example/a',
    media_url: 'https://stays.example/a',
    page_sizes: [25],
    layout: 'packed',
    cache_control: configuration.cache_control,
    api_keys: true,
    edge: edgeConfigurationName(configuration),
  });
  expect(text).not.toContain(KEY);
  expect(written({}).contents.settings).toMatchObject({ base: '', api_keys: false });
  const elsewhere = written({ media_base_url: 'https://photos.example' });
  expect(elsewhere.contents.settings.media_url).toBe('https://photos.example');
});

it('has a digest of the headers of each group, which changes with them', () => {
  const headersOf = (settings: object) => written(settings).contents.headers;
  const plain = headersOf({});
  const tree = ['packed.json', 'originals', 'current'];
  const lists = ['properties', 'pages', 'totals'];
  const files = ['documents.json', '_catalogue/parts.ndjson', 'media.jpg'];
  expect(Object.keys(plain).sort()).toEqual([...tree, ...lists, ...files].sort());
  expect(Object.keys(headersOf({ layout: 'packed' })).sort()).toEqual([...tree, ...files].sort());
  const other = headersOf({ cache_control: { media: 'no-cache' } });
  expect(Object.keys(other).filter((group) => other[group] !== plain[group])).toEqual([
    ...['packed.json', 'originals', '_catalogue/parts.ndjson', 'media.jpg'],
  ]);
  expect(headersOf({ api_keys: [KEY] })).not.toEqual(plain);
});
