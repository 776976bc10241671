import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerPage } from '../../src/documents/explorer-page.ts';
import { preparedFiles } from '../../src/documents/prepared-files.ts';

const PREPARED = fileURLToPath(new URL('../../lib/explorer/', import.meta.url));
const pageOf = (configuration: object) =>
  explorerPage(configurationSchema.parse(configuration), [
    'explorer/app-1.js',
    'explorer/map-2.js',
    'explorer/app-3.css',
  ]);
const policyOf = (page: string) => /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];

describe('index.html', () => {
  it('has one script and one style sheet, and nothing inline', () => {
    const page = pageOf({});
    const scripts = page.match(/<script[^>]*>/g);
    expect(scripts).toEqual([
      '<script type="module" src="explorer/app-1.js">',
      '<script type="application/ld+json">',
    ]);
    expect(page.match(/<link rel="stylesheet"[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="explorer/app-3.css">',
    ]);
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  it('allows only its own resources', () => {
    expect(policyOf(pageOf({}))).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'",
    );
  });

  it('allows pictures of the configured hosts', () => {
    const policy = policyOf(
      pageOf({
        media_base_url: 'https://media.example/x',
        explorer: {
          tiles: { url: 'https://{s}.tiles.example/{z}/{x}/{y}.png', attribution: 'Tiles' },
          image_hosts: ['https://images.example:8443'],
        },
      }),
    );
    expect(policy).toContain(
      "img-src 'self' data: https://media.example https://images.example:8443 https://*.tiles.example;",
    );
    expect(policy).toContain("script-src 'self';");
  });

  it('describes the catalogue as a data set for search engines', () => {
    const page = pageOf({
      title: 'Stays',
      base_url: 'https://stays.example/at/',
      languages: ['en', 'fr'],
      license: { name: 'CC0', url: 'https://license.example/' },
    });
    const [, text = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(text)).toMatchObject({
      '@type': 'Dataset',
      name: 'Stays',
      description: 'Stays',
      url: 'https://stays.example/at/',
      inLanguage: ['en', 'fr'],
      license: 'https://license.example/',
      distribution: [
        { contentUrl: 'https://stays.example/at/index.json' },
        { contentUrl: 'https://stays.example/at/datapackage.json' },
      ],
    });
  });

  it('cannot be broken out of', () => {
    const text = '"><script>alert(1)</script>&amp;';
    const page = pageOf({
      title: text,
      description: '</script><script>alert(2)',
      explorer: { sources: [{ text }] },
    });
    expect(page).not.toContain('<script>alert');
    const attribute = /data-settings="([^"]*)"/.exec(page)?.[1] ?? '';
    const settings = attribute
      .replaceAll('&quot;', '"')
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(settings).sources).toEqual([{ text }]);
  });
});

describe('the assets of the explorer', () => {
  const names = readdirSync(PREPARED).filter((name) => name !== 'files.json');
  const compressed = (extension: string) =>
    names
      .filter((name) => name.endsWith(extension))
      .reduce((sum, name) => sum + gzipSync(readFileSync(join(PREPARED, name))).length, 0);

  it('have less than 150 KB of JavaScript, compressed', () => {
    expect(compressed('.js')).toBeGreaterThan(10_000);
    expect(compressed('.js')).toBeLessThan(150_000);
  });

  it('are named by their content', () => {
    expect([...preparedFiles('explorer').keys()].sort()).toEqual(
      names.map((name) => `explorer/${name}`).sort(),
    );
    for (const name of names) expect(name).toMatch(/^[a-z]+-[\w-]{8}\.(?:js|css|json|txt)$/);
  });

  it('include the licences of their parts', () => {
    const licenses = names.find((name) => name.startsWith('licenses-'))!;
    const text = readFileSync(join(PREPARED, licenses), 'utf8');
    for (const owner of ['Jason Miller', 'Volodymyr Agafonkin', 'Michael Bostock'])
      expect(text).toContain(owner);
  });
});
