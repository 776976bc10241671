/** Problem documents for responses outside of the router, such as 400 for malformed HTTP. */
import { STATUS_CODES } from 'node:http';

/** Says only what the status means (RFC 9457, 4.2.1). */
export function serverProblemJson(status: number): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status });
}
