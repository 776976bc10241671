import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Layout } from '../contract/object-keys.ts';
import { parseInstant } from '../contract/visibility.ts';
import { type DocumentationPage, documentationUrl } from '../package/documentation.ts';
import { PRETTY_OR_JSON, REPORT_FORMATS } from '../report/sink.ts';

/** Exit code of a cancelled command: 128 plus the number of SIGINT, as in shells. */
export const EXIT_CANCELLED = 130;

export type CommandHelp = {
  /** One line that starts with a verb. */
  readonly does: string;
  /** Without the program's name. */
  readonly examples: readonly string[];
  readonly guide: readonly [page: DocumentationPage, anchor?: string];
};

export function createCommand(name: string, { does, examples, guide }: CommandHelp) {
  const lines = examples.map((example) => `  $ catalogue ${example}`);
  return new Command(name)
    .description(does)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}\n\nGuide: ${documentationUrl(...guide)}`);
}

/** `run` returns the exit code. It imports its modules itself, so that a command loads only what it needs. */
export function actionWithExitCode<Args extends unknown[]>(
  run: (...args: Args) => number | Promise<number>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    process.exitCode = await run(...args);
  };
}

/** Not an option of the command, since other users of the machine can see command lines. */
export function apiKeyFromEnvironment(): string | undefined {
  return process.env.CATALOGUE_API_KEY || undefined;
}

export const contentOption = () =>
  new Option('--content <folder>', 'folder of YAML files and photos').default('content');

export const outOption = (description = 'folder to write to') =>
  new Option('--out <folder>', description).default('dist');

export const existingOutOption = () => outOption('folder that a build wrote');

export const jobsOption = (description = 'threads to use') =>
  new Option('--jobs <number>', description).argParser(createIntegerParser(1));

export const asOfOption = () =>
  new Option(
    '--as-of <time>',
    'date, time with its offset, or now: which drafts and dates are published then; the time of the commit when absent',
  ).argParser(parseInstantOption);

/** Falls back to an environment variable, for pipelines. An empty variable counts as unset. */
export function optionWithVariable<Flags extends string>(
  flags: Flags,
  variable: string,
  description: string,
) {
  const option = new Option(flags, `${description}; ${variable} when absent`);
  return process.env[variable] ? option.env(variable) : option;
}

export const baseUrlOption = () =>
  optionWithVariable(
    '--base-url <url>',
    'CATALOGUE_BASE_URL',
    'URL in front of the API; overrides catalogue.yaml',
  );

const LAYOUTS: readonly Layout[] = ['pages', 'packed'];

export const layoutOption = () =>
  new Option('--layout <layout>', 'overrides catalogue.yaml; a preview is packed').choices(LAYOUTS);

export const portOption = () =>
  new Option('--port <number>', 'port; 0 takes a free one')
    .argParser(createIntegerParser(0, 65_535))
    .default(8080);

export const listenOption = () =>
  new Option('--listen <address>', 'address to listen on').default('127.0.0.1');

export const allowedHostOption = () =>
  new Option(
    '--allowed-host <names...>',
    'further host names to answer for; a name that starts with a dot includes its subdomains',
  ).default([] as string[]);

export const cacheOption = () =>
  new Option(
    '--cache <place>',
    'cache of images that machines share: s3://bucket, s3://bucket/prefix or a folder',
  );

export const endpointOption = () =>
  optionWithVariable('--endpoint <url>', 'CATALOGUE_ENDPOINT', 'server of the bucket, if it is not AWS');

export const regionOption = () =>
  new Option('--region <region>', 'region of the bucket; AWS_REGION when absent');

export const diagnosticFormatOption = () =>
  new Option('--format <format>', 'how to report').choices(REPORT_FORMATS).default('pretty' as const);

export const prettyOrJsonOption = () =>
  new Option('--format <format>', 'how to report').choices(PRETTY_OR_JSON).default('pretty' as const);

function parseInstantOption(text: string): Date {
  const found = text === 'now' ? Date.now() : parseInstant(text);
  if (found === undefined) {
    throw new InvalidArgumentError('Expected a date such as 2027-04-01, a time with its offset, or now.');
  }
  return new Date(found);
}

export function createIntegerParser(least: number, most = 99_999): (text: string) => number {
  return (text) => {
    const number = /^(?:0|[1-9][0-9]{0,4})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
