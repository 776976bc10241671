import { constants } from 'node:os';
import { EnvironmentError } from '../errors/errors.ts';
import { reportFailure } from './failure.ts';
import { terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Returns the exit code of `run`; after a signal, 128 plus its number, as in shells. A second signal kills the process
 * at once.
 * @param left says in which state a stopped command left the bucket. If given, a signal prints a line at once, since
 * requests may still take a while
 */
export async function runWithStopSignals(
  run: (signal: AbortSignal) => Promise<number>,
  left?: () => string,
): Promise<number> {
  const controller = new AbortController();
  let exitCode = 0;
  const stop = (name: (typeof SIGNALS)[number]) => {
    for (const each of SIGNALS) process.removeListener(each, stop);
    if (left)
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
    reportFailure(error, left && `${left()}\n`);
    return exitCode;
  } finally {
    for (const each of SIGNALS) process.removeListener(each, stop);
  }
}

/**
 * Exits at a signal, for work of which every step can be the last. Returns a function that ends this.
 * @param describe says what is done
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

export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of SIGNALS) process.once(name, () => resolve());
  });
}
