/** `catalogue init`. */
import { spawnSync } from 'node:child_process';
import { basename, join, relative, resolve } from 'node:path';
import pico from 'picocolors';
import { COUNTRIES } from '../contract/tables/countries.ts';
import { CURRENCIES } from '../contract/tables/currencies.ts';
import { UsageError } from '../errors.ts';
import { makeFolder } from '../folder.ts';
import { printable } from '../printable.ts';
import { type Start, type Started, writeStarter } from '../start/starter.ts';
import { plural } from '../words.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type InitArguments = {
  title?: string;
  baseUrl?: string;
  country?: string;
  currency?: string;
  yes: boolean;
  install: boolean;
};

/** Exit code of a command that was interrupted. */
const GIVEN_UP = 130;

/** Asks for what is not given, writes the repository, and installs what it needs. Returns the exit code. */
export async function runInit(folder: string, args: InitArguments): Promise<number> {
  const { askStart, currencyOf, settingProblem } = await import('../start/questions.ts');
  const root = resolve(folder);
  const country = args.country ?? usualCountry();
  const usual: Start = {
    title: titleOf(root),
    baseUrl: 'http://localhost:8080',
    country,
    currency: currencyOf(country) ?? 'EUR',
  };
  const { title, baseUrl, currency } = args;
  refuse('title', title === undefined ? undefined : settingProblem('title', title));
  refuse('base-url', baseUrl === undefined ? undefined : settingProblem('base_url', baseUrl));
  refuse('country', codeProblem(args.country, COUNTRIES, 'ISO 3166-1 alpha-2', 'IE'));
  refuse('currency', codeProblem(currency, CURRENCIES, 'ISO 4217', 'EUR'));
  const isAsked = !args.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const start = isAsked
    ? await askStart({ ...args }, usual)
    : { ...usual, ...defined({ title, baseUrl, country: args.country, currency }) };
  if (!start) return GIVEN_UP;
  makeFolder(root);
  const started = writeStarter(root, start);
  const isInstalled = args.install && install(root);
  report(root, started, isInstalled);
  return 0;
}

function refuse(option: string, problem: string | undefined): void {
  if (problem) throw new UsageError('invalid-option', `--${option}: ${problem}`);
}

function codeProblem(code: string | undefined, table: object, standard: string, example: string) {
  if (code === undefined || Object.hasOwn(table, code)) return undefined;
  return `${printable(code)} is no code of ${standard}. Give one such as ${example}, in capitals.`;
}

function defined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<Value>;
}

/** The country of this machine's locale (POSIX, 8.2). */
function usualCountry(): string {
  const { LC_ALL, LANG } = process.env;
  const [, country = ''] = /^[a-z]{2,3}_([A-Z]{2})\b/.exec(LC_ALL || LANG || '') ?? [];
  return Object.hasOwn(COUNTRIES, country) ? country : 'IE';
}

/** "Sea stays" of `sea-stays`. */
function titleOf(root: string): string {
  const words = printable(basename(root))
    .replace(/[-_.\s]+/g, ' ')
    .trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Property catalogue';
}

/** Installs with the package manager that runs this command, or with npm. Returns whether it went well. */
function install(root: string): boolean {
  terminal().err('Installing what it needs\n');
  const { npm_execpath } = process.env;
  const isScript = npm_execpath !== undefined && /\.[cm]?js$/.test(npm_execpath);
  const [program, args] = isScript ? [process.execPath, [npm_execpath, 'install']] : ['npm', ['install']];
  const { status } = spawnSync(program, args, {
    cwd: root,
    // Standard output is for the list of files.
    stdio: ['ignore', 2, 2],
    shell: !isScript && process.platform === 'win32',
    env: {
      ...process.env,
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_loglevel: 'error',
    },
  });
  return status === 0;
}

function report(root: string, { written, left }: Started, isInstalled: boolean): void {
  const { out, err, color } = terminal();
  const colors = pico.createColors(color);
  const place = relative('.', root);
  for (const path of written) out(`${printable(join(place, path))}\n`);
  for (const path of left) err(`Left as it was: ${printable(join(place, path))}\n`);
  err(`Wrote ${plural(written.length, 'file')}${place === '' ? '' : ` to ${printable(place)}`}. Next:\n\n`);
  const steps = [
    ...(place === '' ? [] : [`cd ${/^[\w./\\-]+$/.test(place) ? place : JSON.stringify(place)}`]),
    ...(isInstalled ? [] : ['npm install']),
    'npm run dev',
  ];
  for (const step of steps) err(`  ${colors.bold(printable(step))}\n`);
}
