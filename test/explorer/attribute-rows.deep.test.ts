/** The page of a property with declared fields and translations. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/compile/build.ts';
import { startServer } from '../../src/serve/server.ts';
import { startChromium } from '../docs/chromium.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { findNothing } from './axe.ts';
import { DESKTOP, heading, isPassedOver, PHONE, PICTURES } from './use-explorer.ts';

const CATALOGUE = `title: Stays
languages: [en, fr, ar]
page_sizes: [25]
targets: []
docs: false
fields:
  description: {}
  summary: {}
  property_type: {}
  website: {}
  booking_url: {}
  max_guests: {}
  bedrooms: {}
  beds: {}
  bathrooms: {}
  floor_area: {}
  stars: {}
  check_in_from: {}
  check_in_until: {}
  check_out_until: {}
  minimum_nights: {}
  price_from: {}
  registration_number: {}
  spoken_languages: {}
  reference: {}
  lake_distance: { type: integer, label: Distance to the lake, unit: m }
  sauna: { type: choice, choices: { wood: Wood-fired, electric: Electric } }
  fenced: { type: boolean, label: Fenced garden }
  renovated: { type: date, label: Renovated }
  links: { type: link, list: true, label: More to read }
`;

const PARAGRAPHS = Array.from(
  { length: 5 },
  (_, index) =>
    `  Paragraph ${index + 1}: the house is above the bay, with a garden down to the water, a stove in the kitchen, and four beds upstairs under the roof.`,
).join('\n\n');

const FULL = `id: 0b7b4b9c-1f43-4d7a-9a56-0a6d2c1c7e01
title: Rose Cottage
title@fr: Le cottage des roses
title@ar: كوخ الورود
description: |-
${PARAGRAPHS}
description@fr: Une maison calme au bord de la mer.
summary: A quiet house by the sea, for six.
summary@ar: منزل هادئ بجانب البحر
email: stay@cottage.example
country: IE
city: Galway
address: Quay Road 4
latitude: 53.27
longitude: -9.06
currency: EUR
property_type: cottage
website: "https://rosecottage.example/"
booking_url: "https://rosecottage.example/book"
max_guests: 6
bedrooms: 3
beds: 4
bathrooms: 1.5
floor_area: 85
stars: 4
check_in_from: "15:00"
check_in_until: "24:00"
check_out_until: "11:00"
minimum_nights: 1
price_from: 95.50
registration_number: [IE-0123456, IE-7]
spoken_languages: [en, fr]
reference: RC-12
lake_distance: 120
sauna: wood
fenced: false
renovated: 2024-03-01
links:
  - "https://walks.example/galway"
  - "http://sea.example/"
facilities: [wifi, parking]
hotel_policy:
  - { policy_type: check_in, detail: The key is in the box., detail@fr: La clé est dans la boîte. }
  - { policy_type: pets, detail: Dogs are welcome. }
payment_method:
  - { is_enabled: true, method_type: property }
`;

const BARE = `id: 0b7b4b9c-1f43-4d7a-9a56-0a6d2c1c7e02
title: Bare House
country: IE
city: Galway
latitude: 53.28
longitude: -9.07
currency: EUR
bedrooms: 0
payment_method: []
`;

const [ROSE, HOUSE] = ['01', '02'].map((end) => `0b7b4b9c-1f43-4d7a-9a56-0a6d2c1c7e${end}`);

describe.skipIf(isPassedOver)('the page of a property with declared fields', () => {
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let server: { url: string; close: () => Promise<unknown> };

  beforeAll(async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'content/properties'), { recursive: true });
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(join(root, 'content/catalogue.yaml'), CATALOGUE);
    writeFileSync(join(root, 'content/properties/rose.yaml'), FULL);
    writeFileSync(join(root, 'content/properties/bare.yaml'), BARE);
    const { outcome, report } = (await build({
      content: join(root, 'content'),
      out: join(root, 'dist'),
      baseUrl: 'https://stays.example',
    })) as { outcome: string; report?: unknown };
    expect(outcome, JSON.stringify(report)).toBe('published');
    server = await startServer({ root: join(root, 'dist/public'), port: 0, apiKeys: [] });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const visit = async (query: string, size = DESKTOP) => {
    const page = await browser.context.newPage();
    await page.setViewportSize(size);
    await page.goto(`${server.url}/${query}`);
    return page;
  };

  it('shows facts, the description, actions, times, rows and registration numbers, each in its place', async () => {
    const page = await visit(`?property=${ROSE}&lang=en`);
    await heading(page, 'Rose Cottage');
    expect(await page.locator('.facts li').allTextContents()).toEqual([
      'Cottage',
      '6 guests',
      '3 bedrooms',
      '4 beds',
      '1.5 bathrooms',
      '85 m²',
    ]);
    const actions = page.getByRole('region', { name: 'Booking' });
    expect(await actions.locator('p').first().textContent()).toBe('From €95.50 per night');
    expect(
      await actions.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual(['https://rosecottage.example/book', 'https://rosecottage.example/']);
    const rows = async (title: string) =>
      page
        .locator('.section', { has: page.getByRole('heading', { name: title, exact: true }) })
        .locator('dl > div')
        .evaluateAll((all) => all.map((one) => [...one.children].map(({ textContent }) => textContent)));
    expect(await rows('Details')).toEqual([
      ['Stars', '4'],
      ['Minimum stay', '1 night'],
      ['Spoken languages', 'English, French'],
      ['Reference', 'RC-12'],
      ['Distance to the lake', '120 m'],
      ['Sauna', 'Wood-fired'],
      ['Fenced garden', 'No'],
      ['Renovated', 'March 1, 2024'],
      ['More to read', 'walks.example/galway', 'sea.example'],
    ]);
    expect(await rows('Policies')).toEqual([
      ['Check-in', 'From 15:00 to midnight', 'The key is in the box.'],
      ['Check-out', 'Until 11:00'],
      ['Pets', 'Dogs are welcome.'],
    ]);
    expect(await page.locator('.registration').textContent()).toBe('Registration number: IE-0123456, IE-7');
    await page.close();
  });

  it('cuts a long description after six lines, and shows the rest with the keyboard', async () => {
    const page = await visit(`?property=${ROSE}&lang=en`, PHONE);
    // What a guest wants most is in reach of the thumb.
    expect(
      await page.locator('.contact-bar a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual(['https://rosecottage.example/book', 'mailto:stay@cottage.example']);
    const more = page.getByRole('button', { name: 'Show more' });
    await more.focus();
    const height = async () => (await page.locator('.description').boundingBox())!.height;
    const before = await height();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show less', expanded: true }).waitFor();
    expect(await height()).toBeGreaterThan(before * 1.5);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.close();
  });

  it('shows the language of the address, of the reader, and what there is else, each text with its own', async () => {
    const page = await visit(`?property=${ROSE}&lang=ar`);
    await heading(page, 'كوخ الورود');
    expect(
      await page.locator('h1').evaluate((one) => [one.getAttribute('lang'), getComputedStyle(one).direction]),
    ).toEqual(['ar', 'rtl']);
    expect(await page.locator('.description').getAttribute('lang')).toBe('en');
    await page.getByText('Some texts are only in English.').waitFor();
    await page.getByLabel('Language').selectOption('fr');
    await heading(page, 'Le cottage des roses');
    expect(new URL(page.url()).searchParams.get('lang')).toBe('fr');
    expect(await page.title()).toContain('Le cottage des roses');
    await page.getByText('La clé est dans la boîte.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.goBack();
    await heading(page, 'كوخ الورود');
    await page.close();
    const other = await visit(`?property=${HOUSE}&lang=fr`);
    await heading(other, 'Bare House');
    expect(await other.getByLabel('Language').count()).toBe(0);
    expect(await other.locator('.facts').textContent()).toBe('Studio');
    expect(await other.locator('.property-actions, .registration, .description').count()).toBe(0);
    await other.close();
  });

  it('never shows a link of another scheme', async () => {
    const page = await visit('');
    const { data } = (await (await fetch(`${server.url}/api/v1/public/properties`)).json()) as {
      data: { id: string }[];
    };
    expect(data).toHaveLength(2);
    const detail = (await (await fetch(`${server.url}/api/v1/public/properties/${ROSE}`)).json()) as {
      attributes: object;
    };
    const attributes = {
      ...detail.attributes,
      ...{
        website: 'javascript:alert(1)',
        booking_url: 'https://u:p@rosecottage.example/',
        price_from: null,
      },
      links: ['data:text/html,x', 'https://walks.example/'],
    };
    await page.route(`**/${ROSE}`, (route) => route.fulfill({ json: { ...detail, attributes } }));
    await page.goto(`${server.url}/?property=${ROSE}&lang=en`);
    await heading(page, 'Rose Cottage');
    expect(await page.getByRole('region', { name: 'Booking' }).count()).toBe(0);
    expect(await page.locator('.contact-bar').getByText('Book').count()).toBe(0);
    expect(
      await page.locator('.policies a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
    ).toEqual(['https://walks.example/']);
    await page.close();
  });

  it.each([
    ['rose', `?property=${ROSE}&lang=en`],
    ['rose-arabic', `?property=${ROSE}&lang=ar`],
    ['bare', `?property=${HOUSE}`],
  ])('%s: axe finds nothing, light and dark, on desktop and phone', async (name, query) => {
    const page = await visit(query);
    await page.locator('.map .pin').first().waitFor();
    await findNothing(page, `attributes-${name}`);
    for (const size of [PHONE, { width: 1440, height: 900 }]) {
      await page.setViewportSize(size);
      await page.screenshot({ path: join(PICTURES, `attributes-${name}-${size.width}.png`), fullPage: true });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await page.close();
  });
});
