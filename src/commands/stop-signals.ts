import { constants } from 'node:os';
import { EnvironmentError } from '../errors/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Returns the exit code: 128 plus the number of the signal, as in shells. A second signal kills the process at once.
 * `isWaiting`: requests under way may take a while, so a line is printed at once.
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
