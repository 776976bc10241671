/** The build was already using a state or release when it noticed damage. It starts again without the state. */
export class DamagedState extends Error {
  // An error loses its class between threads.
  readonly code = DAMAGED;

  constructor(
    message = 'The state of the last build is damaged, or a newer build replaced it. Build again.',
  ) {
    super(message);
  }
}

const DAMAGED = 'DAMAGED_STATE';

/** A missing file of the last build (`ENOENT`) is damage too. */
export function isDamage(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code === DAMAGED || code === 'ENOENT';
}
