/** Declared fields of each type and a translation, in the form: with the keyboard alone, on a phone. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { findNothing, RESULTS } from './axe.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';
import { TECHNICAL_WORDS } from './technical-words.ts';

const CATALOGUE = `title: Stays by the sea
languages: [en, fr, ar]
page_sizes: [25]
targets: []
docs: false
fields:
  description: { required: true }
  property_type: {}
  website: {}
  max_guests: {}
  bathrooms: {}
  floor_area: {}
  check_in_from: {}
  spoken_languages: {}
  registration_number: {}
  lake_distance: { type: integer, label: Distance to the lake, help: On foot., unit: m, minimum: 0, maximum: 5000 }
  sauna: { type: choice, label: Sauna, choices: { wood: Wood-fired, electric: Electric } }
  fenced: { type: boolean, label: Fenced garden }
  renovated: { type: date, label: Renovated }
  nearby: { type: text, label: Nearby, translate: true }
`;

const ROSE = `id: 0b7b4b9c-1f43-4d7a-9a56-0a6d2c1c7e01
title: Rose Cottage
description: A quiet house.
country: IE
city: Galway
address: Quay Road 4
latitude: 53.27
longitude: -9.06
currency: EUR
hotel_policy:
  - policy_type: pets
    detail: Dogs are welcome.
payment_method: []
`;
const PATH = 'properties/rose.yaml';

describe.skipIf(!findChromium() && process.env.CI !== 'true')('declared fields in the form', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([
      startEditedCatalogue({ 'catalogue.yaml': CATALOGUE, [PATH]: ROSE }),
      startChromium(),
    ]);
    page = await browser.context.newPage();
    page.on('console', (message) => {
      // The first visit has no cookie yet.
      if (message.text().includes('status of 401')) return;
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address(`?property=${encodeURIComponent(PATH)}`));
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  /** Presses Tab until the control with this label has the focus. */
  const tabTo = async (label: string) => {
    for (let pressed = 0; pressed < 150; pressed++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(
        `(document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent ?? '').trim()`,
      );
      if (name === label) return;
    }
    throw new Error(`Tab never reaches ${label}.`);
  };
  const typeInto = async (label: string, text: string) => {
    await tabTo(label);
    await page.keyboard.type(text);
  };
  const saved = () => page.locator('.edit-state').getByText('All changes are saved').waitFor();
  const save = async () => {
    await page.keyboard.press('Control+s');
    await saved();
  };

  it('has a control for each type, in declared order, with units and limits', async () => {
    await tabTo('Description');
    await page.keyboard.press('End');
    await page.keyboard.type(' By the sea.');
    await typeInto('Type of property (optional)', 'Cot');
    await typeInto('Website (optional)', 'https://rose.example/');
    await typeInto('Guests (optional)', '6');
    await typeInto('Bathrooms (optional)', '1.5');
    await typeInto('Floor area in m² (optional)', '85');
    await typeInto('Check-in from (optional)', '15:30');
    await typeInto('Add to Spoken languages', 'Fren');
    await page.keyboard.press('Enter');
    await typeInto('Add to Registration number', 'IE-0123');
    await page.keyboard.press('Enter');
    await typeInto('Distance to the lake in m (optional)', '9000');
    await page.getByText('On foot; from 0 to 5000.').waitFor();
    await page.locator('.findings .error').first().waitFor();
    for (let digit = 0; digit < 4; digit++) await page.keyboard.press('Backspace');
    await page.keyboard.type('120');
    await typeInto('Sauna (optional)', 'Wood');
    await typeInto('Fenced garden (optional)', 'No');
    await typeInto('Renovated (optional)', '03012024');
    await typeInto('Nearby (optional)', 'A lake');
    await save();
    const text = catalogue.read(PATH);
    for (const line of [
      'description: A quiet house. By the sea.',
      'property_type: cottage',
      'website: https://rose.example/',
      'max_guests: 6',
      'bathrooms: 1.5',
      'floor_area: 85',
      'check_in_from: "15:30"',
      'lake_distance: 120',
      'sauna: wood',
      'fenced: false',
      'renovated: 2024-03-01',
      'nearby: A lake',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/spoken_languages:\s+(?:- |\[)fr/);
    expect(text).toMatch(/registration_number:\s+(?:- |\[)IE-0123/);
    expect(complaints).toEqual([]);
  });

  it('shows the default texts beside those of a language, and how many it lacks', async () => {
    const choice = page.getByRole('group', { name: 'Language of the texts' });
    expect(await choice.locator('label').allTextContents()).toEqual([
      'English main language',
      'French 4 of 4 missing',
      'Arabic 4 of 4 missing',
    ]);
    await choice.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await typeInto('Title in French', 'Le cottage des roses');
    await typeInto('Policy 1: text in French', 'Les chiens sont les bienvenus.');
    await page.getByText('French 2 of 4 missing').waitFor();
    const original = page.locator('.translated .version-text').first();
    expect(await original.textContent()).toBe('Rose Cottage');
    expect([await original.getAttribute('lang'), await original.getAttribute('dir')]).toEqual(['en', 'auto']);
    await save();
    const text = catalogue.read(PATH);
    expect(text).toContain('title: Rose Cottage\ntitle@fr: Le cottage des roses\n');
    expect(text).toContain('detail@fr: Les chiens sont les bienvenus.\n');
    await page.screenshot({ path: join(RESULTS, 'translation-phone.png'), fullPage: true });
    await findNothing(page, 'translation');
    // The preview is in the same language.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('.preview-page h2', { hasText: 'Le cottage des roses' }).waitFor();
    await page.screenshot({ path: join(RESULTS, 'translation-desktop.png') });
    expect(complaints).toEqual([]);
  });

  it('says nothing of its files in its words, and axe finds nothing', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('radio').first().check();
    await page.getByRole('heading', { name: 'More about it' }).waitFor();
    const words = await page.locator('.form .form-section').allInnerTexts();
    for (const sentence of words) expect(sentence).not.toMatch(TECHNICAL_WORDS);
    expect(await page.locator('.group-label').allTextContents()).toEqual([
      'Spoken languages (optional)',
      'Registration number (optional)',
    ]);
    // No help only repeats its label.
    expect(await page.locator('.help', { hasText: /^Renovated$/ }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.screenshot({ path: join(RESULTS, 'declared-phone.png'), fullPage: true });
    await findNothing(page, 'declared');
  });
});
