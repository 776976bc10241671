import { errorCodeOf } from '../../files/files-and-folders.ts';

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

export function isDamagedStateError(error: unknown): boolean {
  return errorCodeOf(error) === DAMAGED;
}

/** @throws DamagedStateError if a file or folder of the last release is missing (`ENOENT`) */
export function damagedStateIfMissing<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw errorCodeOf(error) === 'ENOENT' ? new DamagedStateError() : error;
  }
}
