import { spawnSync } from 'node:child_process';
import { basename, resolve } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { HOST_NAMES } from '../contract/hosts.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { makeFolder } from '../files/files-and-folders.ts';
import { documentationUrl } from '../package/documentation.ts';
import { reportInit } from '../report/init.ts';
import type { StarterSettings } from '../start/starter.ts';
import { printable } from '../text/printable.ts';
import { actionWithExitCode, createCommand, EXIT_CANCELLED } from './command.ts';
import { terminal } from './terminal.ts';

export const initCommand = () =>
  createCommand('init', {
    does: 'start a catalogue: a repository with an example, checks and workflows',
    examples: ['init stays', 'init stays --yes --title "Sea stays" --country IE --host cloudflare-workers'],
    guide: ['quick-start', 'your-own-catalogue'],
  })
    .argument('[folder]', 'folder of the repository; files that are there stay as they are', '.')
    .option('--title <title>', 'name of the catalogue')
    .option('--base-url <url>', 'URL in front of the API')
    .addOption(new Option('--host <name>', 'where it will be served').choices(HOST_NAMES))
    .option('--country <code>', 'country of the first property, such as IE')
    .option('--currency <code>', 'currency of the first property; that of its country when absent')
    .option('--yes', 'ask nothing, and take what is usual', false)
    .option('--no-install', 'do not run "npm install"')
    .action(
      actionWithExitCode(async (folder, { yes, install: isInstalling, ...given }) => {
        const { askStartQuestions, mainCurrencyOf } = await import('../start/questions.ts');
        const { packIntoRepository, runNpm } = await import('../start/npm.ts');
        const { writeStarter } = await import('../start/starter.ts');
        await refuseProblems(given);
        const root = resolve(folder);
        const country = given.country ?? (await usualCountry());
        const usual: StarterSettings = {
          title: titleOf(root),
          baseUrl: 'http://localhost:8080',
          country,
          currency: mainCurrencyOf(country) ?? 'EUR',
        };
        const isAsked = !yes && terminal().canAsk;
        const start = isAsked ? await askStartQuestions(given, usual) : { ...usual, ...given };
        if (!start) return EXIT_CANCELLED;
        makeFolder(root);
        makeRepository(root);
        const started = writeStarter(root, { ...start, package: packIntoRepository(root) });
        if (isInstalling) terminal().err('Installing what it needs\n');
        const isInstalled = isInstalling && runNpm(root, ['install']);
        const guide = documentationUrl(`hosting/${start.host ?? 'README'}`);
        reportInit(root, started, isInstalled, guide, terminal());
        if (isInstalled || !isInstalling) return 0;
        const advice = 'Its message is above. The files are written: install again once that is fixed.';
        throw new EnvironmentError('not-installed', `"npm install" failed. ${advice}`);
      }),
    );

async function refuseProblems({
  title,
  baseUrl,
  country,
  currency,
}: Partial<StarterSettings>): Promise<void> {
  const { COUNTRIES, CURRENCIES } = await import('../contract/country-and-currency-tables.ts');
  const { settingProblem } = await import('../start/questions.ts');
  refuse('title', title === undefined ? undefined : settingProblem('title', title));
  refuse('base-url', baseUrl === undefined ? undefined : settingProblem('base_url', baseUrl));
  refuse('country', codeProblem(country, COUNTRIES, 'ISO 3166-1 alpha-2', 'IE'));
  refuse('currency', codeProblem(currency, CURRENCIES, 'ISO 4217', 'EUR'));
}

function refuse(option: string, problem: string | undefined): void {
  if (problem) throw new UsageError('invalid-option', `--${option}: ${problem}`);
}

function codeProblem(code: string | undefined, table: object, standard: string, example: string) {
  if (code === undefined || Object.hasOwn(table, code)) return undefined;
  return `${printable(code)} is not a code of ${standard}. Give one such as ${example}, in capitals.`;
}

async function usualCountry(): Promise<string> {
  const { COUNTRIES } = await import('../contract/country-and-currency-tables.ts');
  const { LC_ALL, LANG } = process.env;
  const [, country = ''] = /^[a-z]{2,3}_([A-Z]{2})\b/.exec(LC_ALL || LANG || '') ?? [];
  return Object.hasOwn(COUNTRIES, country) ? country : 'IE';
}

function titleOf(root: string): string {
  const words = printable(basename(root))
    .replace(/[-_.\s]+/g, ' ')
    .trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Property catalogue';
}

/** The change history, the pre-commit check and the workflows need a repository. */
function makeRepository(root: string): void {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, stdio: 'ignore' }).status === 0;
  if (git('rev-parse', '--git-dir') || git('-c', 'init.defaultBranch=main', 'init', '--quiet')) return;
  terminal().err(
    'There is no git: changes will be neither recorded nor checked. Install git, and run "git init".\n',
  );
}
