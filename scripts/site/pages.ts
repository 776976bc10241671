/** Which page of `docs/` is for which reader. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { repository } from '../../src/package/version.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));

export const SITE_TITLE = 'property-catalogue';

/** Path of the site: GitHub Pages serves a repository's site below its name. */
export const BASE = `/${repository.split('/').at(-1)}/`;

/** Folder of the pages of diagnostic codes. */
export const CODES_FOLDER = 'codes';

/** Names of pages, without `.md`. */
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
  Contributors: ['architecture', 'decisions', 'packed-format', 'performance', 'measurements', 'conformance'],
};

/** A page with its heading. */
export type SitePage = { readonly name: string; readonly title: string };

/**
 * The pages of each reader, in the order of the site.
 *
 * @throws Error that names a page of `docs/` without a reader.
 */
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

/** Names of the pages of `docs/`, such as `hosting/nginx`. */
export function docPages(): string[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length));
}

/** The text of a page, with links to files of the repository as addresses. */
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
