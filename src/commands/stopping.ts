/** Lets a command end in order when the system asks it to. */
import { constants } from 'node:os';
import { EnvironmentError } from '../errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a command until it ends, or until it is asked to end. A second request ends the process at once.
 *
 * @param run ends with the reason of the signal soon after it is aborted.
 * @param say prints a line.
 * @returns the exit code; of a command that was stopped, 128 and the number of the signal, as shells have it.
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
