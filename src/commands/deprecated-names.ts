/** Names that version 0.2 used, to be removed in version 0.4. */
import { Option } from '@commander-js/extra-typings';

export function warnRenamed(before: string, now: string): void {
  process.stderr.write(`${before} is called ${now} now. The old name works until version 0.4.\n`);
}

export const oldListenOption = () =>
  new Option('--host <address>').hideHelp().argParser((address: string) => {
    warnRenamed('--host', '--listen');
    return address;
  });

/** Value of the old name of CATALOGUE_BUCKET; empty if unset. */
export const bucketFromOldVariable = () => process.env.CATALOGUE_TARGET ?? '';
