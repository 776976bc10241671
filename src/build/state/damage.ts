/** Errors of a build that relied on a damaged state or output. */

/**
 * Thrown when the texts of records, the numbers of stamps, or files of the last release are damaged: the build has relied
 * on these, and starts again without the state.
 */
export class DamagedState extends Error {
  // Errors of threads lose their class.
  readonly code = DAMAGED;

  constructor(
    message = 'The state of the last build is damaged, or a newer build replaced it. Build again.',
  ) {
    super(message);
  }
}

const DAMAGED = 'DAMAGED_STATE';

/** Whether an error comes from damage to what the last build left: a file of it may also be missing. */
export function isDamage(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === DAMAGED || code === 'ENOENT';
}
