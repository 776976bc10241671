/**
 * Nothing that is typed is lost, and "saved" is true: journeys in Chromium against a real session. `JOURNEYS=300` sets the
 * number of random ones, and `JOURNEY=17,23` runs these.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { findChromium, interceptFromStart, startChromium } from '../docs/chromium.ts';
import { DESKTOP, SIZES } from './axe.ts';
import { type EditedCatalogue, NEW_PHOTOS, startEditedCatalogue } from './edited-catalogue.ts';
import { randomOf } from './random.ts';

const rose = (number: number) => `# Kept by Ada.
id: 00000000-0000-4000-8000-${String(10 + number).padStart(12, '0')}
title: 'Rose Cottage ${number}'   # as on the sign
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700
city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
facilities:
  - wifi
  - parking
  - bar
hotel_policy:
  - policy_type: check_in
    detail: From three.
  - policy_type: check_out
    detail: Until ten.
`;
const FILES = Object.fromEntries(
  Array.from({ length: 40 }, (_, number) => [`properties/ie/rose-${number}.yaml`, rose(number)]),
);

const SEEDS = process.env.JOURNEY
  ? process.env.JOURNEY.split(',').map(Number)
  : Array.from({ length: Number(process.env.JOURNEYS ?? 1) }, (_, index) => index + 1);

describe.skipIf(!findChromium() && process.env.CI !== 'true')('what is typed', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  let used = 0;

  beforeAll(async () => {
    [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES), startChromium()]);
    await interceptFromStart(browser.context);
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  /** A property that no other journey uses. */
  const nextPath = () => `properties/ie/rose-${used++}.yaml`;
  async function newTab(query = '', size: { width: number; height: number } = DESKTOP): Promise<Page> {
    const tab = await browser.context.newPage();
    tab.setDefaultTimeout(120_000);
    tab.on('filechooser', () => {});
    await tab.setViewportSize(size);
    await tab.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await tab.goto(catalogue.address(query));
    return tab;
  }
  const queryOf = (path: string) => `?${new URLSearchParams({ property: path })}`;
  async function open(path: string, size: { width: number; height: number } = DESKTOP): Promise<void> {
    await page?.close({ runBeforeUnload: false });
    page = await newTab(queryOf(path), size);
    await textbox('Title').waitFor();
  }
  async function openNew(size: { width: number; height: number } = DESKTOP): Promise<void> {
    await page?.close({ runBeforeUnload: false });
    page = await newTab('?view=new', size);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  const textbox = (name: string, on = page) => on.getByRole('textbox', { name, exact: true });
  const combobox = (name: string) => page.getByRole('combobox', { name, exact: true });
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name, exact: true });
  const bar = (on = page) => on.locator('.edit-bar');
  const isSaved = (on = page) => bar(on).getByText('All changes are saved').waitFor();
  const proceed = async () => {
    await button('Continue with what you typed').click();
    await textbox('Title').waitFor();
  };
  const isUnsaved = () => bar().getByText('Not saved yet').waitFor();
  const save = () => page.keyboard.press('Control+s');
  const valuesIn = (path: string) => parse(catalogue.read(path)) as Record<string, unknown>;
  const focused = () =>
    page.evaluate(
      `(({ activeElement: one }) => one === document.body ? 'the page' : one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent)(document)`,
    ) as Promise<string>;
  const away = (path: string) => join(catalogue.content, '..', path.replaceAll('/', '-'));
  const moveAway = (path: string) => renameSync(join(catalogue.content, path), away(path));
  const moveBack = (path: string) => renameSync(away(path), join(catalogue.content, path));
  const chooseFiles = async (files: Parameters<FileChooser['setFiles']>[0]) => {
    const chooser = page.waitForEvent('filechooser');
    await page.locator('.drop-zone').click();
    await (await chooser).setFiles(files);
  };

  it.each(SIZES)(
    'stays whole when its file goes, comes back, or is created anew, %s (C1)',
    async (_, size) => {
      const path = nextPath();
      await open(path, size);
      const before = valuesIn(path);
      await textbox('Title').fill('The rose, renamed');
      // A request that fails says nothing about the file. A check that succeeds takes the message away.
      await page.route(/\/(?:property\?|check$)/, (route) => route.abort());
      catalogue.write(path, `${catalogue.read(path)}# Touched.\n`);
      await bar().getByText('does not answer').waitFor();
      await page.unrouteAll();
      moveAway(path);
      await page.getByRole('heading', { name: 'The file of this property is gone' }).waitFor();
      expect(await focused()).toBe('The file of this property is gone');
      moveBack(path);
      await textbox('Title').waitFor();
      expect(await textbox('Title').inputValue()).toBe('The rose, renamed');
      moveAway(path);
      await button('Keep editing as a new property').click();
      expect(await textbox('Title').inputValue()).toBe('The rose, renamed');
      // The page is loaded again meanwhile.
      await open2(path, size);
      await proceed();
      await button('Create').click();
      await isSaved();
      const made = new URL(page.url()).searchParams.get('property')!;
      expect(valuesIn(made)).toEqual({ ...before, title: 'The rose, renamed' });
    },
  );
  /** Opens a property of which there is a draft. */
  async function open2(path: string, size: { width: number; height: number } = DESKTOP) {
    await page.close({ runBeforeUnload: false });
    page = await newTab(queryOf(path), size);
  }

  it('follows a file that other programs move or rewrite, and a branch that is switched (C1)', async () => {
    const path = nextPath();
    await open(path);
    await textbox('Title').fill('Mine');
    const moved = 'properties/fr/moved.yaml';
    mkdirSync(join(catalogue.content, dirname(moved)), { recursive: true });
    renameSync(join(catalogue.content, path), join(catalogue.content, moved));
    await expect.poll(() => new URL(page.url()).searchParams.get('property')).toBe(moved);
    await save();
    await isSaved();
    expect(valuesIn(moved)).toMatchObject({ title: 'Mine', email: 'stay@rose.example' });
    // A program that replaces the file by deleting it first.
    await textbox('Title').fill('Mine again');
    const text = catalogue.read(moved).replace('Galway', 'Westport');
    rmSync(join(catalogue.content, moved));
    writeFileSync(join(catalogue.content, moved), text);
    await expect.poll(() => combobox('City').inputValue()).toBe('Westport');
    catalogue.git('stash', '--include-untracked', '--quiet');
    await page.getByRole('heading', { name: /gone|saved meanwhile/ }).waitFor();
    catalogue.git('stash', 'pop', '--quiet');
    await textbox('Title').waitFor();
    expect(await textbox('Title').inputValue()).toBe('Mine again');
    await save();
    await isSaved();
    expect(valuesIn(moved)).toMatchObject({ title: 'Mine again', city: 'Westport' });
  });

  it('survives a file that is changed, moved, deleted or of another branch at each moment of a save (C1)', {
    timeout: 300_000,
  }, async () => {
    const acts = {
      change: (path: string) =>
        catalogue.write(path, catalogue.read(path).replace('From three.', 'From four.')),
      'change of the same field': (path: string) =>
        catalogue.write(path, catalogue.read(path).replace(/^title:.*/m, 'title: Theirs')),
      move: (path: string) =>
        renameSync(join(catalogue.content, path), join(catalogue.content, `${path}.moved.yaml`)),
      deletion: (path: string) => rmSync(join(catalogue.content, path)),
      'switch of the branch': () => catalogue.git('stash', '--include-untracked', '--quiet'),
    };
    for (const [name, act] of Object.entries(acts)) {
      for (const moment of ['before the request', 'before its answer']) {
        const path = nextPath();
        catalogue.write(path, rose(used - 1));
        await open(path);
        await textbox('Title').fill('Typed');
        let answered = () => {};
        const isAnswered = new Promise<void>((resolve) => {
          answered = resolve;
        });
        await page.route('**/save', async (route) => {
          if (moment === 'before the request') act(path);
          // The server may have closed a connection that was kept open.
          const response = await route.fetch({ maxRetries: 2 });
          if (moment === 'before its answer') act(path);
          await route.fulfill({ response });
          await page.unrouteAll();
          answered();
        });
        await save();
        // The bar says "Saving" a moment after the key.
        await isAnswered;
        await expect.poll(() => bar().getByText('Saving').count()).toBe(0);
        const where = `${name} ${moment}`;
        const isGone = await page.getByRole('heading', { name: /gone|saved meanwhile/ }).count();
        // The form may go after it was looked for.
        const title = isGone
          ? ''
          : await textbox('Title')
              .inputValue({ timeout: 10_000 })
              .catch(() => '');
        await page.reload();
        await page.locator('main h1, .waiting').first().waitFor();
        const offer = await button('Continue with what you typed').count();
        if (name === 'switch of the branch') catalogue.git('stash', 'pop', '--quiet');
        const files = catalogue
          .git('ls-files', '--others', '--modified', '--exclude-standard', '--', '.')
          .split('\n');
        const inFiles = files.some((file) => {
          try {
            return catalogue.read(file.replace('content/', '')).includes('Typed');
          } catch {
            return false;
          }
        });
        // What another program deleted after it was saved was theirs to delete.
        const isTheirs = moment === 'before its answer' && name !== 'change' && name !== 'move';
        expect(offer > 0 || inFiles || title === 'Typed' || isTheirs, where).toBe(true);
      }
    }
  });

  it.each(SIZES)('is undone and redone across saves, and never another tab’s, %s (C2)', async (_, size) => {
    const path = nextPath();
    await open(path, size);
    await textbox('Title').fill('First');
    await save();
    await isSaved();
    const other = await newTab(queryOf(path));
    await textbox('E-mail (recommended)', other).fill('other@rose.example');
    await other.keyboard.press('Control+s');
    await isSaved(other);
    await other.close();
    await expect.poll(() => textbox('E-mail (recommended)').inputValue()).toBe('other@rose.example');
    const written = catalogue.read(path);
    await page.keyboard.press('Control+z');
    expect(await textbox('Title').inputValue()).toMatch(/^Rose Cottage/);
    expect(await textbox('E-mail (recommended)').inputValue()).toBe('other@rose.example');
    await isUnsaved();
    expect(catalogue.read(path)).toBe(written);
    await page.keyboard.press('Control+Shift+z');
    await isSaved();
    // After Create too.
    await openNew(size);
    await textbox('Title').fill('Undone inn');
    await textbox('Address (optional)').fill('Quay 1');
    await button('Create').click();
    await button('Create').click();
    await isSaved();
    const made = new URL(page.url()).searchParams.get('property')!;
    const text = catalogue.read(made);
    await page.keyboard.press('Control+z');
    expect(await textbox('Address (optional)').inputValue()).toBe('');
    expect(catalogue.read(made)).toBe(text);
    await save();
    await isSaved();
    expect(valuesIn(made)).toEqual({ ...parse(text), address: undefined });
    await page.keyboard.press('Control+y');
    await save();
    await isSaved();
    expect(valuesIn(made)).toEqual(parse(text));
  });

  it.each(SIZES)('is offered where it was open elsewhere, when that tab is closed, %s', async (_, size) => {
    const path = nextPath();
    const typed = `Typed in a tab of ${size.width}`;
    await open(path, size);
    await textbox('Title').fill(typed);
    const [list, pristine, changed] = [
      await newTab('', size),
      await newTab(queryOf(path), size),
      await newTab(queryOf(path), size),
    ];
    // Open tabs would use up the connections that the browser allows the tests that follow.
    onTestFinished(async () => {
      for (const tab of [list, pristine, changed]) await tab.close();
    });
    await list.getByText(`in another tab: ${typed}`).waitFor();
    await textbox('Title', pristine).waitFor();
    await textbox('E-mail (recommended)', changed).fill('third@rose.example');
    await page.close();
    await list.getByRole('region', { name: 'Not saved yet' }).getByRole('link', { name: typed }).waitFor();
    await pristine.getByRole('button', { name: 'Continue with what you typed' }).click();
    await expect.poll(() => textbox('Title', pristine).inputValue()).toBe(typed);
    expect(await textbox('E-mail (recommended)', changed).inputValue()).toBe('third@rose.example');
    await button('Save', pristine).click();
    await isSaved(pristine);
    await button('Save', changed).click();
    await isSaved(changed);
    expect(valuesIn(path)).toMatchObject({ title: typed, email: 'third@rose.example' });
  });

  it.each(SIZES)(
    'counts without leaving the field, or the field says why it cannot, %s (C3)',
    async (_, size) => {
      const path = nextPath();
      await open(path, size);
      await textbox('Place on the map').fill('40.0, -3.0');
      await save();
      await isSaved();
      expect(valuesIn(path)).toMatchObject({ latitude: 40, longitude: -3 });
      await combobox('Country').fill('Portugal');
      await isUnsaved();
      await save();
      await isSaved();
      expect(valuesIn(path)).toMatchObject({ country: 'PT' });
      await combobox('Add a facility').fill('sauna');
      await save();
      await isSaved();
      expect(valuesIn(path).facilities).toEqual(['wifi', 'parking', 'bar', 'sauna']);
      await combobox('Add a facility').fill('gym');
      await page.keyboard.press('Tab');
      await save();
      await isSaved();
      expect((valuesIn(path).facilities as string[])[4]).toMatch(/gym|fitness/);
      await textbox('Phone (recommended)').fill('21 342 1234');
      await save();
      await isSaved();
      expect(valuesIn(path).phone).toBe('+351 21 342 1234');
      const date = page.locator('input[type=date]').first();
      await date.focus();
      await page.keyboard.type('12');
      await isUnsaved();
      await save();
      await page.getByText('Complete the date').waitFor();
      await date.fill('');
      await page.keyboard.press('Tab');
      await isSaved();
      await textbox('Place on the map').fill('by the church');
      await save();
      const place = page.locator('.control', { has: textbox('Place on the map') });
      await place.locator('.findings').getByText('No town of this name').waitFor();
      await isUnsaved();
      expect(await textbox('Place on the map').evaluate((one) => one === document.activeElement)).toBe(true);
      // It is asked about, and offered again.
      page.once('dialog', (dialog) => dialog.accept());
      await page.reload();
      await proceed();
      expect(await textbox('Place on the map').inputValue()).toBe('by the church');
      await page.keyboard.press('Control+z');
      await isSaved();
    },
  );

  it.each(SIZES)('fails where the reader looks: in the bar, %s (C4)', async (_, size) => {
    const path = nextPath();
    await open(path, size);
    await textbox('Phone (recommended)').fill('+353 1 605 7799');
    await page.route('**/save', (route) => route.abort());
    const failure = bar().getByRole('alert').getByText('does not answer');
    const position = async () => {
      await save();
      await failure.waitFor();
      const { y, height } = (await failure.boundingBox({ timeout: 1000 }))!;
      return { top: y, bottom: y + height };
    };
    // The next message of the server takes it away again: once more then.
    await expect.poll(position).toSatisfy(({ top, bottom }) => top >= 0 && bottom <= size.height);
    await page.unrouteAll();
    await save();
    await isSaved();
    expect(await bar().getByRole('alert').textContent()).toBe('');
    // A photo that the server refuses stays in the form, and everything else is saved.
    await openNew(size);
    await textbox('Title').fill('Broken window');
    await chooseFiles([
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
      { name: 'sound.jpg', mimeType: 'image/jpeg', buffer: await pictureBytes() },
    ]);
    await textbox('Caption of photo 1 (optional)').fill('The broken one');
    await button('Create').click();
    await button('Create').click();
    await bar().getByRole('alert').getByText('broken.jpg').waitFor();
    await isUnsaved();
    const made = new URL(page.url()).searchParams.get('property')!;
    expect(valuesIn(made).photo).toHaveLength(1);
    expect(await textbox('Caption of photo 1 (optional)').inputValue()).toBe('The broken one');
    await button('Remove photo 1').click();
    await isSaved();
  });

  it.each(SIZES)(
    'outlives its session, in the open page and under a new address, %s (C6)',
    async (_, size) => {
      const path = nextPath();
      await open(path, size);
      await textbox('Title').fill('Before the restart');
      await catalogue.stop();
      await textbox('E-mail (recommended)').fill('while@rose.example');
      await catalogue.startAgain();
      await bar().getByText('was started again').waitFor();
      // The new address is opened in another tab, as `--edit` does.
      const other = await newTab('', size);
      await other.locator('.property-row').first().waitFor();
      // The form is open: its draft is not offered, and its tab is named.
      await other.getByText('Not saved yet, in another tab: Before the restart.').waitFor();
      expect(await other.getByRole('link', { name: 'Before the restart' }).count()).toBe(0);
      await expect.poll(() => bar().getByText('was started again').count()).toBe(0);
      await save();
      await isSaved();
      expect(valuesIn(path)).toMatchObject({ title: 'Before the restart', email: 'while@rose.example' });
      await other.close();
      // It is opened in the same tab, which leaves the form.
      await textbox('Title').fill('After the restart');
      await catalogue.stop();
      await catalogue.startAgain();
      page.on('dialog', (dialog) => dialog.accept());
      await page.goto(catalogue.address());
      await page
        .getByRole('region', { name: 'Not saved yet' })
        .getByRole('link', { name: 'After the restart' })
        .first()
        .click();
      await proceed();
      await save();
      await isSaved();
      expect(valuesIn(path)).toMatchObject({ title: 'After the restart' });
      // A link of another page does not take the token away.
      await page.goto(catalogue.address().replace(/#.*/, '#bogus'));
      await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
      // Only the fragment changes.
      await open(path, size);
      await textbox('Title').fill('In the same page');
      await catalogue.stop();
      await catalogue.startAgain();
      await bar().getByText('was started again').waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(catalogue.address().split('#')[1])}`);
      await expect.poll(() => bar().getByText('was started again').count()).toBe(0);
      await save();
      await isSaved();
      expect(valuesIn(path)).toMatchObject({ title: 'In the same page' });
    },
  );

  it.each(SIZES)(
    'survives a crash, with half a value and photos, also without a file, %s',
    async (_, size) => {
      await openNew(size);
      await textbox('Title').fill('Crashed inn');
      await chooseFiles(NEW_PHOTOS.slice(0, 2));
      await textbox('Caption of photo 2 (optional)').fill('The living room');
      await combobox('Country').pressSequentially('Irel');
      const crash = await browser.context.newCDPSession(page);
      crash.send('Page.crash').catch(() => {});
      await page.waitForEvent('crash');
      page = await newTab('', size);
      await page
        .getByRole('region', { name: 'Not saved yet' })
        .getByRole('link', { name: 'Crashed inn' })
        .click();
      await page.getByText('The living room').waitFor();
      await proceed();
      expect(await combobox('Country').inputValue()).toBe('Irel');
      await page.locator('.photo-card img').nth(1).waitFor();
      await button('Create').click();
      await button('Create').click();
      await isSaved();
      const made = new URL(page.url()).searchParams.get('property')!;
      expect(valuesIn(made)).toMatchObject({ title: 'Crashed inn', country: 'IE' });
      expect(valuesIn(made).photo).toHaveLength(2);
      await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
      await page.locator('.property-row').first().waitFor();
      expect(await page.getByRole('region', { name: 'Not saved yet' }).getByText('Crashed inn').count()).toBe(
        0,
      );
    },
  );

  it('is of its own tab: two tabs keep two drafts, and one of them is continued once', async () => {
    const path = nextPath();
    await open(path);
    const other = await newTab(queryOf(path));
    await textbox('Title').fill('Of the first tab');
    await textbox('Address (optional)', other).fill('Of the second tab');
    // A third tab is offered neither: both are open.
    const third = await newTab(queryOf(path));
    expect(await textbox('Title', third).inputValue()).toMatch(/^Rose/);
    await third.close();
    await other.close({ runBeforeUnload: false });
    await open2(path);
    await proceed();
    await save();
    await isSaved();
    await open2(path);
    await proceed();
    await save();
    await isSaved();
    expect(valuesIn(path)).toMatchObject({ title: 'Of the first tab', address: 'Of the second tab' });
  });

  it.each(SIZES)('is asked about while anything is on its way, slow or offline, %s (C9)', async (_, size) => {
    const path = nextPath();
    await open(path, size);
    const network = await browser.context.newCDPSession(page);
    const set = (offline: boolean, latency: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline,
        latency,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
    await network.send('Network.enable');
    await chooseFiles(NEW_PHOTOS.slice(0, 1));
    await set(false, 700);
    await button('Save').click();
    await bar().getByText('Saving').waitFor();
    // Typed during the save.
    await textbox('Title').fill('Typed meanwhile');
    await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Unsaved changes' }).waitFor();
    await button('Save and leave').click();
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    expect(valuesIn(path).title).toBe('Typed meanwhile');
    expect(valuesIn(path).photo).toHaveLength(1);
    await set(false, 0);
    await open(path, size);
    const second = await browser.context.newCDPSession(page);
    await second.send('Network.enable');
    const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await second.send('Network.emulateNetworkConditions', { ...conditions, offline: true });
    await textbox('Title').fill('Typed offline');
    await save();
    await bar().getByText('does not answer').waitFor();
    await second.send('Network.emulateNetworkConditions', { ...conditions, offline: false });
    await save();
    await isSaved();
    expect(valuesIn(path).title).toBe('Typed offline');
  });

  it('is kept in the form when the disk is full, and the bar says so', async () => {
    const path = nextPath();
    await page?.close({ runBeforeUnload: false });
    page = await browser.context.newPage();
    await page.addInitScript(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('No space is left.', 'QuotaExceededError');
      };
    });
    await page.goto(catalogue.address(queryOf(path)));
    await textbox('Title').fill('No room');
    await bar().getByText('cannot keep a copy').waitFor();
    let asked = '';
    page.once('dialog', (dialog) => {
      asked = dialog.type();
      return dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toBe('beforeunload');
    await page.route('**/save', (route) =>
      route.fulfill({ status: 500, json: { code: 'not-written', message: 'No space is left on the disk.' } }),
    );
    await save();
    await bar().getByText('No space is left on the disk.').waitFor();
    await page.unrouteAll();
    await save();
    await isSaved();
    expect(valuesIn(path).title).toBe('No room');
  });

  it.each(SIZES)('comes back with a property that was removed, %s (C10)', async (_, size) => {
    const path = nextPath();
    await open(path, size);
    const text = catalogue.read(path);
    await textbox('Title').fill('Typed before it was removed');
    await button('Remove').click();
    await button('Remove it').click();
    await page.getByText('is removed').first().waitFor();
    await button('Undo').click();
    await button('Continue with what you typed').waitFor();
    expect(catalogue.read(path)).toBe(text);
    await proceed();
    expect(await textbox('Title').inputValue()).toBe('Typed before it was removed');
  });

  it.each(SIZES)('keeps the focus in the form, by keyboard alone, %s (C13, C16)', async (_, size) => {
    const path = nextPath();
    await open(path, size);
    expect(await focused()).toMatch(/^Rose Cottage/);
    await chooseFiles(NEW_PHOTOS.slice(0, 2));
    const press = async (name: string) => {
      await button(name).focus();
      await page.keyboard.press('Enter');
    };
    await press('Remove photo 1');
    await expect.poll(focused).toBe('Caption of photo 1 (optional)');
    await press('Remove photo 1');
    await expect.poll(focused).toMatch(/^Add photos/);
    await press('Remove Wi-Fi');
    await expect.poll(focused).toMatch(/^Remove /);
    for (let left = 2; left > 0; left--) await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Add a facility');
    const offered = page.locator('.control', { has: combobox('Add a facility') }).locator('button.chip');
    await offered.first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).not.toBe('the page');
    await press('Remove policy 2');
    await expect.poll(focused).not.toBe('the page');
    await textbox('Phone (recommended)').fill('00353 1 605 7799');
    const fix = page.locator('.control', { has: textbox('Phone (recommended)') }).locator('.findings button');
    await fix.focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Phone (recommended)');
    await openNew(size);
    await button('Create').focus();
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Title');
  });

  // The journeys without a browser are in `random-journey.deep.test.ts`.
  it.each(SEEDS)('survives random journey %i in the browser', async (seed) => {
    const random = randomOf(seed);
    let path = nextPath();
    catalogue.write(path, rose(used - 1));
    await open(path);
    const owed = new Map<string, string>();
    const labels = { title: 'Title', address: 'Address (optional)', email: 'E-mail (recommended)' };
    const steps: string[] = [];
    /** Brings the form back, whatever stands in its place. */
    const finishInput = async () => {
      const fresh = page.getByRole('heading', { level: 1 }).or(page.locator('#conflict-title'));
      await fresh.first().waitFor();
      for (let round = 0; round < 4; round++) {
        if (await button('Continue with what you typed').count()) await proceed();
        if (await button('Keep editing as a new property').count())
          await button('Keep editing as a new property').click();
        for (const mine of await page.getByRole('radio', { name: /^Yours/ }).all()) await mine.check();
        if (await button('Go on with these').count()) await button('Go on with these').click();
        await page.waitForTimeout(50);
      }
    };
    /** A panel may take the form's place at any moment. */
    const patiently = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      for (let attempt = 0; attempt < 4; attempt++) {
        try {
          return await act();
        } catch {
          await finishInput();
        }
      }
      return act();
    };
    const acts: Record<string, () => Promise<unknown>> = {
      async type() {
        const field = random.one(Object.keys(labels) as (keyof typeof labels)[]);
        const mark = `${field} ${steps.length}`;
        await patiently(() => textbox(labels[field]).fill(mark, { timeout: 2000 }));
        owed.set(field, mark);
      },
      save,
      async undo() {
        await page.keyboard.press('Control+z');
        for (const field of Object.keys(labels) as (keyof typeof labels)[])
          owed.set(field, await patiently(() => textbox(labels[field]).inputValue({ timeout: 2000 })));
      },
      async change() {
        catalogue.write(path, catalogue.read(path).replace(/^city: .*/m, `city: Town ${steps.length}`));
      },
      async move() {
        const to = path.replace(/[^/]+$/, `moved-${seed}-${steps.length}.yaml`);
        renameSync(join(catalogue.content, path), join(catalogue.content, to));
        path = to;
      },
      async reload() {
        await page.close({ runBeforeUnload: false });
        page = await newTab(queryOf(path));
      },
      async restart() {
        await catalogue.stop();
        await catalogue.startAgain();
        await page.evaluate(`location.hash = ${JSON.stringify(catalogue.address().split('#')[1])}`);
      },
    };
    for (let step = 0; step < 10; step++) {
      const name = random.one([
        'type',
        'type',
        'type',
        'save',
        'save',
        'undo',
        'change',
        'move',
        'reload',
        'restart',
      ]);
      steps.push(name);
      await acts[name]!();
      await finishInput();
    }
    await page.waitForTimeout(600);
    for (let offers = 1; offers > 0; ) {
      await finishInput();
      await save();
      await isSaved();
      await acts.reload!();
      await page.getByRole('heading', { level: 1 }).waitFor();
      offers = await button('Continue with what you typed').count();
    }
    const saved = valuesIn(new URL(page.url()).searchParams.get('property')!);
    // An empty field is not in the file.
    expect({ address: '', ...saved }, `seed ${seed}: ${steps.join(', ')}`).toMatchObject(
      Object.fromEntries(owed),
    );
  });
});

async function pictureBytes(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp({ create: { width: 64, height: 48, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer();
}
