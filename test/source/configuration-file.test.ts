import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';
import { MAX_FILE_BYTES } from '../../src/source/source-text.ts';
import { type Finding, findingOf } from './property-text.ts';

const check = (text: string | Buffer) => checkConfiguration(Buffer.from(text));
const DEFAULTS = configurationSchema.parse({});

describe('a configuration', () => {
  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['one of comments', '# all defaults\n'],
    ['one without values', 'base_url:\nthumbnail:\nvocabulary:\n  facilities:\napi_keys:\n'],
    ['an empty mapping', '{}'],
    ['one that is a start of a document', '---\n'],
  ])('%s has every default', (_what, text) => {
    expect(checkConfiguration(text === undefined ? undefined : Buffer.from(text))).toEqual({
      configuration: DEFAULTS,
      usable: DEFAULTS,
      diagnostics: [],
    });
  });

  it('has the written values', () => {
    const text = '\ufeffbase_url: https://stays.example/\r\npage_sizes: [10, 25]\r\nphoto: {quality: 70}\r\n';
    expect(check(text).configuration).toEqual({
      ...DEFAULTS,
      base_url: 'https://stays.example',
      page_sizes: [10, 25],
      photo: { ...DEFAULTS.photo, quality: 70 },
    });
  });

  it.each<[string, string | Buffer, ...Finding[]]>([
    ['an unknown setting', 'base_uri: x\n', ['unknown-key', 1, 1, 'base_uri']],
    ['an unknown setting of a group', 'photo:\n  width: 5\n', ['unknown-key', 2, 3, 'width']],
    ['a text in place of a number', 'photo:\n  quality: high\n', ['invalid-setting', 2, 12, 'high']],
    ['a size out of range', 'page_sizes:\n  - 25\n  - 200\n', ['invalid-setting', 3, 5, '200']],
    ['sizes without the default', 'page_sizes: [10, 50]\n', ['invalid-setting', 1, 13, '[10, 50]']],
    ['a word that is not one of those', 'layout: yes\n', ['invalid-setting', 1, 9, 'yes']],
    ['no URL', 'base_url: stays\n', ['invalid-setting', 1, 11, 'stays']],
    ['a key in plain text', 'api_keys:\n  - secret\n', ['invalid-setting', 2, 5, 'secret']],
    ['a text for a group', 'photo: big\n', ['wrong-type', 1, 8, 'big']],
    ['a text for a list', 'vocabulary:\n  facilities: wifi\n', ['invalid-setting', 2, 15, 'wifi']],
    ['a list at the top', '- a\n', ['wrong-type', 1, 1, '- a']],
    ['a text at the top', 'hello\n', ['wrong-type', 1, 1, 'hello']],
    ['a setting twice', 'docs: true\ndocs: true\n', ['duplicate-key', 2, 1, 'docs']],
    ['no YAML', 'base_url: "x\n', ['yaml-syntax', 1, 11, '"x']],
    ['several documents', 'docs: true\n---\n', ['several-documents', 2, 1, '---']],
    ['deep brackets', `docs: ${'['.repeat(100_000)}`, ['nested-too-deep', 1, 25, '[']],
    ['Latin-1', Buffer.from('# café\n', 'latin1'), ['not-utf8', 1, 6, '\ufffd']],
    [
      'a pointer of Git LFS',
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\n',
      ['git-lfs-pointer'],
    ],
    ['a NUL', 'base_url: \0\n', ['control-character', 1, 11, '\0']],
    ['a large file', Buffer.alloc(MAX_FILE_BYTES + 1, 'a'), ['file-too-large']],
    [
      'several slips',
      'docs: maybe\nphoto: {quality: 0, size: 1}\n',
      ['invalid-setting', 1, 7, 'maybe'],
      ['invalid-setting', 2, 18, '0'],
      ['unknown-key', 2, 21, 'size'],
    ],
  ])('%s is refused', (_what, text, ...found) => {
    const { configuration, diagnostics } = check(text);
    expect(configuration).toBeUndefined();
    expect(diagnostics.map(findingOf)).toEqual(found);
    expect(diagnostics.every(({ file, severity }) => file === 'catalogue.yaml' && severity === 'error')).toBe(
      true,
    );
  });

  it('that is refused keeps valid settings, and defaults for the others (E8)', () => {
    const { usable } = check('docs: maybe\nmax_files: 5\nbase_url: x\npage_sizes: [25]\n');
    expect(usable).toEqual({ ...DEFAULTS, max_files: 5, page_sizes: [25] });
  });

  it('gets findings in plain words', () => {
    const found = (text: string) => {
      const [first] = check(text).diagnostics;
      return `${first?.message} ${first?.help}`.trim();
    };
    expect(found('base_uri: x\n')).toBe('There is no field "base_uri". Did you mean "base_url"?');
    expect(found('photo:\n  qualtiy: 5\n')).toBe(
      'There is no field "qualtiy" in photo. Did you mean "quality"?',
    );
    expect(found('photo:\n  quality: high\n')).toBe(
      'The setting "photo.quality" is not valid: expected a whole number from 1 to 100.',
    );
    expect(found('layout: both\n')).toBe(
      'The setting "layout" is not valid: expected pages or packed; pages has what "both" had.',
    );
    expect(found('remote_photos: fetch\n')).toBe(
      'The setting "remote_photos" is gone. Delete this line: a photo with "url" is published as a link. For a thumbnail, write its link as "thumbnail" of that photo, or keep the photo in the content folder and name it with "file".',
    );
    expect(found('vocabulary:\n  facilities:\n    wifi: WLAN\n')).toBe(
      'There is no field "wifi" in vocabulary.facilities. Known fields: extend, replace.',
    );
    for (const word of ['constructor', 'toString', 'valueOf', '__proto__'])
      expect(found(`${word}: x\n`)).toMatch(new RegExp(`^There is no field "${word}"\\. Known fields: `));
    expect(found('page_sizes: [10, 50]\n')).toBe(
      'The setting "page_sizes" is not valid: expected the sizes to include 25, the size of a request that names none.',
    );
  });
});
