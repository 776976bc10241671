/** From "saved" to "sent", and back from colleagues, in Chromium, against a real session with a bare repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configureGit, run } from '../dev/api/repository.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { DESKTOP, findNothing, RESULTS } from './axe.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';

const rose = (number: number) => `id: 00000000-0000-4000-8000-0000000000${10 + number}
title: Rose Cottage ${number}
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700
city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`;
const pathOf = (number: number) => `properties/ie/rose-${number}.yaml`;
const FILES = Object.fromEntries(Array.from({ length: 4 }, (_, number) => [pathOf(number), rose(number)]));

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the changes', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  let shared: string;
  let ben: string;

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES), startChromium()]);
    const top = join(catalogue.content, '..');
    configureGit(top);
    shared = join(top, 'dist/shared.git');
    ben = join(top, 'dist/ben');
    mkdirSync(join(top, 'dist'), { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--bare', top, shared]);
    catalogue.git('remote', 'add', 'origin', shared);
    catalogue.git('fetch', '--quiet', 'origin');
    catalogue.git('branch', '--quiet', '--set-upstream-to=origin/main');
    execFileSync('git', ['clone', '--quiet', shared, ben]);
    configureGit(ben, 'Ben');
    page = await browser.context.newPage();
    page.setDefaultTimeout(40_000);
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address('?view=changes'));
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const textbox = (name: string) => page.getByRole('textbox', { name, exact: true });
  const where = () => page.getByRole('region', { name: 'Where your changes are' });
  const says = (words: string | RegExp) => where().getByText(words).waitFor();
  const benSends = (number: number, from: string, to: string) => {
    run(ben, 'pull', '--quiet');
    const file = join(ben, 'content', pathOf(number));
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
    run(ben, 'commit', '--all', '--quiet', `--message=Change ${to}`);
    run(ben, 'push', '--quiet');
  };
  const record = async (message: string, apart = '') => {
    await textbox('What was changed, and why').fill(message);
    await textbox('Keep apart, under a name (optional)').fill(apart);
    await button('Record').click();
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
  };

  it('are saved, recorded and sent, and the page says which', async () => {
    await says('All is sent.');
    catalogue.write(pathOf(0), rose(0).replace('Cottage 0', 'House 0'));
    await says('1 change saved here, not recorded yet.');
    await findNothing(page, 'remote-saved');
    await record('Title of rose 0');
    await says('1 record on this computer, not sent yet.');
    await findNothing(page, 'remote-recorded');
    await button('Send').click();
    await says('All is sent.');
    expect(run(shared, 'log', '-1', '--format=%s', 'main').trim()).toBe('Title of rose 0');
    await findNothing(page, 'remote-sent');
  });

  it('say in plain words why they are not sent, and lose nothing', async () => {
    const mine = rose(0).replace('Cottage 0', 'Barn 0');
    catalogue.write(pathOf(0), mine);
    await says('1 change saved here, not recorded yet.');
    await record('Barn');
    const hook = join(shared, 'hooks/pre-receive');
    mkdirSync(join(shared, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "Closed on Fridays." >&2\nexit 1\n', { mode: 0o755 });
    await button('Send').click();
    await says(/refuses them, and says: Closed on Fridays\./);
    rmSync(hook);
    benSends(1, 'Rose Cottage 1', 'Rose of Ben');
    await button('Send').click();
    await says(/your colleagues have sent newer changes\. Get them first/);
    await findNothing(page, 'remote-refused');
    await button('Look for newer changes').click();
    await page.getByText('Your colleagues have 1 newer change.').waitFor();
    await page.getByText('Ben: changed title of Rose of Ben.').waitFor();
    await button('Get it').click();
    await page.getByText('The newer changes are here.').first().waitFor();
    await page.getByText('Ben: changed title of Rose of Ben.').waitFor();
    await expect.poll(() => catalogue.read(pathOf(1))).toContain('Rose of Ben');
    await says('2 records on this computer, not sent yet.');
    await button('Send').click();
    await says('All is sent.');
    run(ben, 'pull', '--quiet');
    expect(readFileSync(join(ben, 'content', pathOf(0)), 'utf8')).toBe(mine);
  });

  it('of both are merged, and only what both changed is asked', async () => {
    benSends(2, 'Rose Cottage 2', 'Title of Ben');
    benSends(2, '7700', '7799');
    catalogue.write(pathOf(2), rose(2).replace('Rose Cottage 2', 'My title').replace('stay@', 'mine@'));
    await button('Look for newer changes').click();
    await page.getByText('Your colleagues have 2 newer changes.').waitFor();
    await findNothing(page, 'remote-newer');
    await button('Get them').click();
    const choice = page.getByRole('group', { name: 'My title: Title' });
    await choice.waitFor();
    expect(await choice.locator('.version-text').allTextContents()).toEqual(['My title', 'Title of Ben']);
    expect(await page.getByRole('radio').count()).toBe(2);
    await findNothing(page, 'remote-conflict');
    await choice.getByRole('radio', { name: /^Yours/ }).check();
    await button('Go on with these').click();
    await expect
      .poll(() => catalogue.read(pathOf(2)))
      .toBe(rose(2).replace('Rose Cottage 2', 'My title').replace('stay@', 'mine@').replace('7700', '7799'));
  });

  it('are taken back by field and by property, and a removal is undone, also after a reload', async () => {
    const file = page.locator('.changed-file', { hasText: 'My title' });
    await button('Take back Title of My title').click();
    await findNothing(page, 'take-back');
    await button('Take it back').click();
    await expect.poll(() => catalogue.read(pathOf(2))).toContain('title: Title of Ben\n');
    expect(catalogue.read(pathOf(2))).toContain('mine@');
    await file.waitFor({ state: 'detached' });
    await button('Take back Title of Ben').click();
    await button('Take it back').click();
    await says('All is sent.');
    expect(catalogue.git('status', '--porcelain')).toBe('');
    rmSync(join(catalogue.content, pathOf(3)));
    await page.reload();
    await page
      .getByRole('region', { name: 'Removed' })
      .getByRole('heading', { name: 'Rose Cottage 3' })
      .waitFor();
    await findNothing(page, 'removed');
    await button('Undo the removal of Rose Cottage 3').click();
    await expect.poll(() => catalogue.git('status', '--porcelain')).toBe('');
    expect(catalogue.read(pathOf(3))).toBe(rose(3));
  });

  it('that are kept apart are found, and the way leads back', async () => {
    catalogue.write(pathOf(3), rose(3).replace('Cottage', 'Mill'));
    await record('Mill', 'mill');
    await page.getByText('You are in mill, kept apart from main, which all share.').waitFor();
    await findNothing(page, 'apart');
    await button('Send').click();
    await says(/All is sent\. It joins main when a colleague accepts it\./);
    await button('Back to main').click();
    await expect.poll(() => catalogue.read(pathOf(3))).toBe(rose(3));
    await button('Open mill').click();
    await expect.poll(() => catalogue.read(pathOf(3))).toContain('Mill');
    await button('Back to main').click();
    await expect.poll(() => catalogue.git('branch', '--show-current')).toBe('main\n');
  });

  it('wait while nothing answers', async () => {
    catalogue.git('remote', 'set-url', 'origin', 'http://127.0.0.1:1/shared.git');
    await button('Look for newer changes').click();
    await says(/does not answer\. Nothing is lost/);
    await findNothing(page, 'offline');
    catalogue.git('remote', 'set-url', 'origin', shared);
    await button('Look for newer changes').click();
    await where()
      .getByText(/does not answer/)
      .waitFor({ state: 'detached' });
  });
});
