import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCESS_RULES, accessOf } from '../../src/contract/access.ts';

describe('who may read a path (A4, B1)', () => {
  it.each([
    ['_catalogue/log/00000001.json', 'internal'],
    ['_catalogue/log', 'internal'],
    ['_catalogue/current.json', 'guarded'],
    ['_catalogue/pages/-/-/total', 'guarded'],
    ['_catalogue/chunks/00ff.json', 'guarded'],
    ['_catalogue/countries.json', 'guarded'],
    ['_catalogue/countries/IE.json', 'guarded'],
    ['_catalogue/facets/IE.json', 'guarded'],
    ['_catalogue/anything-new', 'guarded'],
    ['_catalogue', 'guarded'],
    ['properties.ndjson', 'guarded'],
    ['properties.geojson', 'guarded'],
    ['properties.csv', 'guarded'],
    ['_catalogue/parts/0123456789abcdef0123456789abcdef.ndjson', 'guarded'],
    ['_catalogue/roots/0123456789abcdef0123456789abcdef.json', 'guarded'],
    ['_catalogue/documents/0123456789abcdef0123456789abcdef', 'guarded'],
    ['_catalogue/images/0123456789abcdef0123456789abcdef.json', 'guarded'],
    ['properties.json', 'guarded'],
    ['changes/2026-11.ndjson', 'guarded'],
    ['changes/feed.xml', 'guarded'],
    ['_catalogue/properties/1336a570-0e7c-58a7-8cb2-2130613af3fa.json', 'open'],
    ['_catalogue/problems/not-found.json', 'open'],
    ['media/00ff.jpg', 'open'],
    ['openapi.json', 'open'],
    ['index.html', 'open'],
    ['index.json', 'open'],
    ['explorer/app-1.js', 'open'],
    ['docs/index.html', 'open'],
    ['', 'open'],
  ])('%s is %s', (key, access) => {
    expect(accessOf(key)).toBe(access);
  });

  it('is of no concern outside the base', () => {
    expect(accessOf('/stays/_catalogue/log/00000001.json', '/stays')).toBe('internal');
    expect(accessOf('/other/_catalogue/log/00000001.json', '/stays')).toBe('open');
  });

  it('gives the same answer for every spelling of a path', () => {
    const keys = fc.constantFrom(
      '_catalogue/log/00000001.json',
      '_catalogue/current.json',
      'properties.ndjson',
      'changes/index.json',
    );
    const encoded = (text: string, digits: (byte: string) => string) =>
      `%${digits(text.charCodeAt(0).toString(16).padStart(2, '0'))}`;
    const spelledCharacter = (character: string) =>
      fc.constantFrom(
        character,
        character.toUpperCase(),
        encoded(character, (byte) => byte),
        encoded(character, (byte) => byte.toUpperCase()),
        encoded(character, (byte) => byte).replace('%', '%25'),
      );
    const slash = fc.constantFrom(
      '/',
      '//',
      '/./',
      '/%2e/',
      '%2F',
      '%2f',
      '%5c',
      '\\',
      '/x/../',
      '/x/%2E%2e/',
      '/_catalogue/properties/../../',
    );
    // A path that leads out and in again is used only at the start.
    const separator = (isFirst: boolean) =>
      isFirst ? slash : slash.filter((text) => !text.includes('prop'));
    const spelled = keys.chain((key) => {
      const characters = [...`/${key}`].map((character, index) =>
        character === '/' ? separator(index === 0) : spelledCharacter(character),
      );
      return fc.tuple(
        fc.constant(key),
        fc.tuple(...characters).map((parts) => parts.join('')),
      );
    });
    fc.assert(
      fc.property(spelled, fc.constantFrom('', '/stays', '/stays/v2'), ([key, path], base) => {
        expect(accessOf(base + path, base)).toBe(accessOf(key));
      }),
    );
  });

  it('applies only below the base', () => {
    expect(accessOf('/_catalogue/current.json', '/stays')).toBe('open');
    expect(accessOf('/stays/_catalogue/current.json', '/stays')).toBe('guarded');
    expect(accessOf('/staysx/_catalogue/current.json', '/stays')).toBe('open');
    expect(accessOf('/../x/../stays/_catalogue/current.json', '/stays')).toBe('guarded');
  });

  it('has rules in lower case, with no characters that a configuration would have to escape', () => {
    for (const { start } of ACCESS_RULES) expect(start).toMatch(/^[a-z_./-]+$/);
  });
});
