/** `dcat.jsonld`, from the configuration alone. */
import { expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { dcatText } from '../../src/documents/dcat.ts';
import { createWorkspace } from '../compile/workspace.ts';

const SETTINGS =
  'base_url: https://stays.example\npage_sizes: [25]\ntargets: []\nexplorer: { enabled: false }\n';

it('names the catalogue, its languages, licence, contact, API and downloads', () => {
  const text = dcatText(
    configurationSchema.parse({
      title: 'Stays',
      description: 'Houses.',
      base_url: 'https://stays.example/at',
      language: 'en',
      license: { name: 'CC0', url: 'https://license.example/' },
      contact: { name: 'Desk', email: 'desk@stays.example' },
    }),
  );
  expect(JSON.parse(text)).toMatchObject({
    '@id': 'https://stays.example/at/#dataset',
    '@type': 'dcat:Dataset',
    'dct:title': 'Stays',
    'dct:description': 'Houses.',
    'dct:language': ['en'],
    'dct:license': { '@id': 'https://license.example/' },
    'dcat:contactPoint': { 'vcard:fn': 'Desk', 'vcard:hasEmail': { '@id': 'mailto:desk@stays.example' } },
    'dcat:distribution': [
      {
        'dcat:accessURL': { '@id': 'https://stays.example/at/index.json' },
        'dcat:accessService': {
          'dcat:endpointURL': { '@id': 'https://stays.example/at/api/v1/public/properties' },
          'dcat:endpointDescription': { '@id': 'https://stays.example/at/openapi.json' },
        },
      },
      { 'dcat:accessURL': { '@id': 'https://stays.example/at/datapackage.json' } },
    ],
  });
});

it('stays the same when a property changes, and is absent without downloads', async () => {
  const workspace = createWorkspace();
  workspace.configure(SETTINGS);
  workspace.add(1);
  expect((await workspace.build()).outcome).toBe('published');
  const before = workspace.json('dcat.jsonld');
  const { links } = workspace.json('index.json') as { links: { href: string; type: string }[] };
  expect(links).toContainEqual(expect.objectContaining({ href: 'dcat.jsonld', type: 'application/ld+json' }));
  workspace.add(2);
  expect((await workspace.build()).outcome).toBe('published');
  expect(workspace.json('dcat.jsonld')).toEqual(before);
  workspace.configure(`${SETTINGS}bulk: false\n`);
  expect((await workspace.build()).outcome).toBe('published');
  expect(() => workspace.json('dcat.jsonld')).toThrow();
});
