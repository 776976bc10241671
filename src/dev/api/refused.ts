/** A request that is not done, as the page hears it. */
import type { Failure, FailureCode } from '../../editor/api.ts';

/** Thrown by the steps of a request, and answered at its edge. */
export class Refused extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<Failure, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
