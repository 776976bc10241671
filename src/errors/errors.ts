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

/** The request cannot be fulfilled. Exit code 2. */
export class UsageError extends Error {
  readonly code: UsageCode;
  constructor(code: UsageCode, message: string) {
    super(message);
    this.name = 'UsageError';
    this.code = code;
  }
}

export function describeFailure(error: unknown): { exitCode: 2 | 3; message: string } {
  const { exitCode, message } = failureOf(error);
  return { exitCode, message: printableLines(message) };
}

function failureOf(error: unknown): { exitCode: 2 | 3; message: string } {
  if (error instanceof UsageError) return { exitCode: 2, message: `${error.code}: ${error.message}` };
  if (error instanceof EnvironmentError) return { exitCode: 3, message: `${error.code}: ${error.message}` };
  const { code, path, message } = Object(error) as NodeJS.ErrnoException;
  if (code?.startsWith(COMMANDER)) return { exitCode: 2, message: usageText(code, message) };
  const { advice } = ownValue(FILE_ERRORS, code ?? '') ?? {};
  if (advice) return { exitCode: 3, message: `${code}: ${advice}${path ? ` (${path})` : ''}` };
  const said = message ?? String(error);
  // A message of the operating system starts with its code.
  return { exitCode: 3, message: `failed: ${code && !said.startsWith(code) ? `${code}: ` : ''}${said}` };
}

const COMMANDER = 'commander.';

function usageText(code: string, message: string): string {
  const name = code.slice(COMMANDER.length).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const text = message
    .replace(/^error: (unknown )?/, (_, unknown) => (unknown ? 'the command line has an unknown ' : ''))
    .split('\n')
    .map((line) => line.replace(/^\((.*)\)$/, '$1').replace(/^[a-z]/, (letter) => letter.toUpperCase()))
    .map((line) => (/[.?!]$/.test(line) ? line : `${line}.`))
    .join(' ');
  return `${name}: ${text} "catalogue --help" lists the commands.`;
}
