import { constants } from 'node:os';
import { EnvironmentError } from '../errors/errors.ts';
import { reportFailure } from './failure.ts';
import { terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Returns the exit code of `run`. If a signal stopped `run`, returns 128 plus the number of the signal, as in shells. A
 * second signal kills the process at once.
 * @param describeState says in which state a stopped command left the bucket. If given, a signal prints a line at once,
 * since requests may still take a while
 */
export async function runWithStopSignals(
  run: (signal: AbortSignal) => Promise<number>,
  describeState?: () => string,
): Promise<number> {
  const controller = new AbortController();
  let exitCode = 0;
  const stop = (name: (typeof SIGNALS)[number]) => {
    for (const each of SIGNALS) process.removeListener(each, stop);
    if (describeState)
      terminal().err('Stopping, once requests under way have ended. A second signal ends it at once.\n');
    const message = `${name} stopped the command before it was done. Run it again: it goes on from what is there.`;
    exitCode = 128 + constants.signals[name];
    controller.abort(new EnvironmentError('stopped', message));
  };
  for (const each of SIGNALS) process.once(each, stop);
  try {
    return await run(controller.signal);
  } catch (error) {
    if (error !== controller.signal.reason) throw error;
    reportFailure(error, describeState && `${describeState()}\n`);
    return exitCode;
  } finally {
    for (const each of SIGNALS) process.removeListener(each, stop);
  }
}

/**
 * Exits at once at a stop signal: for work that may end after any step. Returns a function that ends this handling.
 * @param describe returns the text to print, which says what was done
 */
export function exitOnStopSignal(describe: () => string): () => void {
  const stop = (name: (typeof SIGNALS)[number]) => {
    terminal().err(`${describe()}\n`);
    process.exit(128 + constants.signals[name]);
  };
  for (const each of SIGNALS) process.once(each, stop);
  return () => {
    for (const each of SIGNALS) process.removeListener(each, stop);
  };
}

/** A second signal kills the process at once. */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const each of SIGNALS) process.removeListener(each, stop);
      resolve();
    };
    for (const each of SIGNALS) process.once(each, stop);
  });
}
