import {
  Command,
  type CommandUnknownOpts,
  Help,
  InvalidArgumentError,
  type Option,
} from '@commander-js/extra-typings';
import { version } from '../package/version.ts';
import { buildCommand } from './build.ts';
import { changesCommand } from './changes.ts';
import { checkCommand } from './check.ts';
import { devCommand } from './dev.ts';
import { diffCommand } from './diff.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { formatCommand } from './format.ts';
import { importCommand } from './import.ts';
import { initCommand } from './init.ts';
import { keysCommand } from './keys.ts';
import { mediaCommand } from './media.ts';
import { newCommand } from './new.ts';
import { nextChangeCommand } from './next-change.ts';
import { pruneCommand } from './prune.ts';
import { publishCommand } from './publish.ts';
import { releasesCommand } from './releases.ts';
import { rollbackCommand } from './rollback.ts';
import { schemaCommand } from './schema.ts';
import { serveCommand } from './serve.ts';
import { wrapForStream } from './terminal.ts';
import { verifyCommand } from './verify.ts';

const COMMANDS: Readonly<Record<string, readonly (() => CommandUnknownOpts)[]>> = {
  'Write properties:': [
    initCommand,
    newCommand,
    devCommand,
    checkCommand,
    explainCommand,
    formatCommand,
    diffCommand,
    importCommand,
    schemaCommand,
  ],
  'Build and look:': [
    buildCommand,
    serveCommand,
    exportCommand,
    mediaCommand,
    changesCommand,
    nextChangeCommand,
  ],
  'Publish:': [publishCommand, verifyCommand, releasesCommand, rollbackCommand, pruneCommand, keysCommand],
};

export function createProgram(): CommandUnknownOpts {
  const program = new Command('catalogue')
    .description('Compiles a folder of YAML properties into a file-based REST API for a CDN.')
    .version(version)
    .helpOption('-h, --help', 'show this help')
    .addHelpText('before', 'Have a table? catalogue import table.csv\n')
    .addHelpText('after', '\n"catalogue <command> --help" shows the options of a command, with examples.')
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => void process.stdout.write(wrapForStream(text, process.stdout)),
      // `cli.ts` prints Commander's errors like all others.
      outputError: () => {},
    })
    .exitOverride()
    .hook('preAction', (_program, command) => refuseEmptyPaths(command));
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const create of commands) program.addCommand(create().copyInheritedSettings(program));
  }
  program.helpCommand('help [command]', 'show the help of a command');
  return program;
}

/** Without this, an unset variable in a script, such as `--out "$OUT"`, would mean the current folder. */
function refuseEmptyPaths(command: CommandUnknownOpts): void {
  const empty = command.options.find((option) => {
    const values = [command.getOptionValue(option.attributeName())].flat();
    return values.includes('') && /<(?:folder|file|files\.\.\.|place)>/.test(option.flags);
  });
  if (!empty && !command.args.includes('')) return;
  throw new InvalidArgumentError(
    `${empty ? empty.long : 'An argument'} is empty. Write its value, or leave it out.`,
  );
}

function describeOption(option: Option): string {
  const { defaultValue, description } = option;
  const isPlain = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isPlain ? description : new Help().optionDescription(option);
}
