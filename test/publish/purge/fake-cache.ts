/** A cache on loopback with the answers of a test. */
import { serveLoopback } from '../../support/loopback.ts';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

/** Starts one that records its requests. `answer` also gets the number of the call, from 1. */
export async function startFake(
  answer: (call: Call, number: number) => { status: number; body: string; headers?: Record<string, string> },
) {
  const calls: Call[] = [];
  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { method = '', url = '', headers } = incoming;
    const call = { method, path: url, headers, body };
    calls.push(call);
    const reply = answer(call, calls.length);
    outgoing.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return { calls, endpoint };
}
