import fc from 'fast-check';
import { expect, it } from 'vitest';
import { configurationSchema } from '../../../src/contract/configuration.ts';
import { explorerSettings } from '../../../src/contract/explorer.ts';
import type { Page, Property } from '../../../src/contract/property.ts';
import { explorerPage } from '../../../src/documents/explorer-page.ts';
import {
  explorerSettingsIn,
  pageWithView,
  plainListView,
  plainPropertyView,
} from '../../../src/targets/runtime/no-script-page.ts';

const ASSETS = ['explorer/app-1.js', 'explorer/app-2.css'];
const ID = '0007292b-5c0b-5e34-b433-bb363ae20518';

/** What could end a text, an attribute or an element, and what `replace` would take for a pattern. */
const hostile = fc.oneof(
  fc.string(),
  fc
    .array(
      fc.constantFrom(
        ...['"', "'", '<', '>', '&', '&quot;', '$&', '$`', "$'", '</title>', '</noscript>', '</main>', '-->'],
        ...[
          '<script>',
          '<img src=x onerror=y>',
          '<main>',
          '<link rel="icon"',
          'data-settings="',
          'text',
          '\n',
        ],
      ),
    )
    .map((parts) => parts.join('')),
);
const urls = hostile.map((text) => `http://localhost:8080/media/${text}`);
const lists = <Of>(of: fc.Arbitrary<Of>) => fc.array(of, { minLength: 1, maxLength: 2 });
const strings = Object.fromEntries(
  ['title', 'email', 'phone', 'zip_code', 'city', 'state', 'address', 'country'].map((name) => [
    name,
    hostile.map((text) => `x${text}`),
  ]),
);
const properties = fc.record({
  ...strings,
  facilities: lists(hostile),
  photo: lists(fc.record({ id: hostile, url: urls, description: hostile })),
  hotel_policy: lists(fc.record({ policy_type: hostile, detail: hostile })),
  attributes: fc.record({ description: hostile.map((text) => `x${text.replaceAll('\n', ' ')}`) }),
}) as unknown as fc.Arbitrary<Property>;
const pages = fc.record({
  data: lists(
    fc.record({
      id: fc.constant(ID),
      title: hostile.map((text) => `x${text}`),
      city: hostile,
      country: hostile,
      thumbnail: urls,
    }),
  ),
  meta: fc.constant({ pagination: { current_page: 2, per_page: 2, total_entries: 6 } }),
}) as unknown as fc.Arbitrary<Page>;

/** A page's elements with the names of their attributes, read strictly: each `<` has to begin a tag of this form. */
function tagsOf(text: string): string[] {
  const tags = text.match(/<[^>]*>/g) ?? [];
  expect(text.split('<').length - 1).toBe(tags.length);
  return tags.map((tag) => {
    expect(tag).toMatch(/^<(?:!doctype html|\/?[a-z][a-z0-9]*(?: [a-z-]+(?:="[^"<>]*")?)*)>$/);
    return tag.replace(/="[^"]*"/g, '=');
  });
}

const configured = (text: string) =>
  configurationSchema.parse({ title: `x${text}`.replace(/[\p{C}\u2028\u2029]/gu, '').trim() });

it('a property has the same elements, whatever its texts are', () => {
  fc.assert(
    fc.property(hostile, properties, hostile, (title, property, language) => {
      const configuration = configured(title);
      const settings = explorerSettings(configuration);
      const page = explorerPage(configuration, ASSETS);
      expect(explorerSettingsIn(page)).toEqual(settings);
      const shown = (of: Property) =>
        pageWithView(page, plainPropertyView(of, ID, language, settings), settings);
      const plain = JSON.parse(
        JSON.stringify(property, (_, value) => (typeof value === 'string' ? 'x' : value)),
      );
      for (const photo of plain.photo) photo.url = 'http://localhost:8080/media/x';
      expect(tagsOf(shown(property))).toEqual(tagsOf(shown(plain)));
    }),
  );
});

it('a list has the same elements, whatever its texts are', () => {
  fc.assert(
    fc.property(hostile, pages, hostile, hostile, (title, list, country, city) => {
      const configuration = configured(title);
      const settings = explorerSettings(configuration);
      const page = explorerPage(configuration, ASSETS);
      const shown = (of: Page, filter: object) =>
        pageWithView(page, plainListView(of, filter, settings, true), settings);
      const data = list.data.map((summary) => ({
        ...summary,
        title: 'x',
        city: 'x',
        country: 'x',
        thumbnail: 'http://localhost:8080/media/x',
      }));
      expect(tagsOf(shown(list, { country, city }))).toEqual(tagsOf(shown({ ...list, data }, {})));
    }),
  );
});

it('links only what it may: mail, telephone, its own views', () => {
  fc.assert(
    fc.property(properties, (property) => {
      const { main } = plainPropertyView(property, ID, '', explorerSettings(configured('')));
      for (const [, href] of main.markup.matchAll(/href="([^"]*)"/g))
        expect(href).toMatch(/^(?:mailto:|tel:|properties\.html$)/);
      for (const [, source] of main.markup.matchAll(/src="([^"]*)"/g)) expect(source).toMatch(/^media\//);
    }),
  );
});
