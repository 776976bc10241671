import type { FailureCode, FailureResponse } from '../../editor/api.ts';

/** Handlers throw it, and the API responds with a {@link FailureResponse}. */
export class RefusedRequest extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<FailureResponse, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
