/** `index.html`: the page that loads the explorer. */

import type { Configuration } from '../contract/configuration.ts';
import { explorerPolicy, explorerSettings } from '../contract/explorer.ts';
import { escapeMarkup } from '../markup.ts';
import { schemaOrgDataset } from './dcat.ts';

/**
 * Returns the text of `index.html`.
 *
 * @param assets keys of the explorer's files, among them one script and one style sheet named `app-`.
 */
export function explorerPage(configuration: Configuration, assets: Iterable<string>): string {
  const keys = [...assets];
  const asset = (extension: string) =>
    keys.find((key) => /\/app-[^/]+$/.test(key) && key.endsWith(extension));
  const settings = explorerSettings(configuration);
  const { description } = settings.about;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeMarkup(explorerPolicy(settings))}">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(settings.about.title)}</title>${description ? `\n<meta name="description" content="${escapeMarkup(description)}">` : ''}
<link rel="icon" href="${escapeMarkup(settings.about.logo ?? icon(settings.colours?.light.accent ?? '#0f766e'))}">
<link rel="stylesheet" href="${asset('.css')}">
<script type="module" src="${asset('.js')}"></script>
<script type="application/ld+json">${JSON.stringify(schemaOrgDataset(configuration)).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<div id="explorer" data-settings="${escapeMarkup(JSON.stringify(settings))}"></div>
<noscript><p>The explorer needs JavaScript. <a href="index.json">index.json</a> links everything that the catalogue offers.</p></noscript>
</body>
</html>
`;
}

/** Returns a `data:` URL of an SVG icon, a white house on a background of this colour. */
function icon(colour: string): string {
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='${encodeURIComponent(colour)}'/><path d='M7 16.5 16 8l9 8.5V25h-6v-5h-6v5H7z' fill='white'/></svg>`;
}
