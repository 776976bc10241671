/** Drafts of an import without coordinates are placed on the map. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { DESKTOP } from './axe.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';

const PATH = 'properties/ie/rose.yaml';
const DRAFT = `id: 00000000-0000-4000-8000-000000000010
title: Rose Cottage
draft: true
currency: EUR
city: Galway
country: IE
`;
const OTHER = 'properties/ie/wood.yaml';
const WOOD = DRAFT.replace('10\n', '11\n').replace('Galway', 'Rosewood').replace('Rose Cottage', 'Wood');

describe.skipIf(!findChromium() && process.env.CI !== 'true')('a draft without coordinates', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;

  beforeAll(async () => {
    [catalogue, browser] = await Promise.all([
      startEditedCatalogue({ [PATH]: DRAFT, [OTHER]: WOOD }),
      startChromium(),
    ]);
    page = await browser.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(DESKTOP);
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  it('is listed, found by its town on the map, and saved with the place', async () => {
    await page.goto(catalogue.address(''));
    await page.getByText('Rose Cottage').first().click();
    const place = page.getByRole('textbox', { name: 'Place on the map', exact: true });
    await place.waitFor();
    expect(await place.inputValue()).toBe('');
    // The map is where the city of the form is, which need not be written again.
    await page.locator('.town', { hasText: 'Gaillimh' }).waitFor();
    await page.getByRole('button', { name: 'Put the mark in Galway' }).click();
    await page.getByText('The mark is in the middle of Galway.').waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('.edit-bar').getByText('All changes are saved').waitFor();
    const { latitude, longitude, draft } = parse(catalogue.read(PATH), { schema: 'failsafe' });
    expect([latitude, longitude, draft]).toEqual([
      expect.stringMatching(/^53\.2/),
      expect.stringMatching(/^-9\.0/),
      'true',
    ]);
  });

  it('has its city by a few letters, and a question where two towns may be one', async () => {
    const city = page.getByRole('combobox', { name: 'City', exact: true });
    await city.fill('Dungl');
    await page.getByRole('option', { name: 'Dungloe' }).waitFor();
    await city.fill('Rosewoodd');
    await page.keyboard.press('Tab');
    await page.getByText('Other properties are in Rosewood. Is it the same town?').waitFor();
    await page.getByRole('button', { name: 'Write "Rosewood"' }).click();
    expect(await city.inputValue()).toBe('Rosewood');
  });
});
