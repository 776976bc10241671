/** Pages for readers without JavaScript, for crawlers and for link previews. */
import type { DetailValues } from '../../contract/detail-values.ts';
import { countryName, identifierToWords, phoneText } from '../../contract/display-text.ts';
import { PLAIN_LIST_KEY } from '../../contract/document-keys.ts';
import type { ExplorerSettings } from '../../contract/explorer.ts';
import { localized } from '../../contract/localized.ts';
import { pictureUrl } from '../../contract/picture-url.ts';
import type { Page, Property } from '../../contract/property.ts';
import { countText } from '../../text/amounts.ts';
import { html, type Markup } from '../../text/markup.ts';
import { cutText } from '../../text/shorten.ts';

export type PlainView = {
  readonly title: string;
  readonly description: string;
  readonly picture?: string | undefined;
  /** URL relative to the page, with only the parameters that select its content. */
  readonly canonical?: string | undefined;
  readonly main: Markup;
};

export function headMarkup({ title, description, picture, canonical }: Omit<PlainView, 'main'>): Markup {
  const lines = [
    html`<title>${title}</title>\n<meta property="og:title" content="${title}">\n`,
    ...(description
      ? [
          html`<meta name="description" content="${description}">\n`,
          html`<meta property="og:description" content="${description}">\n`,
        ]
      : []),
    ...(picture
      ? [
          html`<meta property="og:image" content="${picture}">\n`,
          html`<meta name="twitter:card" content="summary_large_image">\n`,
        ]
      : []),
    ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`] : []),
  ];
  return html`${lines}`;
}

export function pageWithView(page: string, view: PlainView, { about }: ExplorerSettings): string {
  const head = headMarkup({ ...view, title: `${view.title} · ${about.title}` }).markup;
  return page
    .replace(/<title>[\s\S]*?(?=<link rel="icon")/, () => head)
    .replace(/<main[\s\S]*<\/main>/, () => view.main.markup);
}

export function explorerSettingsIn(page: string): ExplorerSettings {
  const [, text = ''] = /data-settings="([^"]*)"/.exec(page) ?? [];
  const plain = text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<');
  return JSON.parse(plain.replaceAll('&amp;', '&')) as ExplorerSettings;
}

export type PlaceFilter = { readonly country?: string; readonly city?: string };

/** If `isWhole`, links to the previous and next page of the list; otherwise, only to `index.json` for the rest. */
export function plainListView(
  { data, meta: { pagination } }: Page,
  { country = '', city = '' }: PlaceFilter,
  settings: ExplorerSettings,
  isWhole: boolean,
  nameOf: (code: string) => string = countryName,
): PlainView {
  const { current_page: page, per_page: size, total_entries: total } = pagination;
  const where = [city, country && nameOf(country)].filter(Boolean).join(', ');
  const title = countText(total, 'property') + (where && ` in ${where}`);
  const pages = Math.ceil(total / size);
  const at = (number: number) => {
    const values = new URLSearchParams({ ...(country && { country }), ...(city && { city }) });
    values.set('page', String(number));
    values.set('size', String(size));
    return `./?${values}`;
  };
  const cards = data.map((summary) => {
    const picture = summary.thumbnail && ownUrl(summary.thumbnail, settings);
    return html`<li class="card panel">
<div class="card-picture">${picture ? html`<img class="picture" src="${picture}" alt="" loading="lazy">` : html`<span class="picture"></span>`}</div>
<div class="card-text">
<h2><a class="whole-link" href="./?property=${summary.id}">${summary.title}</a></h2>
<p class="quiet">${[summary.city, nameOf(summary.country)].filter(Boolean).join(', ')}</p>
</div>
</li>
`;
  });
  const others = isWhole
    ? html`<p class="flow">
${page > 1 ? html`<a href="${at(page - 1)}">Previous page</a>` : undefined}
<span>Page ${String(page)} of ${String(Math.max(pages, 1))}</span>
${page < pages ? html`<a href="${at(page + 1)}">Next page</a>` : undefined}
</p>`
    : html`<p>These are the first ${String(data.length)}. <a href="index.json">All ${countText(total, 'property')} as files</a></p>`;
  return {
    title,
    description: cutText(data.map((summary) => summary.title).join(', '), DESCRIPTION_LENGTH),
    picture: data.find(({ thumbnail }) => thumbnail)?.thumbnail ?? undefined,
    canonical: at(page),
    main: html`<main class="stack loose">
<h1>${title}</h1>
<ul class="cards">
${cards}</ul>
${pages > 1 ? others : undefined}
</main>`,
  };
}

/** In UTF-16 code units; link previews show no more. */
const DESCRIPTION_LENGTH = 200;

/** `language`: language of the texts; empty for the default. */
export function plainPropertyView(
  property: Property & DetailValues,
  id: string,
  language: string,
  settings: ExplorerSettings,
): PlainView {
  const { city, state, zip_code, country, email, phone, facilities, photo, hotel_policy } = property;
  const texts = localized(property, [language], settings.language);
  const title = texts.title.text;
  const lang = texts.title.language ?? 'en';
  const [summary, description] = [texts.attributes.summary?.text, texts.attributes.description?.text];
  const place = [zip_code, city].filter(Boolean).join(' ');
  const parts = [property.address, place, state === city ? '' : state, countryName(country)];
  const address = parts.filter(Boolean).join(', ');
  const pictures = photo.flatMap(({ url, id: name }) => {
    const source = ownUrl(url, settings);
    const alt = texts.photo[name]?.text ?? '';
    return source
      ? [
          html`<li class="plain-photo"><img class="picture" src="${source}" alt="${alt}" loading="lazy"></li>\n`,
        ]
      : [];
  });
  const paragraphs = [summary, ...(description ?? '').split(/\n{2,}/)].filter((text) => text);
  const policies = hotel_policy.map(
    ({ policy_type }, index) =>
      html`<div><dt>${identifierToWords(policy_type)}</dt><dd>${texts.hotel_policy[index]?.text}</dd></div>\n`,
  );
  const contacts = [
    ...(email ? [html`<li><a href="mailto:${email}">${email}</a></li>\n`] : []),
    ...(phone ? [html`<li><a href="tel:${phone}">${phoneText(phone)}</a></li>\n`] : []),
  ];
  return {
    title,
    description: cutText((summary || description || address).replace(/\s+/g, ' '), DESCRIPTION_LENGTH),
    picture: photo[0]?.url,
    canonical: `./?property=${id}`,
    main: html`<main class="stack loose">
<p><a class="back" href="${settings.apiKeys ? './' : PLAIN_LIST_KEY}">All properties</a></p>
<h1 lang="${lang}">${title}</h1>
<p class="address">${address}</p>
<ul class="cards">${pictures}</ul>
<div lang="${lang}">${paragraphs.map((text) => html`<p>${text}</p>\n`)}</div>
${section('Contact', contacts, html`<ul>${contacts}</ul>`)}
${section('Facilities', facilities, html`<ul class="facilities">${facilities.map((word) => html`<li>${identifierToWords(word)}</li>\n`)}</ul>`)}
${section('Policies', policies, html`<dl class="policies stack">${policies}</dl>`)}
</main>`,
  };
}

function section(title: string, entries: readonly unknown[], content: Markup): Markup | undefined {
  if (entries.length === 0) return undefined;
  return html`<section class="section stack">\n<h2>${title}</h2>\n${content}\n</section>`;
}

function ownUrl(url: string, settings: ExplorerSettings): string | undefined {
  const pageFolderUrl = `${settings.baseUrl}/`;
  const found = pictureUrl(url, { settings, pageFolderUrl });
  return found?.startsWith(pageFolderUrl) ? found.slice(pageFolderUrl.length) : found;
}
