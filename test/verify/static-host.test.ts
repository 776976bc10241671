/** A host that answers no queries is checked for the files that it serves. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageKey, propertyKey, scopeFolder } from '../../src/contract/object-keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { reportVerify } from '../../src/report/verify.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { idOf } from '../compile/workspace.ts';
import { type Catalogue, createCatalogue, photo } from '../publish/catalogue.ts';
import { shown } from '../publish/tampering.ts';
import { serveFiles } from '../support/served-files.ts';

/** Builds for a host, and serves the files as such a host does: own headers, no CORS, 404 pages of its own. */
async function deploy(host: string, more = ''): Promise<{ catalogue: Catalogue; url: string }> {
  const catalogue = createCatalogue(60, `host: ${host}\nbase_url: https://owner.example/stays\n`);
  const url = await serveFiles(catalogue.public, '/stays');
  catalogue.write('catalogue.yaml', `host: ${host}\nbase_url: ${url}\n${more}`);
  catalogue.write('a.jpg', await photo(10));
  catalogue.add(1, { city: "L'Aquila & Ö", photo: [{ file: 'a.jpg' }] });
  catalogue.add(2, { city: 'Rock City', country: 'FR' });
  const { outcome, diagnostics } = await catalogue.build();
  expect(outcome, JSON.stringify(diagnostics)).not.toBe('refused');
  return { catalogue, url };
}

it.each(['github-pages', 'gitlab-pages'])(
  '%s has no differences, with or without the build',
  async (host) => {
    const { catalogue, url } = await deploy(host);
    const { release } = await openDist(catalogue.out);
    for (const options of [{}, { all: true }, { sample: 3, expected: release, isStatic: true }]) {
      const result = await verifyDeployment(url, options);
      expect(result).toMatchObject({ differences: [], isStatic: true, hasSeenLists: true });
      expect(result.looked?.images).toEqual({ at: 2, of: 2 });
      expect(result.looked?.properties.at).toBe(options.all ? 60 : (options.sample ?? 20));
      if (options.all) expect(result.looked?.pages.at).toBe(result.looked?.pages.of);
      expect(result.requests).toBeLessThan(result.looked!.pages.of + 200);
    }
  },
);

it('does not call a release verified whose lists this host cannot serve', async () => {
  const { url } = await deploy('github-pages', 'layout: packed\n');
  const result = await verifyDeployment(url);
  expect(result).toMatchObject({ differences: [], isStatic: true, hasSeenLists: false });
  const lines: string[] = [];
  const err = (text: string) => void lines.push(text);
  reportVerify(result, 'pretty', { out: err, err, color: false });
  expect(lines.join('')).toMatch(
    /^Verified in part: .*\n[\s\S]*the release has no pages\. Set layout: pages/,
  );
});

it('says that the host only serves files, and asks for no key', async () => {
  const { url } = await deploy('github-pages');
  const lines: string[] = [];
  const err = (text: string) => void lines.push(text);
  reportVerify(await verifyDeployment(url), 'pretty', { out: err, err, color: false });
  expect(lines.join('')).toMatch(/^Verified release .*: \d+ requests, no differences/);
  expect(lines.join('')).toContain('This host only serves files');
  expect(lines.join('')).not.toContain('key');
});

it.each<[string, string, (catalogue: Catalogue) => void]>([
  [
    'a property of another build',
    `/${propertyKey(idOf(3))}: body`,
    ({ public: root }) => writeFileSync(join(root, propertyKey(idOf(3))), '{}'),
  ],
  [
    'a missing page',
    `/${pageKey(scopeFolder('FR', ''), 25, 1)}: status`,
    ({ public: root }) => rmSync(join(root, pageKey(scopeFolder('FR', ''), 25, 1))),
  ],
  [
    'a page with another total',
    `/${pageKey(scopeFolder('', ''), 25, 3)}: body`,
    ({ public: root }) => writeFileSync(join(root, pageKey(scopeFolder('', ''), 25, 3)), '{"data":[]}'),
  ],
  [
    'a document that is cut off',
    '/properties.csv: body',
    ({ public: root }) => writeFileSync(join(root, 'properties.csv'), 'id'),
  ],
])('finds %s', async (_name, expected, damage) => {
  const { catalogue, url } = await deploy('github-pages');
  damage(catalogue);
  expect(shown(await verifyDeployment(url, { all: true }))).toEqual([`GET ${url}${expected}`]);
});

it('does not believe a page that the root does not name, nor a host that lost its explorer', async () => {
  const { catalogue, url } = await deploy('nginx');
  writeFileSync(
    join(catalogue.public, 'index.html'),
    '<div data-settings="{&quot;isStatic&quot;:true}"></div>',
  );
  const result = await verifyDeployment(url, { sample: 1 });
  expect(result.isStatic).toBe(false);
  expect(shown(result)).toContain(`GET ${url}/api/v1/public/properties: status`);
  rmSync(join(catalogue.public, 'index.html'));
  expect((await verifyDeployment(url, { sample: 1 })).isStatic).toBe(false);
});
