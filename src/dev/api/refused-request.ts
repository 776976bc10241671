import type { FailureCode, FailureResponse } from '../../editor/api.ts';

/** Thrown by handlers of requests: the API then responds with a {@link FailureResponse}. */
export class RefusedRequest extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<FailureResponse, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
