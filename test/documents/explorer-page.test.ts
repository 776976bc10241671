import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerPage, notFoundPage, plainListPage } from '../../src/documents/explorer-page.ts';
import { packagedFileDigests } from '../../src/documents/packaged-files.ts';

const PREPARED = fileURLToPath(new URL('../../lib/explorer/', import.meta.url));
const ASSETS = ['explorer/app-1.js', 'explorer/map-2.js', 'explorer/app-3.css'];
const pageOf = (configuration: object) => explorerPage(configurationSchema.parse(configuration), ASSETS);
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

  it('has the accent as its only inline style, which the policy names by its digest', () => {
    const page = pageOf({ accent: '#ffdd00' });
    const [, style = ''] = /<style>(.*?)<\/style>/.exec(page) ?? [];
    expect(style).toContain('--own-accent-light:#');
    const digest = createHash('sha256').update(style).digest('base64');
    expect(policyOf(page)).toContain(`style-src 'self' 'sha256-${digest}';`);
    expect(page.match(/<style|\sstyle=/g)).toHaveLength(1);
  });

  it('names the catalogue in previews of links, and leads to the plain list', () => {
    const page = pageOf({ title: 'Stays', description: 'By the sea.' });
    expect(page).toContain('<meta property="og:title" content="Stays">');
    expect(page).toContain('<meta property="og:description" content="By the sea.">');
    expect(page).not.toContain('rel="canonical"');
    expect(/<noscript>([\s\S]*)<\/noscript>/.exec(page)?.[1]).toContain('href="properties.html"');
    expect(pageOf({ api_keys: ['0'.repeat(64)] })).not.toContain('properties.html');
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

describe('properties.html', () => {
  const entryOf = (_: unknown, index: number) => ({
    summary: JSON.stringify({
      ...{ id: `0007292b-5c0b-5e34-b433-${String(index).padStart(12, '0')}`, title: `House & ${index}` },
      ...{
        city: 'Cork',
        country: 'IE',
        thumbnail: index ? `http://localhost:8080/media/${index}.webp` : null,
      },
    }),
  });
  const listOf = (configuration: object, length: number) =>
    plainListPage(configurationSchema.parse(configuration), ASSETS, Array.from({ length }, entryOf));

  it('lists properties with town, picture and link, and runs nothing', () => {
    const page = listOf({ title: 'Stays' }, 2);
    expect(page).toContain('<h1>2 properties</h1>');
    expect(page).toContain(
      '<a class="whole-link" href="./?property=0007292b-5c0b-5e34-b433-000000000001">House &amp; 1</a>',
    );
    expect(page).toContain('<p class="quiet">Cork, Ireland</p>');
    expect(page.match(/<img class="picture[^>]*>/g)).toEqual([
      '<img class="picture" src="media/1.webp" alt="" loading="lazy">',
    ]);
    expect(page).not.toMatch(/<script|page=2|as files/);
  });

  it('leads to all others: by page where a server makes pages, else as files', () => {
    const files = listOf({}, 1000);
    expect(files).toContain('<a href="index.json">All 1,000 properties as files</a>');
    expect(files.match(/<li /g)).toHaveLength(100);
    expect(listOf({ layout: 'packed' }, 1000)).toContain('href="./?page=2&amp;size=100">Next page');
    const small = listOf({ layout: 'packed', page_sizes: ['10', '25'] }, 1000);
    expect(small).toContain('href="./?page=2&amp;size=25">Next page');
    expect(small.match(/<li /g)).toHaveLength(25);
  });
});

describe('404.html', () => {
  it('has the colours, the logo and the style sheet of the catalogue, from any path', () => {
    const configuration = configurationSchema.parse({
      title: 'Stays',
      accent: '#ffdd00',
      logo: 'brand/logo.png',
    });
    const page = notFoundPage(configuration, ASSETS, '/at');
    expect(page).toContain('<link rel="stylesheet" href="/at/explorer/app-3.css">');
    expect(page).toContain('<a class="brand beside" href="/at/">');
    expect(page).toContain('--own-accent-dark:');
    expect(page.match(/(?:href|src)="(?!\/at\/|data:)[^"]*"/g)).toBeNull();
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
    expect([...packagedFileDigests('explorer').keys()].sort()).toEqual(
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
