/**
 * From "saved" to "sent", and back from colleagues, with the keyboard alone in Chromium, against a real session with a
 * bare repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Workspace } from '../compile/workspace.ts';
import { configureGit, run } from '../dev/git/repository.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { runCli } from '../support/run-cli.ts';
import { serveFiles } from '../support/served-files.ts';
import { DESKTOP, findNothing, RESULTS, SIZES } from './axe.ts';
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
const LISTS = `photo:
  - file: ../../photos/flats-golden-1.jpg
    description: The front
facilities:
  - wifi
hotel_policy:
  - policy_type: check_in
    detail: From three.
payment_method:
  - is_enabled: true
    method_type: direct
`;
/** A title of one person, an entry more in each list, and other words in entries that were there. */
const changedBy = (person: string, photo: number, facility: string, policy: string, isEnabled: boolean) =>
  `${rose(2)}${LISTS}`
    .replace('Rose Cottage 2', `Title of ${person}`)
    .replace('The front', `Front of ${person}`)
    .replace('facilities:', `  - file: ../../photos/flats-golden-${photo}.jpg\nfacilities:`)
    .replace('  - wifi', `  - wifi\n  - ${facility}`)
    .replace('From three.', `Time of ${person}.`)
    .replace('payment_method:', `  - policy_type: ${policy}\n    detail: Of ${person}.\npayment_method:`)
    .concat(`  - is_enabled: ${isEnabled}\n    method_type: property\n`);

const pathOf = (number: number) => `properties/ie/rose-${number}.yaml`;
const FILES = Object.fromEntries(
  Array.from({ length: 4 }, (_, number) => [pathOf(number), rose(number) + (number === 2 ? LISTS : '')]),
);

describe.skipIf(!findChromium() && process.env.CI !== 'true').each(SIZES)('the changes, %s,', (_, size) => {
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
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address('?view=changes'));
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });
  const { press, tabTo, type } = keyboardOf(() => page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const where = () => page.getByRole('region', { name: 'Where your changes are' });
  const look = async (name: string) => {
    if (size === DESKTOP) await findNothing(page, name);
  };
  const says = (words: string | RegExp) => where().getByText(words).waitFor();
  const benSends = (number: number, text: string | undefined, ...how: readonly string[]) => {
    run(ben, 'pull', '--quiet');
    const file = join(ben, 'content', pathOf(number));
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    run(ben, 'commit', '--all', '--quiet', '--message=Of Ben', ...how);
    run(ben, 'push', '--quiet', '--force');
  };
  const benReads = (number: number) => {
    run(ben, 'pull', '--quiet');
    return readFileSync(join(ben, 'content', pathOf(number)), 'utf8');
  };
  const record = async (message: string, apart = '') => {
    await page.getByLabel('What was changed, and why').waitFor();
    await type('What was changed, and why', message);
    await type('Keep apart, under a name (optional)', apart);
    await press('Record');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
  };

  it('are saved, recorded and sent, and the page says which', async () => {
    await says('All is sent.');
    catalogue.write(pathOf(0), rose(0).replace('Cottage 0', 'House 0'));
    await says('1 change saved here, not recorded yet.');
    await look('remote-saved');
    await record('Title of rose 0');
    await says('1 record on this computer, not sent yet.');
    await look('remote-recorded');
    await press('Send');
    await says('All is sent.');
    expect(run(shared, 'log', '-1', '--format=%s', 'main').trim()).toBe('Title of rose 0');
    await look('remote-sent');
  });

  it('say in plain words why they are not sent, and lose nothing', async () => {
    const mine = rose(0).replace('Cottage 0', 'Barn 0');
    catalogue.write(pathOf(0), mine);
    await says('1 change saved here, not recorded yet.');
    await record('Barn');
    const hook = join(shared, 'hooks/pre-receive');
    mkdirSync(join(shared, 'hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "Closed on Fridays." >&2\nexit 1\n', { mode: 0o755 });
    await press('Send');
    await says(/refuses them, and says: Closed on Fridays\./);
    rmSync(hook);
    benSends(1, rose(1).replace('Rose Cottage 1', 'Rose of Ben'));
    await press('Send');
    await says(/your colleagues have sent newer changes\. Get them first/);
    await look('remote-refused');
    await page.getByText('Your colleagues have 1 newer change.').waitFor();
    await page.getByText('Ben: changed title of Rose of Ben.').waitFor();
    await press('Get it');
    await page.getByText('The newer changes are here.').first().waitFor();
    await page.getByText('Ben: changed title of Rose of Ben.').waitFor();
    await expect.poll(() => catalogue.read(pathOf(1))).toContain('Rose of Ben');
    await says('2 records on this computer, not sent yet.');
    await press('Send');
    await says('All is sent.');
    expect(benReads(0)).toBe(mine);
  });

  it('of a colleague who moved the branch to other records join those that were here', async () => {
    // Ben replaces the last record, which both have, by one that also changes another property.
    benSends(3, rose(3).replace('7700', '7733'), '--amend');
    await press('Look for newer changes');
    await page.getByText('Your colleagues have 1 newer change.').waitFor();
    await press('Get it');
    await expect.poll(() => catalogue.read(pathOf(3))).toContain('7733');
    expect(catalogue.read(pathOf(0))).toContain('Barn 0');
    await press('Send');
    await says('All is sent.');
    expect(benReads(0)).toContain('Barn 0');
  });

  it('of both are merged by entry, and only what both changed is asked', async () => {
    benSends(2, changedBy('Ben', 3, 'bar', 'pets', false).replace('7700', '7799'));
    benSends(1, undefined);
    catalogue.write(pathOf(2), changedBy('Ada', 2, 'parking', 'check_out', true).replace('stay@', 'mine@'));
    catalogue.write(pathOf(1), rose(1).replace('Rose Cottage 1', 'Mine'));
    await press('Look for newer changes');
    await page.getByText('Your colleagues have 2 newer changes.').waitFor();
    await look('remote-newer');
    await press('Get them');
    const texts = (label: string) =>
      page.getByRole('group', { name: label }).locator('.version-text').allTextContents();
    const chosen = { Title: 'Space', Photo: 'ArrowDown', Policy: 'Space', 'Payment method': 'ArrowDown' };
    for (const [label, key] of Object.entries(chosen)) {
      await tabTo(`Title of Ada: ${label}`);
      await page.keyboard.press(key);
    }
    expect(await texts('Title of Ada: Title')).toEqual(['Title of Ada', 'Title of Ben']);
    expect((await texts('Title of Ada: Photo')).map((text) => text.split('\n').length)).toEqual([3, 3]);
    expect(await page.getByRole('radio').count()).toBe(10);
    await look('remote-conflict');
    await tabTo('Mine: the whole file');
    await page.keyboard.press('ArrowDown');
    await press('Go on with these');
    await expect
      .poll(() => parse(catalogue.read(pathOf(2))))
      .toEqual({
        ...parse(rose(2)),
        ...{ title: 'Title of Ada', email: 'mine@rose.example', phone: '+353 1 605 7799' },
        photo: [
          { file: '../../photos/flats-golden-1.jpg', description: 'Front of Ben' },
          { file: '../../photos/flats-golden-2.jpg' },
          { file: '../../photos/flats-golden-3.jpg' },
        ],
        facilities: ['wifi', 'parking', 'bar'],
        hotel_policy: [
          { policy_type: 'check_in', detail: 'Time of Ada.' },
          { policy_type: 'check_out', detail: 'Of Ada.' },
          { policy_type: 'pets', detail: 'Of Ben.' },
        ],
        payment_method: [
          { is_enabled: true, method_type: 'direct' },
          { is_enabled: false, method_type: 'property' },
        ],
      });
    expect(existsSync(join(catalogue.content, pathOf(1)))).toBe(false);
  });

  it('are taken back by field and by property, and a removal is undone, also after a reload', async () => {
    const file = page.locator('.changed-file', { hasText: 'Title of Ada' });
    await press('Take back Title of Title of Ada');
    await page.getByText('It becomes “Title of Ben” again.').waitFor();
    await look('take-back');
    await press('Take it back');
    await expect.poll(() => catalogue.read(pathOf(2))).toContain('title: Title of Ben\n');
    expect(catalogue.read(pathOf(2))).toContain('mine@');
    await file.waitFor({ state: 'detached' });
    await page.getByText('Taken back: Title of Title of Ada.').waitFor();
    await look('taken-back');
    await page.screenshot({ path: join(RESULTS, `taken-back-${size.width}.png`) });
    await press('Undo', 'Shift+Tab');
    await expect.poll(() => catalogue.read(pathOf(2))).toContain('title: Title of Ada\n');
    await press('Take back Title of Ada');
    await press('Take it back');
    await says('All is sent.');
    expect(catalogue.git('status', '--porcelain')).toBe('');
    await press('Close', 'Shift+Tab');
    expect(await page.getByText(/^Taken back/).count()).toBe(0);
    rmSync(join(catalogue.content, pathOf(3)));
    await page.reload();
    await page
      .getByRole('region', { name: 'Removed' })
      .getByRole('heading', { name: 'Rose Cottage 3' })
      .waitFor();
    await look('removed');
    await press('Undo the removal of Rose Cottage 3');
    await expect.poll(() => catalogue.git('status', '--porcelain')).toBe('');
    expect(catalogue.read(pathOf(3))).toBe(rose(3).replace('7700', '7733'));
  });

  it('that bring an error are not recorded, and the page leads to them (C4)', async () => {
    const text = catalogue.read(pathOf(3));
    catalogue.write(pathOf(3), text.replace('country: IE', 'country: Irland'));
    await page.getByText('Recorded like this, nothing new').waitFor();
    expect(await button('Record').getAttribute('aria-disabled')).toBe('true');
    await look('record-refused');
    await tabTo('Record');
    await press('Rose Cottage 3', 'Shift+Tab');
    await page.getByRole('combobox', { name: 'Country', exact: true }).waitFor();
    await type('Country', 'Ireland');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => catalogue.read(pathOf(3))).toBe(text);
    await press(/^Changes/, 'Shift+Tab');
    await says('All is sent.');
  });

  it('that are kept apart are found, and the way leads back', async () => {
    const text = catalogue.read(pathOf(3));
    catalogue.write(pathOf(3), text.replace('Cottage', 'Mill'));
    await record('Mill', 'mill');
    await page.getByText('You are in mill, kept apart from main, which all share.').waitFor();
    await look('apart');
    await press('Send');
    await says(/All is sent\. It joins main when a colleague accepts it\./);
    await press('Back to main');
    await expect.poll(() => catalogue.read(pathOf(3))).toBe(text);
    await press('Open mill');
    await expect.poll(() => catalogue.read(pathOf(3))).toContain('Mill');
    await press('Back to main');
    await expect.poll(() => catalogue.git('branch', '--show-current')).toBe('main\n');
  });

  it('of a merge that git left are chosen by field beside what is typed, and a record finishes it', async () => {
    const text = catalogue.read(pathOf(3));
    benSends(3, text.replace('Cottage 3', 'of Ben').replace('EUR', 'GBP').replace('Galway', 'Cork'));
    catalogue.write(pathOf(3), text.replace('Cottage', 'Farm'));
    await press('Rose Farm 3');
    const email = page.getByRole('textbox', { name: 'E-mail (recommended)' });
    await email.fill('typed@rose.example');
    catalogue.git('commit', '--all', '--quiet', '--message=Farm');
    catalogue.git('fetch', '--quiet');
    expect(() => catalogue.git('merge', '--quiet', 'origin/main')).toThrow();
    await page.getByRole('heading', { name: 'A merge was not finished' }).waitFor();
    await page.getByText('What you typed and did not save is kept').waitFor();
    await page.getByText('Currency: British Pound').waitFor();
    expect(await page.getByText('was saved meanwhile').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(0);
    const side = (name: string) => page.getByRole('radio', { name });
    await tabTo('Title');
    await page.keyboard.press('ArrowDown');
    await look('merge-left');
    const marked = catalogue.read(pathOf(3));
    catalogue.write(pathOf(3), marked.replace('currency:', '# Of both.\ncurrency:'));
    await page.locator('.source').getByText('# Of both.').waitFor({ state: 'attached' });
    expect(await side("Your colleagues' Rose of Ben").isChecked()).toBe(true);
    await page.reload();
    await press('Continue with what you typed');
    await page.getByText('Then the form opens').waitFor();
    await expect.poll(() => side("Your colleagues' Rose of Ben").isChecked()).toBe(true);
    catalogue.write(pathOf(3), marked.replace('Rose of Ben', 'Rose of Ben and Lena'));
    await page.getByText('The file changed meanwhile: choose again.').waitFor();
    await page.screenshot({ path: join(RESULTS, `merge-left-${size.width}.png`), fullPage: true });
    await side('Yours Rose Farm 3').check();
    await press('Save these');
    await expect.poll(() => email.inputValue()).toBe('typed@rose.example');
    await page.keyboard.press('Control+s');
    await expect.poll(() => catalogue.read(pathOf(3))).toContain('typed@');
    await press(/^Changes/, 'Shift+Tab');
    await page.getByText('Record these changes: that finishes it.').first().waitFor();
    await says(/^1 change saved here/);
    await look('merge-ready');
    await page.screenshot({ path: join(RESULTS, `merge-ready-${size.width}.png`), fullPage: true });
    for (const name of [/^Take back/, 'Send', /^Get/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await press('Record');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    await press('Send');
    await says('All is sent.');
    expect(catalogue.git('log', '-1', '--format=%p').split(' ')).toHaveLength(2);
    expect(parse(benReads(3))).toMatchObject({
      title: 'Rose Farm 3',
      city: 'Cork',
      currency: 'GBP',
      email: 'typed@rose.example',
    });
  });

  it('of a merge that no text can join are chosen as a whole, and a commit in a terminal is seen at once', async () => {
    const text = catalogue.read(pathOf(3));
    const photo = 'photos/flats-golden-1.jpg';
    const photoOf = (content: string, other: string) =>
      cpSync(join(catalogue.content, `photos/flats-golden-${other}.jpg`), join(content, photo));
    const [mine, theirs] = ['2', '3'].map((number) =>
      readFileSync(join(catalogue.content, `photos/flats-golden-${number}.jpg`)),
    );
    run(ben, 'pull', '--quiet');
    photoOf(join(ben, 'content'), '3');
    benSends(3, undefined);
    photoOf(catalogue.content, '2');
    catalogue.write(pathOf(3), text.replace('Farm', 'Yard').replace('Cork', 'Sligo'));
    await page.getByRole('link', { name: 'Rose Yard 3' }).waitFor();
    catalogue.git('commit', '--all', '--quiet', '--message=Yard');
    await says('1 record on this computer, not sent yet.');
    catalogue.git('fetch', '--quiet');
    expect(() => catalogue.git('merge', '--quiet', 'origin/main')).toThrow();
    await page.getByText(`Choose which version to keep of: ${photo}, Rose Yard 3.`).first().waitFor();
    const side = (name: string) => page.getByRole('radio', { name });
    await side('Yours Keep this property Title: Rose Yard 3 City: Sligo').waitFor();
    await tabTo(photo);
    await page.keyboard.press('ArrowDown');
    await page.reload();
    await expect.poll(() => side(`Your colleagues' ${photo}`).isChecked()).toBe(true);
    await expect
      .poll(() =>
        page
          .locator('.version-photo')
          .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
      )
      .toEqual([640, 640]);
    await tabTo('Rose Yard 3');
    await page.keyboard.press('Space');
    await look('merge-whole');
    await page.screenshot({ path: join(RESULTS, `merge-whole-${size.width}.png`), fullPage: true });
    expect(readFileSync(join(catalogue.content, photo))).toEqual(mine);
    await press('Save these');
    await page.getByText('Record these changes: that finishes it.').first().waitFor();
    expect(readFileSync(join(catalogue.content, photo))).toEqual(theirs);
    catalogue.git('commit', '--quiet', '--message=Join');
    await page.getByText('Record these changes').waitFor({ state: 'detached' });
    await says('2 records on this computer, not sent yet.');
    await press('Send');
    await says('All is sent.');
    expect(benReads(3)).toContain('Rose Yard 3');
  });

  it('that git puts on top of newer ones are finished in the terminal, and the page says how', async () => {
    const text = catalogue.read(pathOf(3));
    benSends(3, text.replace('Yard', 'Mill'));
    catalogue.write(pathOf(3), text.replace('Yard', 'Barn'));
    await says('1 change saved here, not recorded yet.');
    catalogue.git('commit', '--all', '--quiet', '--message=Barn');
    catalogue.git('fetch', '--quiet');
    expect(() => catalogue.git('rebase', '--quiet', 'origin/main')).toThrow();
    await page
      .getByText(/git rebase --continue/)
      .first()
      .waitFor();
    await look('rebase');
    await page.screenshot({ path: join(RESULTS, `rebase-${size.width}.png`), fullPage: true });
    expect(await page.getByText('An earlier state').count()).toBe(0);
    for (const name of [/^Take back/, /^Back to/, 'Send', /^Get/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('status').getByRole('link', { name: 'Rose Mill 3' }).click();
    await page.getByRole('radio', { name: "Your colleagues' Rose Mill 3" }).waitFor();
    await page.getByRole('radio', { name: 'Yours Rose Barn 3' }).waitFor();
    catalogue.git('rebase', '--abort');
    catalogue.git('reset', '--quiet', '--hard', 'origin/main');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).inputValue())
      .toBe('Rose Mill 3');
    await press(/^Changes/, 'Shift+Tab');
    await says('All is sent.');
  });

  it('wait while nothing answers', async () => {
    catalogue.git('remote', 'set-url', 'origin', 'http://127.0.0.1:1/shared.git');
    catalogue.write(pathOf(0), rose(0).replace('Cottage 0', 'Rose of the night'));
    await record('Offline');
    await press('Send');
    await says(/does not answer\. Nothing is lost/);
    await says('1 record on this computer, not sent yet.');
    await look('offline');
    catalogue.git('remote', 'set-url', 'origin', shared);
    await press('Send');
    await says('All is sent.');
    expect(benReads(0)).toContain('Rose of the night');
  });

  it('are live once they are published, and only then', async () => {
    const top = join(catalogue.content, '..');
    const bucket = join(top, 'dist/bucket');
    // A name of this computer that does not say so.
    const url = (await serveFiles(bucket, '/stays')).replace('127.0.0.1', '0.0.0.0');
    const publish = () => {
      for (const args of [['build'], ['publish', `dir:${bucket}`]])
        expect(runCli({ root: top } as Workspace, [...args, '--out', 'dist/site']).status).toBe(0);
    };
    const isLive = where().locator('li.done', { hasText: 'Live' });
    await says(/has no address on the internet\. Ask the colleague/);
    catalogue.write('catalogue.yaml', `${catalogue.read('catalogue.yaml')}base_url: ${url}\n`);
    await page.locator('.changed-file', { hasText: 'Settings of the catalogue' }).waitFor();
    await record('Address');
    await press('Send');
    await says(/cannot be known from here/);
    publish();
    await press('Look for newer changes');
    await says('All is sent, and guests see it.');
    await isLive.waitFor();
    await look('live');
    catalogue.write(pathOf(0), rose(0).replace('Cottage 0', 'Rose of the day'));
    await isLive.waitFor({ state: 'detached' });
    await record('Day');
    await press('Send');
    await says('All is sent. Guests see it after the next publication.');
    publish();
    await press('Look for newer changes');
    await isLive.waitFor();
  });
});
