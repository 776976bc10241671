import { constants } from 'node:os';
import { EnvironmentError } from '../errors/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a command until it ends or is stopped by a signal. A second signal kills the process at once.
 *
 * @param run rejects with the abort reason soon after the signal is aborted.
 * @param say prints a line.
 * @param left describes what stays. @default no line
 * @param isWaiting whether requests under way may take a while, so that the signal is answered at once. @default false
 * @returns the exit code; 128 plus the number of the signal for a stopped command, as in shells.
 */
export async function untilStopped(
  run: (signal: AbortSignal) => Promise<number>,
  say: (line: string) => void,
  {
    left,
    isWaiting = false,
  }: { readonly left?: (() => string) | undefined; readonly isWaiting?: boolean } = {},
): Promise<number> {
  const controller = new AbortController();
  const stop = (name: (typeof SIGNALS)[number]) => {
    for (const each of SIGNALS) process.removeListener(each, stop);
    if (isWaiting) say(`Stopping, once requests under way have ended. A second signal ends it at once.\n`);
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
    say(`${code}: ${message}\n${left ? `${left()}\n` : ''}`);
    return Number(process.exitCode);
  } finally {
    for (const each of SIGNALS) process.removeListener(each, stop);
  }
}
