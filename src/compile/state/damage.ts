/** Thrown when a build notices damage in the state or the last release. The build then starts again without them. */
export class DamagedStateError extends Error {
  // Recognised by its code, since an error loses its class between threads.
  readonly code = DAMAGED;

  constructor(
    message = 'The state of the last build is damaged, or a newer build replaced it. Build again.',
  ) {
    super(message);
  }
}

const DAMAGED = 'DAMAGED_STATE';

/** A missing file of the last build (`ENOENT`) is damage too. */
export function isDamagedStateError(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === DAMAGED || code === 'ENOENT';
}
