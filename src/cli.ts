#!/usr/bin/env node
/** The command line. Commands are loaded when they are called: starting must not cost what only one of them needs. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { BuildArguments } from './commands/build.ts';
import type { ChangesArguments } from './commands/changes.ts';
import type { CheckArguments } from './commands/check.ts';
import type { DevArguments } from './commands/dev.ts';
import type { DiffArguments } from './commands/diff.ts';
import type { FormatArguments } from './commands/format.ts';
import type { ImportArguments } from './commands/import.ts';
import type { InitArguments } from './commands/init.ts';
import type { MediaArguments } from './commands/media.ts';
import type { NewArguments } from './commands/new.ts';
import { addPublishing } from './commands/publishing.ts';
import type { SchemaArguments } from './commands/schema.ts';
import type { ServeArguments } from './commands/serve.ts';
import { documentationUrl } from './documentation.ts';
// Loaded at once: what failed may be that no more files can be opened.
import { describeFailure } from './errors.ts';
import { printableLines } from './printable.ts';
import { version } from './version.ts';

const SHARED_CACHE = 'cache of images that machines share: s3://bucket, s3://bucket/prefix or a folder';
const ENDPOINT = 'server of that bucket that speaks the protocol of S3; AWS when absent';
const REGION = 'region of that bucket; AWS_REGION when absent';
const ALLOWED_HOST = 'further host names to answer for; one that starts with a dot includes its subdomains';
const FORMATS = ['pretty', 'json', 'github', 'sarif'];

function program(): Command {
  const command = new Command('catalogue')
    .description('Compiles a folder of YAML properties into a file-based REST API for a CDN.')
    .version(version)
    .showHelpAfterError('(catalogue --help lists the commands)')
    .configureOutput({ writeErr: (text) => void process.stderr.write(printableLines(text)) })
    .exitOverride();
  const format = () => new Option('--format <format>', 'how to report').choices(FORMATS).default('pretty');

  command
    .command('init')
    .description('start a catalogue: a repository with an example, checks and workflows')
    .argument('[folder]', 'folder of the repository; files that are there stay as they are', '.')
    .option('--title <title>', 'name of the catalogue')
    .option('--base-url <url>', 'URL in front of the API')
    .option('--country <code>', 'country of the first property, such as IE')
    .option('--currency <code>', 'currency of the first property; that of its country when absent')
    .option('--yes', 'ask nothing, and take what is usual', false)
    .option('--no-install', 'do not run "npm install"')
    .action(async (folder: string, args: InitArguments) => {
      const { runInit } = await import('./commands/init.ts');
      process.exitCode = await runInit(folder, args);
    });

  command
    .command('build')
    .description('check the content, make images, and write the API to dist')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option('--out <folder>', 'folder to write to', 'dist')
    .option('--base-url <url>', 'URL in front of the API; overrides catalogue.yaml')
    .option('--keep-going', 'publish what has no error, and list what was left out', false)
    .option('--force', 'read and write everything, even what did not change', false)
    .option('--check-output', 'compare every file of the output with what was written, and repair it', false)
    .option('--jobs <number>', 'threads to use', positive)
    .option('--cache <place>', SHARED_CACHE)
    .option('--endpoint <url>', ENDPOINT)
    .option('--region <region>', REGION)
    .addOption(format())
    .action(async (args: BuildArguments) => {
      const { runBuild } = await import('./commands/build.ts');
      process.exitCode = await runBuild(args);
    });

  command
    .command('check')
    .description('find everything that a build would find wrong')
    .argument('[paths...]', 'files, folders or glob patterns to report on; all when none is given')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option(
      '--fix',
      'first repair what is safe to repair: spaces, letter case of codes, slips in known words',
      false,
    )
    .option('--jobs <number>', 'threads to use', positive)
    .addOption(format())
    .action(async (paths: string[], args: CheckArguments) => {
      const { runCheck } = await import('./commands/check.ts');
      process.exitCode = await runCheck(paths, args);
    });

  command
    .command('media')
    .description('make photos and thumbnails, or a share of them, for builds to find')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option('--out <folder>', 'folder whose cache holds the images when no other is named', 'dist')
    .option(
      '--shard <number/count>',
      'share of the photos: 1/16 is the first of sixteen; from the environment of Kubernetes, AWS Batch or GitLab when absent',
    )
    .option('--cache <place>', SHARED_CACHE)
    .option('--endpoint <url>', ENDPOINT)
    .option('--region <region>', REGION)
    .option('--check-cache', 'read what the shared cache holds, and make again what is damaged', false)
    .option('--jobs <number>', 'threads that read files', positive)
    .addOption(format())
    .action(async (args: MediaArguments) => {
      const { runMedia } = await import('./commands/media.ts');
      process.exitCode = await runMedia(args);
    });

  command
    .command('new')
    .description('write a new property; asks for what is not given')
    .option('--title <title>', 'name of the property')
    .option('--country <code>', 'ISO 3166-1 alpha-2 code, such as IE')
    .option('--city <city>', 'city')
    .option('--currency <code>', 'ISO 4217 code; that of the other properties of the country when absent')
    .option('--latitude <degrees>', 'latitude in decimal degrees')
    .option('--longitude <degrees>', 'longitude in decimal degrees')
    .option('--address <address>', 'street-level address')
    .option('--zip-code <code>', 'postal code')
    .option('--state <state>', 'state, region or province')
    .option('--email <address>', 'e-mail for booking inquiries')
    .option('--phone <number>', 'phone number with + and country calling code')
    .option('--facility <words...>', 'facilities', [])
    .option('--photo <files...>', 'photos, which are copied into the content folder', [])
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .action(async (args: NewArguments) => {
      const { runNew } = await import('./commands/new.ts');
      process.exitCode = await runNew(args);
    });

  command
    .command('format')
    .description('write property files in one form: order of fields, quotes, positions; comments stay')
    .argument('[paths...]', 'files, folders or glob patterns; all when none is given')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option(
      '--check',
      'write nothing; list what is not formatted, and end with exit code 1 if anything is',
      false,
    )
    .action(async (paths: string[], args: FormatArguments) => {
      const { runFormat } = await import('./commands/format.ts');
      process.exitCode = runFormat(paths, args);
    });

  command
    .command('schema')
    .description('write the JSON Schema of property files, by which editors complete and explain')
    .option('--content <folder>', 'folder of catalogue.yaml, for the vocabulary', 'content')
    .option('--out <folder>', 'folder to write to; the content folder when absent')
    .action(async (args: SchemaArguments) => {
      const { runSchema } = await import('./commands/schema.ts');
      process.exitCode = runSchema(args);
    });

  command
    .command('serve')
    .description('answer the URLs of the API on this machine')
    .option('--out <folder>', 'folder that a build wrote', 'dist')
    .option('--content <folder>', 'folder of catalogue.yaml, for the API keys', 'content')
    .option('--port <number>', 'port; 0 takes a free one', port, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allowed-host <names...>', ALLOWED_HOST, [])
    .action(async (args: ServeArguments) => {
      const { runServe } = await import('./commands/serve.ts');
      process.exitCode = await runServe(args);
    });
  command
    .command('dev')
    .description('serve the catalogue while it is edited: what is saved is shown at once')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option('--out <folder>', 'folder to write to', 'dist')
    .option('--base-url <url>', 'URL in front of the API; overrides catalogue.yaml')
    .option('--port <number>', 'port; 0 takes a free one', port, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allowed-host <names...>', ALLOWED_HOST, [])
    .option('--open', 'open the page in the browser', false)
    .option('--jobs <number>', 'threads to use', positive)
    .action(async (args: DevArguments) => {
      const { runDev } = await import('./commands/dev.ts');
      process.exitCode = await runDev(args);
    });
  command
    .command('diff')
    .description('tell what the content changes of what is published, property by property')
    .argument('[base]', 'git revision, folder of a build, or base URL to compare with', 'HEAD')
    .option('--content <folder>', 'folder of YAML files and photos', 'content')
    .option('--jobs <number>', 'threads to use', positive)
    .option('--photos <url>', 'URL in front of the files of this revision, for pictures in Markdown')
    .addOption(
      new Option('--format <format>', 'how to report')
        .choices(['pretty', 'markdown', 'json'])
        .default('pretty'),
    )
    .action(async (base: string, args: DiffArguments) => {
      const { runDiff } = await import('./commands/diff.ts');
      process.exitCode = await runDiff(base, args);
    });
  command
    .command('import')
    .description('write properties of a service, or of a CSV, JSON or NDJSON file, as YAML files')
    .argument('<source>', 'address of a service of this interface, or a file')
    .option('--content <folder>', 'folder to write to', 'content')
    .option(
      '--mapping <file>',
      `which column is which field, for a file: ${documentationUrl('importing', 'from-a-table')}`,
    )
    .option('--force', 'replace files of these properties that were edited, or that no import wrote', false)
    .option('--photos', 'download photos that are links', false)
    .option('--concurrency <number>', 'requests in flight', positive, 8)
    .addOption(new Option('--format <format>', 'how to report').choices(['pretty', 'json']).default('pretty'))
    .action(async (source: string, args: ImportArguments) => {
      const { runImport } = await import('./commands/import.ts');
      process.exitCode = await runImport(source, args);
    });
  command
    .command('changes')
    .description('write what changed since the previous release, below dist/public/changes')
    .option(
      '--previous <place>',
      'folder such as dist/public, or base URL (and CATALOGUE_API_KEY where it asks for a key), of it; none for the first release',
    )
    .option('--out <folder>', 'folder that a build wrote', 'dist')
    .option('--time <time>', 'time of the release, when its content is in no git repository')
    .action(async (args: ChangesArguments) => {
      const { runChanges } = await import('./commands/changes.ts');
      process.exitCode = await runChanges(args);
    });
  addPublishing(command);
  return command;
}

function positive(text: string): number {
  if (!/^[1-9][0-9]{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1.');
  return Number(text);
}

function port(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('Expected a number from 0 to 65535.');
  }
  return Number(text);
}

/** Runs the command line. Exit codes: 0 done, 1 the content has errors, 2 wrong usage, 3 the environment failed. */
async function main(): Promise<void> {
  try {
    await program().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      // Help and version end with 0; whatever else commander refuses is wrong usage.
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const { exitCode, message } = describeFailure(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}

await main();
