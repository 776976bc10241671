/** What a server answers to a request that it refuses before it looks for anything, such as one that is no HTTP. */
import { STATUS_CODES } from 'node:http';

/** The document of a problem that its status explains (RFC 9457, 4.2.1). */
export function serverProblem(status: number): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status });
}
