import { printableLines } from '../text/printable.ts';
import { ownValue } from '../values/own-value.ts';
import type { EnvironmentCode, UsageCode } from './codes.ts';
import { FILE_ERRORS } from './file-error.ts';

/** Disk, network or another process failed. Exit code 3. */
export class EnvironmentError extends Error {
  readonly code: EnvironmentCode;
  constructor(code: EnvironmentCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EnvironmentError';
    this.code = code;
  }
}

/** The user must change something: the command, the configuration or a file. Exit code 2. */
export class UsageError extends Error {
  readonly code: UsageCode;
  constructor(code: UsageCode, message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}

export type CommandFailure = { readonly exitCode: 2 | 3; readonly code: string; readonly message: string };

/** `message` starts with the code. */
export function describeFailure(error: unknown): Omit<CommandFailure, 'code'> {
  const { exitCode, code, message } = toFailure(error);
  return { exitCode, message: printableLines(`${code}: ${message}`) };
}

export function toFailure(error: unknown): CommandFailure {
  if (error instanceof UsageError) return { exitCode: 2, code: error.code, message: error.message };
  if (error instanceof EnvironmentError) return { exitCode: 3, code: error.code, message: error.message };
  const { code, path, message } = Object(error) as NodeJS.ErrnoException;
  if (code?.startsWith(COMMANDER)) return { exitCode: 2, ...usageFailure(code, message) };
  const { advice } = ownValue(FILE_ERRORS, code ?? '') ?? {};
  if (code && advice) return { exitCode: 3, code, message: `${advice}${path ? ` (${path})` : ''}` };
  const said = message ?? String(error);
  // A message of the operating system already starts with the code.
  const isNamed = !code || said.startsWith(code);
  return { exitCode: 3, code: 'failed', message: isNamed ? said : `${code}: ${said}` };
}

const COMMANDER = 'commander.';

function usageFailure(commanderCode: string, message: string): Omit<CommandFailure, 'exitCode'> {
  const code = commanderCode
    .slice(COMMANDER.length)
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = message
    .replace(/^error: (unknown )?/, (_, unknown) => (unknown ? 'the command line has an unknown ' : ''))
    .split('\n')
    .map((line) => line.replace(/^\((.*)\)$/, '$1').replace(/^[a-z]/, (letter) => letter.toUpperCase()))
    .map((line) => (/[.?!]$/.test(line) ? line : `${line}.`))
    .join(' ');
  const [, table] =
    /unknown command '([^']+\.(?:csv|tsv|txt|xlsx|ods|(?:geo|nd)?json))'/i.exec(message) ?? [];
  const meant = table === undefined ? '' : ` To import the table, run "catalogue import ${table}".`;
  return { code, message: `${text} "catalogue --help" lists the commands.${meant}` };
}
