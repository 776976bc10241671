/** Error of a request that the editor's API refuses. */
import type { Failure, FailureCode } from '../../editor/api.ts';

/** Thrown by handlers, and converted to a {@link Failure} by the API. */
export class Refused extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<Failure, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
