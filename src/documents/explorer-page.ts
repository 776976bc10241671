import { createHash } from 'node:crypto';
import type { Configuration } from '../contract/configuration.ts';
import { COUNTRIES } from '../contract/country-and-currency-tables.ts';
import { PLAIN_LIST_KEY } from '../contract/document-keys.ts';
import {
  type ExplorerSettings,
  explorerContentSecurityPolicy,
  explorerSettings,
} from '../contract/explorer.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import type { Summary } from '../contract/property.ts';
import { headMarkup, type PlainView, plainListView } from '../targets/runtime/no-script-page.ts';
import { html, type Markup } from '../text/markup.ts';
import { schemaOrgDataset } from './dcat.ts';

type Assets = readonly string[];

export function explorerPage(configuration: Configuration, assets: Assets): string {
  const settings = explorerSettings(configuration);
  const { title, description = '', logo } = settings.about;
  const dataset = JSON.stringify(schemaOrgDataset(configuration)).replaceAll('<', '\\u003c');
  const list = settings.apiKeys
    ? undefined
    : html` <a href="${PLAIN_LIST_KEY}">All properties without it</a>`;
  const main = html`<main class="stack loose">
<h1>${title}</h1>
${description && html`<p>${description}</p>`}
<p>Search and maps need JavaScript.${list}</p>
</main>`;
  const view = { title, description, picture: logo && `${settings.baseUrl}/${logo}`, main };
  return pageText(settings, assets, view, '', {
    scripts: html`<script type="module" src="${assetOf(assets, '.js')}"></script>
<script type="application/ld+json">${{ markup: dataset }}</script>
`,
    around: (plain) => html`<div id="explorer" data-settings="${JSON.stringify(settings)}"></div>
<noscript>
${plain}
</noscript>`,
  });
}

/** `properties.html`: the first page of the list, in the largest page size. @param sequence all properties */
export function plainListPage(
  configuration: Configuration,
  assets: Assets,
  sequence: readonly { readonly summary: string }[],
): string {
  const settings = explorerSettings(configuration);
  const size = settings.pageSizes === 'all' ? MAX_PAGE_SIZE : Math.max(...settings.pageSizes);
  const page = {
    data: sequence.slice(0, size).map(({ summary }) => JSON.parse(summary) as Summary),
    meta: { pagination: { current_page: 1, per_page: size, total_entries: sequence.length } },
  };
  // Only the packed layout links to further pages, since only its router can make those pages.
  const isWhole = configuration.layout === 'packed';
  const view = plainListView(page, {}, settings, isWhole, (code) => COUNTRIES[code] ?? code);
  const title = `${view.title} · ${settings.about.title}`;
  return pageText(settings, assets, { ...view, title, canonical: undefined }, '');
}

/**
 * Page for people who open a path that has no file.
 * @param base the path of the base URL without a trailing slash; links start with it, so that they work from any path
 */
export function notFoundPage(configuration: Configuration, assets: Assets, base: string): string {
  const title = 'This page does not exist';
  const main = html`<main class="stack loose">
<h1>${title}</h1>
<p>The address may be mistyped, or the page may have been removed.</p>
<p><a href="${base}/">Go to the catalogue</a></p>
</main>`;
  const settings = explorerSettings(configuration);
  return pageText(settings, assets, { title, description: '', main }, `${base}/`);
}

type Program = { readonly scripts: Markup; readonly around: (plain: Markup) => Markup };

/** @param base the start of every link, with a trailing slash; empty for a page at the base URL */
function pageText(
  settings: ExplorerSettings,
  assets: Assets,
  view: PlainView,
  base: string,
  program?: Program,
): string {
  const { about, colours } = settings;
  const style = colours && { markup: styleOf(colours) };
  const picture = about.logo ? base + about.logo : icon(colours?.light.accent ?? '#0f766e');
  const plain = html`<header class="page-header">
<a class="brand beside" href="${base || './'}"><img class="brand-logo" src="${picture}" alt="">${about.title}</a>
</header>
${view.main}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(settings, style?.markup)}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${headMarkup(view)}<link rel="icon" href="${picture}">
<link rel="stylesheet" href="${base + assetOf(assets, '.css')}">
${style && html`<style>${style}</style>\n`}${program?.scripts}</head>
<body>
${program ? program.around(plain) : plain}
</body>
</html>
`.markup;
}

function assetOf(assets: Assets, extension: string): string {
  return assets.find((key) => /\/app-[^/]+$/.test(key) && key.endsWith(extension)) ?? '';
}

function styleOf(colours: NonNullable<ExplorerSettings['colours']>): string {
  const rules = Object.entries(colours).map(
    ([scheme, { accent, onAccent, soft }]) =>
      `--own-accent-${scheme}:${accent};--own-on-accent-${scheme}:${onAccent};--own-soft-${scheme}:${soft}`,
  );
  return `:root{${rules.join(';')}}`;
}

function policyOf(settings: ExplorerSettings, style: string | undefined): string {
  const policy = explorerContentSecurityPolicy(settings);
  if (style === undefined) return policy;
  const digest = createHash('sha256').update(style).digest('base64');
  return policy.replace("style-src 'self'", `$& 'sha256-${digest}'`);
}

function icon(colour: string): string {
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='${encodeURIComponent(colour)}'/><path d='M7 16.5 16 8l9 8.5V25h-6v-5h-6v5H7z' fill='white'/></svg>`;
}
