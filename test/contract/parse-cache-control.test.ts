import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCacheControl } from '../../src/contract/cache-control-faults.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { privateCacheControl } from '../../src/contract/headers.ts';
import { cacheLifetimeOf, splitDirectives } from '../../src/contract/parse-cache-control.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';

it.each([
  ['public, max-age=60', { public: '', 'max-age': '60' }],
  ['PUBLIC,Max-Age=60', { public: '', 'max-age': '60' }],
  ['max-age="60"', { 'max-age': '60' }],
  ['private="a, b", no-cache="x\\"y"', { private: 'a, b', 'no-cache': 'x"y' }],
  [' no-store ', { 'no-store': '' }],
  ['max-age=007', { 'max-age': '007' }],
  ['community="UCI", max-age=1', { community: 'UCI', 'max-age': '1' }],
])('%s is valid', (text, directives) => {
  const parsed = parseCacheControl(text);
  expect([Object.fromEntries(parsed.directives), parsed.faults]).toEqual([directives, []]);
});

const FAULTS: readonly [text: string, part: string][] = [
  ['', 'a directive is missing'],
  [' ', 'a directive is missing'],
  [',', 'a directive is missing'],
  ['max-age=60,', 'without a comma at an end'],
  [',max-age=60', 'a directive is missing'],
  ['public,,max-age=60', 'a directive is missing'],
  ['public; max-age=60', 'separated by commas'],
  ['public;max-age=60', 'separated by commas'],
  ['public max-age=60', 'a comma is missing'],
  ['max-age = 60', 'a space beside "="'],
  ['max-age= 60', 'a space beside "="'],
  ['max-age =60', 'a space beside "="'],
  ['60', 'write "max-age=60"'],
  ['public, 1.5', 'no directive'],
  ['max-age', 'max-age takes whole seconds'],
  ['max-age=', 'is no directive'],
  ['max-age=""', 'max-age takes whole seconds'],
  ['max-age=-1', 'max-age takes whole seconds'],
  ['max-age=1.5', 'max-age takes whole seconds'],
  ['max-age=1h', 'max-age takes whole seconds'],
  ['max-age="60', 'is no directive'],
  ['s-maxage=x', 's-maxage takes whole seconds'],
  ['max-age:60', 'is no directive'],
  ['public=1', 'public takes no value'],
  ['no-store=""', 'no-store takes no value'],
  ['max-age=60, max-age=60', 'max-age is there twice'],
  ['public, PUBLIC', 'public is there twice'],
  ['a b', 'a comma is missing'],
];

it.each(FAULTS)('"%s" is a fault', (text, part) => {
  expect(parseCacheControl(text).faults).toEqual([expect.stringContaining(part)]);
  for (const key of ['api', 'media', 'problem', 'release']) {
    const result = configurationSchema.safeParse({ cache_control: { [key]: text } });
    expect(result.error?.issues[0]).toMatchObject({ path: ['cache_control', key] });
  }
});

it.each([
  'max-age=60\r\nX-Injected: 1',
  'public, max-age=60\u00e9',
  'public\u0000',
  'max-age=６０',
  'max-age=60\u00a0',
])('%j is refused by the configuration', (text) => {
  expect(configurationSchema.safeParse({ cache_control: { api: text } }).success).toBe(false);
});

describe('check', () => {
  const found = (text: string) =>
    checkConfiguration(Buffer.from(`cache_control:\n  api: ${JSON.stringify(text)}\n`)).diagnostics.map(
      ({ code, message, help, span }) => [code, span?.line, `${message} ${help}`],
    );

  it.each([
    ['public, maxage=60', 'Did you mean "max-age=60"?'],
    ['max_age=60', 'Did you mean "max-age=60"?'],
    ['smaxage=60, max-age=60', 'Did you mean "s-maxage=60"?'],
    ['no-chache, max-age=60', 'Did you mean "no-cache"?'],
    ['hello, max-age=60', 'Known are max-age'],
    ['toString, max-age=60', 'Known are max-age'],
    ['public', 'so caches choose one'],
    ['private', 'so caches choose one'],
    ['max-age="60"', 'Leave out the quotes'],
  ])('warns about %s', (text, part) => {
    expect(found(text)).toEqual([['doubtful-cache-control', 2, expect.stringContaining(part)]]);
  });

  it.each([
    'no-store',
    'no-cache',
    'max-age=0',
    's-maxage=60',
    'MAX-AGE=60',
    'private, max-age=0',
    'max-age=99999999999',
  ])('takes %s', (text) => expect(found(text)).toEqual([]));

  it('refuses what is no directive, and keeps the setting at its default', () => {
    const { configuration, usable, diagnostics } = checkConfiguration(
      Buffer.from('cache_control: { api: "60" }\n'),
    );
    expect(configuration).toBeUndefined();
    expect(usable.cache_control).toEqual(configurationSchema.parse({}).cache_control);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['invalid-setting', 'error']]);
  });
});

it.each([
  ['public, max-age=5, s-maxage=9, stale-while-revalidate=3, stale-if-error=4', [5, 9, 3, 4]],
  ['max-age=5', [5, 5, 0, 0]],
  ['s-maxage=0, max-age=5', [5, 0, 0, 0]],
  ['private, max-age=5', [5, 0, 0, 0]],
  ['no-store, max-age=5, stale-while-revalidate=3', [0, 0, 0, 0]],
  ['No-Cache, max-age=5', [0, 0, 0, 0]],
  ['public', [undefined, undefined, 0, 0]],
])('%s lasts %j', (text, [own, shared, staleWhileRevalidate, staleIfError]) => {
  expect(cacheLifetimeOf(text)).toEqual({ private: own, shared, staleWhileRevalidate, staleIfError });
});

it('every value that is built of directives is read as written', () => {
  const token = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
  const argument = fc.option(fc.oneof(fc.nat().map(String), fc.stringMatching(/^[a-z ,;="]{0,9}$/)), {
    nil: undefined,
  });
  const entries = fc.uniqueArray(fc.tuple(token, argument), { selector: ([name]) => name, minLength: 1 });
  fc.assert(
    fc.property(entries, (all) => {
      const written = all.map(([name, value]) =>
        value === undefined
          ? `x-${name}`
          : /^\d+$/.test(value)
            ? `x-${name}=${value}`
            : `x-${name}="${value.replaceAll('"', '\\"')}"`,
      );
      const { directives, faults } = parseCacheControl(written.join(', '));
      expect(faults).toEqual([]);
      expect([...directives]).toEqual(all.map(([name, value]) => [`x-${name}`, value ?? '']));
      expect(splitDirectives(written.join(','))).toEqual(written);
    }),
  );
});

it('any text is read without an exception, and in time', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), (text) => parseCacheControl(text).faults.length >= 0),
  );
  // What is not linear does not end in the time of a test.
  for (const text of ['"'.repeat(1e6), '\\'.repeat(1e6), `"${'\\"'.repeat(5e5)}`, 'a="b" '.repeat(1e5)])
    expect(parseCacheControl(text).faults).toHaveLength(1);
});

it('a guarded answer keeps quoted commas', () => {
  expect(privateCacheControl('no-cache="a, public", max-age=5')).toBe(
    'private, no-cache="a, public", max-age=5',
  );
});
