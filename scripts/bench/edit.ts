import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { tokenCookie } from '../../src/dev/api/session-token.ts';
import { EDIT_API_PATH, type PropertyResponse } from '../../src/editor/api.ts';
import { count } from '../table.ts';
import { makeContent, propertyFiles } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { cpuOf, type Taken } from './process.ts';
import type { Limit, Row } from './row.ts';

type Case = { readonly properties: number; readonly save: number; readonly peak?: Limit };

const CASES: readonly Case[] = [
  { properties: 10_000, save: 0.15 },
  { properties: 100_000, save: 0.5, peak: { megabytes: 1200 } },
];
const MANY = 300;
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

export async function edit(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const { isQuick, properties } = bench;
  for (const one of isQuick || properties ? CASES.slice(0, 1) : CASES) {
    if (!CHROMIUM) return rows;
    const own = { ...one, properties: properties ?? one.properties };
    makeContent(bench.folder, own.properties, [25, 100]);
    const name = `The editor, ${count(own.properties)}`;
    rows.push(...(await rowsOf(bench, own)).map((row) => ({ ...row, name: `${name}: ${row.name}` })));
    await clear(bench, 'content', 'out');
  }
  return rows;
}

async function rowsOf(bench: Bench, { save, peak = {} }: Case): Promise<Row[]> {
  const { folder, rounds } = bench;
  const { child, wait } = start(bench);
  const [address = '', url = '', token = ''] = await wait(/(http:\S+?)\/_edit\/#(\S+)/);
  const timed = async (act: () => Promise<unknown>): Promise<Taken> => {
    const [began, cpu] = [performance.now(), cpuOf(child.pid!, 11)];
    await act();
    return { seconds: (performance.now() - began) / 1000, cpuSeconds: cpuOf(child.pid!, 11) - cpu };
  };
  const browser = await chromium.launch({
    executablePath: CHROMIUM!,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage();
  const lists: number[] = [];
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (pathname === `${EDIT_API_PATH}properties`)
      lists.push(Number(await response.headerValue('content-length')));
  });
  const show = async (query = '') => {
    await page.goto('about:blank');
    await page.goto(address.replace('/#', `/${query}#`));
    await page
      .locator(query ? '.edit-bar' : '.property-row')
      .first()
      .waitFor({ timeout: 120_000 });
  };
  const first = await timed(show);
  await wait(/Updated in/);
  const again: Taken[] = [];
  for (let round = 0; round < 2 * rounds; round++) again.push(await timed(show));
  const weight = lists.at(-1)!;
  const keys: Taken[] = [];
  for (const key of ['h', 'o', 'u', 's', 'e', ' ', 'l', 'i']) keys.push(await timed(() => type(page, key)));

  const [path = ''] = propertyFiles(join(folder, 'content')).map((one) =>
    relative(join(folder, 'content'), one),
  );
  await show(`?${new URLSearchParams({ property: path })}`);
  const saves: Taken[] = [];
  for (let round = 0; round < 4 * rounds; round++) {
    await sleep(1000);
    await page.getByLabel('Title', { exact: true }).fill(`Saved ${round}`);
    saves.push(await timed(() => saved(page)));
  }
  lists.length = 0;
  const many = await timed(() => saveOften(url, token, path));
  // The list is updated after the last build has ended.
  await sleep(10_000);
  const peakBytes =
    1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
  await browser.close();
  child.kill('SIGINT');
  await once(child, 'exit');
  const limit = { seconds: 2 };
  return [
    { name: 'first list, nothing built', ours: [first], limit },
    { name: 'list', ours: again, limit, outcome: `${(weight / 1e6).toFixed(2)} MB sent` },
    { name: 'a key in the search', ours: keys, limit: { seconds: 0.1 } },
    { name: 'a save', ours: saves, limit: { seconds: save } },
    {
      name: `${MANY} saves`,
      ours: [{ ...many, peakBytes }],
      limit: peak,
      outcome: `${lists.length} requests for the list`,
    },
  ];
}

function start(bench: Bench) {
  const { file, args } = catalogue(bench, 'dev', '--content', 'content', '--out', 'out', '--port', '0');
  const child = spawn(file, args, { cwd: bench.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill());
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (text: Buffer) => {
      said += text;
    });
  const wait = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(said);
      if (found) return found;
      await sleep(5);
    }
  };
  return { child, wait };
}

/** Resolves at the frame that shows the result. */
async function type(page: Page, key: string): Promise<void> {
  await page.getByRole('searchbox').press(key === ' ' ? 'Space' : key);
  await page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

async function saved(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.locator('.edit-state').getByText('All changes are saved').waitFor();
}

/** Each save waits for the response to the previous one. */
async function saveOften(url: string, token: string, path: string): Promise<void> {
  const headers = { Cookie: tokenCookie(new URL(url).host, token), 'Content-Type': 'application/json' };
  const ask = async (name: string, init: RequestInit = {}) =>
    (await (await fetch(url + EDIT_API_PATH + name, { ...init, headers })).json()) as PropertyResponse;
  let { version } = await ask(`property?${new URLSearchParams({ path })}`);
  for (let serial = 0; serial < MANY; serial++) {
    const body = JSON.stringify({ path, version, fields: { title: `Saved again ${serial}` } });
    ({ version } = await ask('save', { method: 'POST', body }));
  }
}
