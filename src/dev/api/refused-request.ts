import type { Failure, FailureCode } from '../../editor/api.ts';

/** Thrown by handlers; the API responds with a {@link Failure}. */
export class Refused extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<Failure, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
