import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

export class UsageError extends Error {}

export function isMain(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === realpathSync(fileURLToPath(moduleUrl));
}

/** @throws UsageError for an unknown option */
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

/** A signed 32-bit number, as fast-check prints it. @throws UsageError */
export function seedNumber(option: string, text: string): number {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value === (value | 0)) return value;
  throw new UsageError(`--${option} must be a whole number from -2147483648 to 2147483647, not "${text}"`);
}

/** @throws UsageError for a number below `least` or other text */
export function wholeNumber(option: string, text: string, least: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) {
    throw new UsageError(`--${option} must be a whole number of at least ${least}, not "${text}"`);
  }
  return value;
}

/** For a `UsageError`, prints its message and the usage, and exits with 2. */
export function runScript(usage: string, script: () => void): void {
  try {
    script();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
