/** The page on which a property is written, in Chromium, against a real session. Pictures are left in `test-results/`. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, interceptFromStart, startChromium } from '../docs/chromium.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { layoutShift } from '../support/layout-shift.ts';
import { DESKTOP, findNothing, RESULTS, SIZES } from './axe.ts';
import { type EditedCatalogue, NEW_PHOTOS, startEditedCatalogue } from './edited-catalogue.ts';

/** A photo as iPhones make them. */
const TELEPHONE = fileURLToPath(new URL('../media/telephone.heic', import.meta.url));
const STUDIO = 'properties/be/cosy-studio-historic-centre.yaml';

/** A property that a careful person writes. */
const rose = (number: number, more = '') => `# Kept by Ada.
id: 00000000-0000-4000-8000-00000000000${number}
title: 'Rose Cottage ${number}'   # as on the sign
${more}
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700

city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`;
const FILES = {
  'properties/ie/rose-1.yaml': rose(1),
  'properties/ie/rose-2.yaml': rose(2),
  'properties/ie/rose-3.yaml': rose(3),
  'properties/ie/anchored.yaml': `${rose(4)}state: &state Connacht\naddress: *state\n`,
  'properties/ie/several.yaml': `${rose(5)}---\n${rose(6)}`,
};

const idIn = (text: string) => /^id: (\S+)/m.exec(text)![1]!;

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the editor', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  let complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES), startChromium()]);
    await interceptFromStart(browser.context);
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  async function visit(query = '', size = DESKTOP): Promise<Page> {
    await page?.close({ runBeforeUnload: false });
    complaints = [];
    page = await browser.context.newPage();
    page.setDefaultTimeout(120_000);
    // From the beginning on, the browser hands file choosers to the test.
    page.on('filechooser', () => {});
    page.on('console', (message) => {
      // The first visit has no cookie yet.
      if (message.text().includes('status of 401')) return;
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address(query));
    return page;
  }
  const open = (path: string, size = DESKTOP) => visit(`?${new URLSearchParams({ property: path })}`, size);
  const { press, tabTo, type } = keyboardOf(() => page);
  const textbox = (name: string) => page.getByRole('textbox', { name, exact: true });
  const combobox = (name: string) => page.getByRole('combobox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const isSaved = () => page.locator('.edit-state').getByText('All changes are saved').waitFor();
  const isUnsaved = () => page.locator('.edit-state').getByText('Not saved yet').waitFor();

  it.each(SIZES)('moves by at most 0.02 while it loads, %s', async (_, size) => {
    const property = `?${new URLSearchParams({ property: 'properties/gr/konta-sto-kentro.yaml' })}`;
    for (const [query, ready] of [
      ['', '.property-row img'],
      [property, '.pick-map .pin'],
      ['?view=changes', '.steps'],
    ] as const) {
      await visit('', size);
      await page.locator('.property-row').first().waitFor();
      const shift = await layoutShift(page, catalogue.address(query), () =>
        page.locator(ready).first().waitFor(),
      );
      expect(shift, query).toBeLessThanOrEqual(0.02);
    }
  });

  it.each(SIZES)('creates a property with the keyboard alone, %s', async (_, size) => {
    await visit('', size);
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    await press('New property');
    await page.getByRole('heading', { level: 1, name: 'New property' }).waitFor();
    await type('Title', `Harbour rooms ${size.width}`);
    await type('Country', 'Ireland');
    await page.keyboard.press('Enter');
    await type('City', 'Galw');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await type('Place on the map', '53.27, -9.05');
    await tabTo(/^Add photos/);
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(NEW_PHOTOS);
    await page.locator('.photo-card').nth(2).waitFor();
    // From the button back to the caption of the last photo, which moves up by one.
    await tabTo('Caption of photo 3 (optional)', 'Shift+Tab');
    await page.keyboard.type('The terrace');
    await page.keyboard.press('Alt+ArrowUp');
    await tabTo('Caption of photo 2 (optional)');
    expect(await page.locator('.photo-card').nth(1).locator('textarea').inputValue()).toBe('The terrace');
    await type('Add a facility', 'internet');
    await page.keyboard.press('Enter');
    await page.locator('.chips', { hasText: 'Wi-Fi' }).first().waitFor();
    await page.keyboard.press('Control+s');
    await isSaved();
    await press(/^Changes/, 'Shift+Tab');
    await page.getByRole('heading', { name: /^Record 1 change$/ }).waitFor();
    await press('Record');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    const text = catalogue.read(`properties/ie/harbour-rooms-${size.width}.yaml`);
    expect(text).toContain('city: Galway\n');
    expect(text).toMatch(/3-the-terrace\S*\n {4}description: The terrace\n {2}- file: \S*2-the-living-room/);
    expect(text).toContain('facilities:\n  - wifi\n');
    expect(complaints).toEqual([]);
  });

  it('shows a problem beside its field while the user types, repairs it by a button, and saves only its lines', async () => {
    const path = 'properties/ie/rose-1.yaml';
    await open(path);
    await textbox('Place on the map').waitFor();
    const before = catalogue.read(path);
    await combobox('City').fill('Galway ');
    await textbox('Phone (recommended)').fill('00353 1 605 7799');
    const control = page.locator('.control', { has: textbox('Phone (recommended)') });
    const fix = control.locator('.findings').getByRole('button');
    await fix.waitFor();
    expect(await textbox('Phone (recommended)').getAttribute('aria-invalid')).toBe('true');
    expect(await textbox('Phone (recommended)').getAttribute('aria-describedby')).toContain(
      'field-phone-findings',
    );
    await findNothing(page, 'finding');
    await fix.click();
    expect(await textbox('Phone (recommended)').inputValue()).toBe('+353 1 605 7799');
    await fix.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await isSaved();
    const expected = before.replace('+353 1 605 7700', '+353 1 605 7799').split('\n');
    const after = catalogue.read(path).split('\n');
    expect(after.filter((line) => !line.startsWith('city'))).toEqual(
      expected.filter((line) => !line.startsWith('city')),
    );
    expect(complaints).toEqual([]);
  });

  it('undoes and redoes typed and saved changes', async () => {
    const path = 'properties/ie/rose-2.yaml';
    await open(path);
    const before = catalogue.read(path);
    await textbox('Title').fill('Rose House');
    await textbox('E-mail (recommended)').fill('rose@house.example');
    await page.keyboard.press('Control+z');
    expect(await textbox('E-mail (recommended)').inputValue()).toBe('stay@rose.example');
    await button('Undo').click();
    expect(await textbox('Title').inputValue()).toBe('Rose Cottage 2');
    // A check that arrives between the save and its answer would be of an older version.
    let isWritten = () => {};
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    await page.route('**/check', (route) => written.then(() => route.continue()).catch(() => {}));
    await page.route('**/save', async (route) => {
      // The server may have closed a connection that was kept open.
      const response = await route.fetch({ maxRetries: 2 });
      isWritten();
      setTimeout(() => route.fulfill({ response }), 600);
    });
    const check = page.waitForRequest(/check$/);
    await button('Redo').click();
    expect(await textbox('Title').inputValue()).toBe('Rose House');
    await check;
    await button('Save').click();
    await isSaved();
    expect(catalogue.read(path)).toBe(before.replace("'Rose Cottage 2'", "'Rose House'"));
    await page.unrouteAll();
    // Undo is of the form: the file changes with the next save.
    await button('Undo').click();
    expect(await textbox('Title').inputValue()).toBe('Rose Cottage 2');
    expect(catalogue.read(path)).not.toBe(before);
    await button('Save').click();
    await isSaved();
    expect(catalogue.read(path)).toBe(before);
    await button('Redo').click();
    expect(await textbox('Title').inputValue()).toBe('Rose House');
    await button('Undo').click();
    // The page asks about unsaved changes.
    await textbox('Title').fill('Rose');
    await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Unsaved changes' }).waitFor();
    await findNothing(page, 'leave');
    await button('Leave without saving').click();
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    expect(catalogue.read(path)).toBe(before);
    // It is offered again.
    await page.getByRole('region', { name: 'Not saved yet' }).getByRole('link', { name: 'Rose' }).click();
    await button('Continue with what you typed').waitFor();
    await findNothing(page, 'draft');
    await button('Discard').click();
    await button('Discard it for good').click();
    expect(await textbox('Title').inputValue()).toBe('Rose Cottage 2');
    expect(complaints).toEqual([]);
  });

  it('shows both versions of a file that changed meanwhile, and overwrites neither', async () => {
    const path = 'properties/ie/rose-3.yaml';
    await open(path);
    await textbox('Title').fill('Mine');
    await textbox('E-mail (recommended)').fill('mine@rose.example');
    const theirs = catalogue
      .read(path)
      .replace("'Rose Cottage 3'", "'Theirs'")
      .replace('city: Galway', 'city: Westport');
    catalogue.write(path, theirs);
    await page.getByRole('heading', { name: 'This property was saved meanwhile' }).waitFor();
    expect(catalogue.read(path)).toBe(theirs);
    await findNothing(page, 'conflict');
    const choice = page.getByRole('group', { name: 'Title' });
    expect(await choice.locator('.version-text').allTextContents()).toEqual(['Mine', 'Theirs']);
    await choice.getByRole('radio', { name: /^Yours/ }).check();
    await button('Go on with these').click();
    expect(await combobox('City').inputValue()).toBe('Westport');
    await isUnsaved();
    await button('Save').click();
    await isSaved();
    const merged = theirs.replace("'Theirs'", "'Mine'").replace('stay@rose.example', 'mine@rose.example');
    expect(catalogue.read(path)).toBe(merged);
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  });

  it('keeps a draft, and the list shows it as one', async () => {
    await open(STUDIO);
    await page.getByRole('checkbox', { name: 'Draft' }).check();
    await page.locator('.edit-state .badge.draft').waitFor();
    await button('Save').click();
    await isSaved();
    expect(catalogue.read(STUDIO)).toMatch(/^draft: true$/m);
    await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
    await page.locator('.property-row', { hasText: 'Cosy Studio' }).locator('.badge.draft').waitFor();
    await page.getByRole('button', { name: /^Not shown/ }).click();
    expect(await page.locator('.property-row').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('gives advice for a file that it cannot edit, and for a photo that it cannot use', async () => {
    await open('properties/ie/several.yaml');
    let link = page.getByRole('link', { name: /in Visual Studio Code$/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^vscode:\/\/file\/.*several\.yaml/);
    expect(await page.locator('.form').count()).toBe(0);
    await findNothing(page, 'obstacle');
    const path = 'properties/ie/rose-1.yaml';
    const text = catalogue.read(path);
    catalogue.write(path, text.replace(/^title.*$/m, '<<<<<<< HEAD\n$&\n=======\n$&!\n>>>>>>> other'));
    await visit('?view=changes');
    const changed = page.locator('.changed-file', { hasText: 'Rose Cottage 1' });
    await changed.waitFor();
    expect(await changed.locator('del').count()).toBe(0);
    await press('Rose Cottage 1');
    await page.getByRole('heading', { name: 'A merge was not finished' }).waitFor();
    catalogue.write(path, text);
    await open('properties/ie/anchored.yaml');
    await textbox('State (optional)').fill('Leinster');
    link = page.getByRole('link', { name: /in Visual Studio Code$/ });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/anchored\.yaml:\d+/);
    await page.keyboard.press('Control+z');
    await link.waitFor({ state: 'detached' });
    complaints = [];
    await open(STUDIO);
    const chooser = page.waitForEvent('filechooser');
    await page.locator('.drop-zone').click();
    await (await chooser).setFiles([
      { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: readFileSync(TELEPHONE) },
      { name: 'IMG_2.HEIC', mimeType: '', buffer: Buffer.from('\0x') },
    ]);
    // Chromium shows no HEIC itself.
    const cards = page.locator('.photo-card', { hasText: /IMG_\d\.HEIC/ });
    await cards.first().locator('img').waitFor();
    await page
      .getByText(/IMG_2\.HEIC: .*(?:Export|Save)/)
      .first()
      .waitFor();
    await button('Save').click();
    await page.locator('.edit-bar').getByRole('alert').getByText('IMG_2.HEIC').waitFor();
    expect(catalogue.read(STUDIO)).toMatch(/file: \S+\/img-1\.jpg\n/);
    await cards
      .last()
      .getByRole('button', { name: /^Remove/ })
      .click();
    await page.locator('.edit-state').getByText('All changes are saved').waitFor();
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
  });

  it('copies a property, and removes one after asking, with the photos that nothing else uses', async () => {
    const path = 'properties/ie/the-cottage-above-the-sea.yaml';
    mkdirSync(join(catalogue.content, 'photos'), { recursive: true });
    const entries = NEW_PHOTOS.map((photo) => {
      copyFileSync(photo, join(catalogue.content, 'photos', basename(photo)));
      return `  - file: ../../photos/${basename(photo)}\n`;
    });
    catalogue.write(
      path,
      `${rose(7).replace("'Rose Cottage 7'", 'The cottage above the sea')}photo:\n${entries.join('')}`,
    );
    await visit();
    await page.getByText('The cottage above the sea').waitFor();
    await open(path);
    await button('Remove').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 photos go with it').waitFor();
    await findNothing(page, 'remove');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await button('Copy').click();
    await textbox('Title of the copy').fill('The cottage by the sea');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The cottage by the sea' }).waitFor();
    await button('Remove').click();
    await dialog.getByText('No photo goes with it.').waitFor();
    await dialog.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    await expect
      .poll(() => page.locator('.property-row', { hasText: 'The cottage by the sea' }).count())
      .toBe(0);
    // The form sees its file go before the list is shown.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  });

  it.each(SIZES)('finds a town by its name, and offers maps with streets, %s (C12)', async (_, size) => {
    await visit('?view=new', size);
    await textbox('Place on the map').waitFor();
    const place = page.locator('.control', { has: textbox('Place on the map') });
    await type('Place on the map', 'Galway');
    await page.keyboard.press('Tab');
    await place.getByText('Choose the country first').waitFor();
    await tabTo('Country', 'Shift+Tab');
    await page.keyboard.type('Ireland');
    await page.keyboard.press('Enter');
    await type('Place on the map', 'Eyre Square, Galway');
    await page.keyboard.press('Enter');
    await place.getByText('The mark is in the middle of Galway.').waitFor();
    expect(await textbox('Place on the map').inputValue()).toMatch(/^53\.2\d*, -9\.0\d*$/);
    expect(await place.getByRole('link', { name: 'GeoNames' }).getAttribute('href')).toContain(
      'geonames.org',
    );
    await page.locator('.town', { hasText: 'Gaillimh' }).waitFor();
    await type('Place on the map', 'Newtown');
    // The town that was found before is none of this name.
    const choices = place.getByRole('list', { name: 'Towns' }).getByRole('button');
    expect(await choices.count()).toBe(0);
    await page.keyboard.press('Enter');
    await choices.first().waitFor();
    expect(await choices.count()).toBeGreaterThan(1);
    await press((await choices.last().textContent())!);
    await place.getByText('The mark is in the middle of').waitFor();
    const settings = catalogue.read('catalogue.yaml');
    await press('Show streets of OpenStreetMap');
    const dialog = page.getByRole('dialog', { name: 'Streets on all maps' });
    await dialog.getByRole('link', { name: 'the terms' }).waitFor();
    if (size === DESKTOP) await findNothing(page, 'streets');
    expect(catalogue.read('catalogue.yaml')).toBe(settings);
    await press('Show streets');
    await place.getByText('All maps of this catalogue show streets now.').waitFor();
    expect(catalogue.read('catalogue.yaml')).toContain('tiles: openstreetmap');
    await press('Undo', 'Shift+Tab');
    await place.getByRole('button', { name: 'Show streets of OpenStreetMap' }).waitFor();
    expect(catalogue.read('catalogue.yaml')).toBe(settings);
    if (size === DESKTOP) await findNothing(page, 'towns');
    await page.reload();
    await press('Discard');
    await press('Discard it for good');
  });

  it('accepts dropped and pasted photos, orders them by dragging, and moves the mark of the map', async () => {
    const path = 'properties/gr/konta-sto-kentro.yaml';
    // The page of a property links to its form: the editor was open before, and knows the token.
    await visit();
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    await page.goto(`${catalogue.url}/?${new URLSearchParams({ property: idIn(catalogue.read(path)) })}`);
    await page.getByRole('link', { name: 'Edit this property' }).click();
    await textbox('Title').waitFor();
    const cards = page.locator('.photo-card');
    await cards.first().locator('img').waitFor();
    const photos = () => cards.locator('.photo-name').allTextContents();
    const before = await photos();
    await cards.nth(1).locator('.photo-picture').dragTo(cards.nth(0));
    const [first, second, ...others] = before;
    await expect.poll(photos).toEqual([second, first, ...others]);

    const bytes = readFileSync(NEW_PHOTOS[0]!).toString('base64');
    const give = (event: string, name: string) =>
      page.evaluate(
        async ([type, text, file]) => {
          const read = Uint8Array.from(atob(text!), (one) => one.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([read], file!, { type: 'image/jpeg' }));
          const init = { bubbles: true, cancelable: true };
          if (type === 'paste') {
            document.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
          } else {
            // Beside the zone (C15): what the page takes, the browser does not open.
            const drop = new DragEvent('drop', { ...init, dataTransfer: data });
            if (document.querySelector('h1')!.dispatchEvent(drop)) throw new Error('The browser opens it.');
          }
        },
        [event, bytes, name],
      );
    await give('drop', 'dropped.jpg');
    await cards.nth(before.length).locator('img').waitFor();
    await give('paste', 'pasted.jpg');
    await cards
      .nth(before.length + 1)
      .locator('img')
      .waitFor();

    const place = () => textbox('Place on the map').inputValue();
    const point = await place();
    const pin = page.locator('.pick-map .pin');
    await pin.scrollIntoViewIfNeeded();
    const box = (await pin.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 160, box.y + 90, { steps: 4 });
    await page.mouse.up();
    // A move of more than two kilometres asks (C14).
    await page.getByText(/^This moves the property by \d+ km\. Is it there\?$/).waitFor();
    // The mark is back before the next key.
    await button('Leave it where it was').evaluate(async (leave: HTMLElement) => {
      leave.click();
      await new Promise((resolve) => setTimeout(resolve));
      const key = new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true });
      document.querySelector('.pick-map .pin')!.dispatchEvent(key);
    });
    await expect.poll(place).not.toBe(point);
    const above = await place();
    await pin.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(place).not.toBe(above);
    const [south, west] = point.split(', ').map(Number);
    const [north, east] = (await place()).split(', ').map(Number);
    expect([Math.abs(north! - south!), east! - west!].every((degrees) => degrees < 0.0015)).toBe(true);
    const there = (await pin.boundingBox())!;
    await page.mouse.click(there.x + 60, there.y + 40);
    await button('Move it').click();
    await expect
      .poll(async () => Math.abs(Number((await place()).split(', ')[0]) - north!))
      .toBeGreaterThan(0.01);
    await button('Save').click();
    await isSaved();
    const text = catalogue.read(path);
    const files = [...text.matchAll(/- file: \S*\/(\S+)/g)].map(([, name]) => name);
    expect(files).toEqual([second, first, ...others, 'dropped.jpg', 'pasted.jpg']);
    const [latitude, longitude] = (await place()).split(', ');
    expect(text).toContain(`latitude: ${latitude}\nlongitude: ${longitude}\n`);
    // The catalogue itself waits for a file without errors, and answers with a 503.
    expect(complaints.filter((one) => !one.includes('503'))).toEqual([]);
  });

  it('names the file after its title, and commits the ticked changes on a branch', async () => {
    await open('properties/ie/rose-2.yaml');
    await textbox('Title').fill('The old mill');
    await button('Save').click();
    await isSaved();
    await button('Rename the file').click();
    await button('Rename').click();
    const path = 'properties/ie/the-old-mill.yaml';
    await expect.poll(() => new URL(page.url()).searchParams.get('property')).toBe(path);
    expect(catalogue.read(path)).toContain("title: 'The old mill'");
    await page.getByRole('link', { name: /^Changes/ }).click();
    await page.locator('.changed-file').first().waitFor();
    for (const tick of await page.locator('.changed-file input[type=checkbox]').all()) await tick.uncheck();
    await page.getByRole('checkbox', { name: 'Record The old mill' }).check();
    await textbox('Keep apart, under a name (optional)').fill('mill');
    await button('Record').click();
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    await expect.poll(() => catalogue.git('branch', '--show-current')).toBe('mill\n');
    await expect
      .poll(() => catalogue.git('show', '--name-only', '--format=', 'HEAD').trim())
      .toBe(`content/${path}`);
    // The page checks whether the file of the old name is gone.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  });

  it('aligns header and form on a wide screen, and leaves two thirds of a zoomed page to the form (C19)', async () => {
    const size = page.viewportSize()!;
    await open('properties/ie/rose-3.yaml');
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    await page.setViewportSize({ width: 1920, height: 1000 });
    expect((await boxOf('.edit-bar .back')).x).toBe((await boxOf('.brand')).x);
    // 1280 by 1024 pixels, zoomed to 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    expect((await boxOf('.edit-bar')).height).toBeLessThan(256 / 3);
    await page.setViewportSize(size);
  });

  it('has no problem for axe in the list, a property, a new one, and the changes', async () => {
    await visit();
    await page.locator('.property-row').first().waitFor();
    await findNothing(page, 'list');
    await open('properties/gr/konta-sto-kentro.yaml');
    await page.locator('.photo-card img').first().waitFor();
    await page.locator('.pick-map .pin').waitFor();
    await findNothing(page, 'property');
    await visit('?view=new');
    await page.getByRole('heading', { level: 1, name: 'New property' }).waitFor();
    await findNothing(page, 'new');
    await visit('?view=changes');
    await page.locator('.changed-file').first().waitFor();
    await page.locator('.changed-file summary').first().click();
    await findNothing(page, 'changes');
    expect(complaints).toEqual([]);
  });
});
