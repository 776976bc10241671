import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repository } from '../../src/package/version.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

export const SITE_TITLE = 'property-catalogue';

/** GitHub Pages serves the site below the repository's name. */
export const BASE = `/${repository.split('/').at(-1)}/`;

export const CODES_FOLDER = 'codes';

/** Pages by reader, without `.md`. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['quick-start', 'example', 'commands', 'glossary'],
  Editors: [
    'authoring',
    'fields',
    'editing',
    'editing-commands',
    'dev',
    'importing',
    'mapping',
    'reviewing',
    'diagnostics',
    'errors',
  ],
  Owners: ['configuration', 'explorer', 'large-catalogues'],
  Operators: ['publishing', 'releases', 'automation', 'upgrading', 'reliability', 'stores', 'targets'],
  Hosts: [
    ...['hosting/README', 'hosting/cloudflare-workers', 'hosting/cloudflare-pages', 'hosting/r2-worker'],
    ...['hosting/s3-cloudfront', 'hosting/gcs', 'hosting/azure', 'hosting/netlify', 'hosting/deno-vercel'],
    ...['hosting/github-pages', 'hosting/gitlab-pages', 'hosting/nginx', 'hosting/apache', 'hosting/node'],
  ],
  Consumers: ['api', 'client', 'search', 'library'],
  Contributors: ['architecture', 'decisions', 'release-format', 'performance', 'measurements', 'conformance'],
};

export type SitePage = { readonly name: string; readonly title: string };

/** In site order. @throws Error for a page of `docs/` without a reader */
export function pagesByReader(): { readonly reader: string; readonly pages: readonly SitePage[] }[] {
  const named = Object.values(READERS).flat();
  const missing = docPages().filter((name) => !named.includes(name));
  if (missing.length > 0)
    throw new Error(`docs/${missing[0]}.md has no reader: add it to scripts/site/pages.ts.`);
  return Object.entries(READERS).map(([reader, names]) => ({
    reader,
    pages: names.map((name) => ({ name, title: name === 'example' ? 'The example' : titleOf(name) })),
  }));
}

export function docPages(): string[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length));
}

/** Links to other files of the repository become URLs. */
export function pageText(name: string): string {
  const text = readFileSync(`${DOCS}${name}.md`, 'utf8');
  const inRepository = (folder: string) => `](${repository}/blob/main/${folder}$1)`;
  return text
    .replace(
      name.includes('/') ? /\]\(\s*\.\.\/\.\.\/([^)\s]+)\)/g : /\]\(\s*\.\.\/([^)\s]+)\)/g,
      inRepository(''),
    )
    .replace(/\]\(((?:examples|programs)\/[^)\s]+)\)/g, inRepository('docs/'));
}

function titleOf(name: string): string {
  return /^# (.+)$/m.exec(pageText(name))?.[1] ?? name;
}
