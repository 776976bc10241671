/** What the scripts need of the command line. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Something the user can put right: shown as one line, without a stack trace. */
export class UsageError extends Error {}

/** Whether the module of this URL is the one that Node was started with, and not an import of another. */
export function isMain(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(moduleUrl));
}

/** `--name value` and `--flag` of the command line, by name. An unknown one is a `UsageError`. */
export function readOptions(
  args: string[],
  options: NonNullable<ParseArgsConfig['options']>,
): Record<string, string | boolean | undefined> {
  try {
    return parseArgs({ args, options }).values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** A seed as fast-check prints it, a signed number of 32 bits, or a `UsageError` that names the option. */
export function seedNumber(option: string, text: string): number {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value === (value | 0)) return value;
  throw new UsageError(`--${option} must be a whole number from -2147483648 to 2147483647, not "${text}"`);
}

/** A whole number of at least `least`, or a `UsageError` that names the option. */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) {
    throw new UsageError(`--${option} must be a whole number of at least ${least}, not "${text}"`);
  }
  return value;
}

/** Runs a script; a `UsageError` ends it with exit code 2, its message and how to call it. */
export function runScript(usage: string, script: () => void): void {
  try {
    script();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
