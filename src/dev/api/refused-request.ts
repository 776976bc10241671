import type { FailureCode, FailureResponse } from '../../editor/api.ts';

/** The API responds to it with a {@link FailureResponse}. */
export class RefusedRequest extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly details: Pick<FailureResponse, 'conflict' | 'obstacle'> = {},
  ) {
    super(message);
  }
}
