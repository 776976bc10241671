/** Ends a command cleanly on SIGINT and SIGTERM. */
import { constants } from 'node:os';
import { EnvironmentError } from '../errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a command until it ends or is stopped by a signal. A second signal kills the process at once.
 *
 * @param run rejects with the abort reason soon after the signal is aborted.
 * @param say prints a line.
 * @returns the exit code; 128 plus the number of the signal for a stopped command, as in shells.
 */
export async function untilStopped(
  run: (signal: AbortSignal) => Promise<number>,
  say: (line: string) => void,
): Promise<number> {
  const controller = new AbortController();
  const stop = (name: (typeof SIGNALS)[number]) => {
    for (const each of SIGNALS) process.removeListener(each, stop);
    controller.abort(
      new EnvironmentError(
        'stopped',
        `${name} stopped the command before it was done. Run it again: it goes on from what is there.`,
      ),
    );
    process.exitCode = 128 + constants.signals[name];
  };
  for (const each of SIGNALS) process.once(each, stop);
  try {
    return await run(controller.signal);
  } catch (error) {
    if (error !== controller.signal.reason) throw error;
    const { code, message } = error as EnvironmentError;
    say(`${code}: ${message}\n`);
    return Number(process.exitCode);
  } finally {
    for (const each of SIGNALS) process.removeListener(each, stop);
  }
}
