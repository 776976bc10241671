/** Searching and paging in the explorer, and what it shows of its requests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { CityList, Countries } from '../../src/contract/document-schemas.ts';
import type { Page } from '../../src/contract/property.ts';
import { heading, isPassedOver, titles, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the search', async () => {
  const explorer = await useExplorer();
  const titlesOf = ({ data }: Page) => data.map(({ title }) => title);

  it.each(WIDTHS)('%s: finds properties by country and city, with the keyboard', async (_name, size) => {
    const page = await explorer.visit('', size);
    await heading(page, /^\d+ properties$/);
    expect(await titles(page)).toEqual(titlesOf(await explorer.ask<Page>('?page[size]=25')));

    const irish = await explorer.ask<Page>('?filter[country]=IE');
    await page.getByLabel('Country').selectOption('IE');
    await heading(page, `${irish.meta.pagination.total_entries} properties in Ireland`);
    expect(await titles(page)).toEqual(titlesOf(irish));

    const dublin = await explorer.ask<Page>('?filter[country]=IE&filter[city]=Dublin');
    const field = page.getByRole('combobox', { name: 'City' });
    await field.focus();
    await field.pressSequentially('dubl');
    const option = page.locator('[role=option]').first();
    await option.waitFor();
    expect(await option.textContent()).toContain(String(dublin.meta.pagination.total_entries));
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Enter');
    await heading(page, `${dublin.meta.pagination.total_entries} properties in Dublin, Ireland`);
    expect(new URL(page.url()).search).toBe('?country=IE&city=Dublin');
    expect(await titles(page)).toEqual(titlesOf(dublin));
    expect(explorer.complaints).toEqual([]);
  });

  it.each(WIDTHS)('%s: turns pages, and goes back and forward', async (_name, size) => {
    const page = await explorer.visit('?country=IE', size);
    await heading(page, /properties in Ireland/);
    const first = await titles(page);
    await page.getByRole('link', { name: 'Next page' }).click();
    await until(page, 'location.search.includes("page=2")');
    const second = titlesOf(await explorer.ask<Page>('?filter[country]=IE&page[number]=2'));
    await page.getByText(second[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(second);
    expect(await page.locator('[aria-current=page]').textContent()).toContain('2');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');

    await page.goBack();
    await page.getByText(first[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(first);
    await page.goForward();
    await page.getByText(second[0]!, { exact: true }).first().waitFor();

    // 26 to 50 of 25 are within 1 to 100 of 100.
    await page.getByLabel('Per page').selectOption('100');
    await until(page, 'document.querySelectorAll(".cards > li").length === 100');
    expect(new URL(page.url()).search).toBe('?country=IE&size=100');
    expect(await page.getByLabel('Per page').locator('option').allTextContents()).toEqual([
      '1 per page',
      '25 per page',
      '100 per page',
    ]);
    expect(explorer.complaints).toEqual([]);
  });

  it('returns to the card that was left', async () => {
    const page = await explorer.visit('?country=IE');
    const link = page.locator('.cards h2 a').nth(20);
    await link.waitFor();
    await link.scrollIntoViewIfNeeded();
    // The position is stored when scrolling has ended.
    await until(page, 'history.state?.scroll > 0');
    const before = await page.evaluate('scrollY');
    await link.click();
    await page.getByRole('link', { name: 'All results' }).waitFor();
    await page.goBack();
    await until(page, `scrollY === ${before}`);
    await until(page, 'document.activeElement.matches(".cards h2 a")');
  });

  it('reports an empty result, and suggests where there are properties', async () => {
    const page = await explorer.visit('?city=dublin');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('link', { name: /^Dublin, Ireland/ }).click();
    await heading(page, /properties in Dublin, Ireland/);
    await page.goto(`${explorer.url}/?country=GR&page=9`);
    await page.getByRole('link', { name: 'page 1' }).click();
    await heading(page, /properties in Greece/);
    expect(explorer.complaints).toEqual([]);
  });

  /** Countries whose city lists were requested. */
  const listed = () =>
    explorer.requests.flatMap((url) => /\/_catalogue\/countries\/(\w+)\.json$/.exec(url)?.[1] ?? []);

  it('loads the city lists of the countries whose cities it suggests, once, and no others', async () => {
    for (const start of ['', '?country=IE', '?country=IE&city=Dublin']) {
      const page = await explorer.visit(start);
      await page.getByText(/properties on the map/).waitFor();
      expect(listed(), start).toEqual([]);
    }
    const page = await explorer.visit('?country=IE');
    const field = page.getByRole('combobox', { name: 'City' });
    await field.focus();
    const { cities } = (await (
      await fetch(`${explorer.url}/_catalogue/countries/IE.json`)
    ).json()) as CityList;
    const most = Math.max(...cities.map(({ properties }) => properties));
    await page
      .locator('[role=option]', { hasText: String(most) })
      .first()
      .waitFor();
    expect(listed()).toEqual(['IE']);
    await page.getByLabel('Country').selectOption('GR');
    await heading(page, /Greece/);
    expect(listed()).toEqual(['IE']);
    await page.getByRole('link', { name: 'Clear' }).click();
    await heading(page, /^372/);
    await field.fill('αθ');
    await page.getByRole('option', { name: /^Αθήνα Greece/ }).waitFor();
    const { countries } = (await (
      await fetch(`${explorer.url}/_catalogue/countries.json`)
    ).json()) as Countries;
    expect(listed().sort()).toEqual(countries.map(({ code }) => code).sort());
    expect(explorer.complaints).toEqual([]);
  });

  it('loads more than 50,000 cities only on request, and suggests those of a chosen country', async () => {
    await explorer.context.route('**/_catalogue/countries.json', async (route) => {
      const response = await route.fetch();
      const countries = (await response.json()) as Countries;
      countries.countries.find(({ code }) => code === 'IE')!.cities = 60_000;
      await route.fulfill({ response, json: countries });
    });
    try {
      const page = await explorer.visit('?city=athens');
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      const field = page.getByRole('combobox', { name: 'City' });
      await field.fill('madrid');
      await page.getByText(/^All 60,\d+ cities are many to load/).waitFor();
      await field.press('Enter');
      // The name is taken as it is.
      await until(page, 'location.search === "?city=madrid"');
      expect(listed()).toEqual([]);
      await page.getByLabel('Country').selectOption('ES');
      await until(page, 'location.search.includes("country=ES")');
      await field.fill('madr');
      await page.getByRole('option', { name: /^Madrid Spain/ }).waitFor();
      expect(await page.locator('.notice.small').count()).toBe(0);
      expect(listed()).toEqual(['ES']);
      await page.getByRole('link', { name: 'Clear' }).click();
      await until(page, 'location.search === ""');
      await field.fill('αθ');
      await page.getByRole('button', { name: 'Load all' }).click();
      await page.getByRole('button', { name: 'Load all' }).waitFor({ state: 'detached' });
      await field.press('ArrowDown');
      await page.getByRole('option', { name: /^Αθήνα Greece/ }).waitFor();
      expect(listed().length).toBe(12);
      expect(explorer.complaints).toEqual([]);
    } finally {
      await explorer.context.unrouteAll();
    }
  });

  it('waits for the cities that a search depends on, unless the view changes meanwhile', async () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await explorer.context.route('**/_catalogue/countries/*.json', async (route) => {
      await opened;
      await route.continue();
    });
    try {
      const page = await explorer.visit('');
      await heading(page, /^372/);
      const field = page.getByRole('combobox', { name: 'City' });
      await field.fill('madrid');
      await field.press('Enter');
      await page.getByRole('link', { name: 'Next page' }).click();
      await until(page, 'location.search === "?page=2"');
      await field.fill('αθηνα');
      await field.press('Enter');
      open();
      await heading(page, /in Αθήνα, Greece/);
      expect(explorer.complaints).toEqual([]);
    } finally {
      open();
      await explorer.context.unrouteAll();
    }
  });

  it('leaves the focus to a reader who types before the next page is shown', async () => {
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    await explorer.context.route(/number%5D=2|number]=2/, async (route) => {
      await shown;
      await route.continue();
    });
    try {
      const page = await explorer.visit('');
      await heading(page, /^372/);
      const before = await titles(page);
      await page.getByRole('link', { name: 'Next page' }).click();
      const field = page.getByRole('combobox', { name: 'City' });
      await field.fill('madrid');
      show();
      await expect.poll(() => titles(page)).not.toEqual(before);
      expect(await field.evaluate((one) => one.matches(':focus'))).toBe(true);
      await page.keyboard.press('Enter');
      await heading(page, /in Madrid,/);
    } finally {
      show();
      await explorer.context.unrouteAll();
    }
  });

  it('takes the city that is meant when Enter is pressed: madrid, ΑΘΗΝΑ, sant llu (F)', async () => {
    const page = await explorer.visit('');
    await heading(page, /^372 properties/);
    const field = page.getByRole('combobox', { name: 'City' });
    for (const [typed, city] of [
      ['madrid', 'Madrid'],
      ['ΑΘΗΝΑ', 'Αθήνα'],
      ['sant llu', 'Sant Lluís'],
    ] as const) {
      await field.fill(typed);
      await field.press('Enter');
      await heading(page, new RegExp(`in ${city},`));
      expect(await field.inputValue()).toBe(city);
      expect(await page.locator('.suggestions:visible').count()).toBe(0);
      await page.getByRole('link', { name: 'Clear' }).click();
      await heading(page, /^372 properties/);
    }
    expect(explorer.complaints).toEqual([]);
  });

  it('keeps the focus in the form when Tab leaves the city field and its list (F)', async () => {
    const page = await explorer.visit('?country=IE');
    await heading(page, /Ireland/);
    await page.getByRole('combobox', { name: 'City' }).focus();
    await page.locator('[role=option]').first().waitFor();
    expect(
      await page.evaluate(
        '(() => { const list = document.querySelector(".suggestions"); return list.scrollHeight > list.clientHeight; })()',
      ),
    ).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('Name');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('City');
  });

  it.each(WIDTHS)(
    '%s: finds properties by parts of names, in a country and everywhere (F)',
    async (_name, size) => {
      const page = await explorer.visit('?country=IE', size);
      await heading(page, /Ireland/);
      const field = page.getByRole('combobox', { name: 'Name' });
      await field.focus();
      await field.pressSequentially('DZOGCHÉN');
      await page.getByRole('option', { name: /Dzogchen Beara Retreat Centre/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await heading(page, 'Dzogchen Beara Retreat Centre');
      await page.goBack();
      await heading(page, /properties in Ireland/);

      await page.goto(`${explorer.url}/`);
      await heading(page, /^372/);
      await page.getByRole('combobox', { name: 'Name' }).fill('farm hou');
      await page.keyboard.press('Enter');
      await heading(page, /named “farm hou”/);
      expect(new URL(page.url()).search).toBe('?name=farm+hou');
      const all: string[] = [];
      for (const number of [1, 2, 3, 4]) {
        all.push(...titlesOf(await explorer.ask<Page>(`?page[size]=100&page[number]=${number}`)));
      }
      const expected = all.filter((title) => /\bfarm/i.test(title) && /\bhou/i.test(title));
      expect(expected.length).toBeGreaterThan(0);
      const found = await titles(page);
      expect(found.slice(0, expected.length).sort()).toEqual(expected.sort());
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
      await page.goto(`${explorer.url}/?country=GR&name=zzz`);
      await page.getByRole('link', { name: 'Search everywhere' }).click();
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      expect(explorer.complaints).toEqual([]);
    },
  );

  it('shows cards of one width, with town and facts, however many they are', async () => {
    const page = await explorer.visit('?country=IE&city=Galway');
    for (const width of [1280, 1000, 800, 700, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('.cards > li').nth(3).waitFor();
      const widths = await page
        .locator('.cards > li')
        .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().width)));
      expect(new Set(widths).size, String(width)).toBe(1);
    }
    await page.locator('.cards .facts li').first().waitFor();
    expect(await page.locator('.cards > li').last().locator('.quiet').textContent()).toBe('Galway, Ireland');
  });

  it('sorts by name what the lists of the API have by town', async () => {
    const page = await explorer.visit('?country=IE');
    await page.getByLabel('Order').selectOption('name');
    await until(page, 'location.search.includes("order=name")');
    const { compare } = new Intl.Collator('en', { numeric: true });
    await expect
      .poll(async () => {
        const shown = await titles(page);
        return (
          shown.length === 25 &&
          shown.every((title, index) => index === 0 || compare(shown[index - 1]!, title) <= 0)
        );
      })
      .toBe(true);
    await page.locator('.card-picture img').first().waitFor();
  });

  it('describes a failure in words, and tries again', async () => {
    const page = await explorer.visit('?country=Ireland');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'Invalid country' }).waitFor();
    const { detail } = await explorer.ask<{ detail: string }>('?filter[country]=Ireland');
    await alert.getByText(detail).waitFor();
    await alert.getByRole('link').click();
    await page.locator(':target h2').waitFor();

    await page.route('**/api/v1/public/properties?*', (route) => route.abort());
    await page.goto(`${explorer.url}/?country=GR`);
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.unroute('**/api/v1/public/properties?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, /properties in Greece/);
  });

  it('shows every request, as a URL and as an equivalent curl line', async () => {
    await explorer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await explorer.visit('?country=GR&city=Αθήνα');
    const { data } = await explorer.ask<Page>('?filter[country]=GR&filter[city]=Αθήνα');
    await page.getByText(`${data.length} properties on the map`).waitFor();
    await page.getByText('For developers', { exact: true }).click();
    await page.getByRole('button', { name: /^\d+ requests$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Requests of this page' });
    const listed = await dialog.locator('.request-list li code:first-of-type').allTextContents();
    // One that was aborted, and sent again, is listed once.
    const made = new Set(
      explorer.requests.filter((url) =>
        /\/api\/|\/countries|\/_catalogue\/(?:current|roots|chunks|facets)/.test(url),
      ),
    );
    expect(listed.sort()).toEqual([...made].sort());
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Copy curl line' }).click();
    await page.getByText('Copied').first().waitFor({ state: 'attached' });
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(line).toMatch(/^curl /);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --fail`]);
    expect(JSON.parse(stdout).data).toEqual(data);
    expect(explorer.complaints).toEqual([]);
  });
});
