/** A raw HTTP/1.1 client: it sends the bytes of the request target unchanged, over one connection at a time. */
import { connect, type Socket } from 'node:net';

export type Response = {
  status: number;
  /** Names in lower case, with every repetition. */
  headers: [name: string, value: string][];
  body: Buffer;
  milliseconds: number;
};

export type Connection = {
  /** Sends one request and waits for its answer; connects again when the server closed. */
  send: (
    method: string,
    target: string,
    headers?: readonly (readonly [string, string])[],
  ) => Promise<Response>;
  close: () => void;
};

/**
 * Opens a connection to a port of 127.0.0.1.
 *
 * @param host value of the `Host` header.
 */
export function openConnection(port: number, host = `127.0.0.1:${port}`): Connection {
  let socket: Socket | undefined;
  const send: Connection['send'] = (method, target, headers = []) =>
    new Promise((resolve, reject) => {
      // An idle connection has no listener: the server may have closed it in the meantime.
      if (socket?.destroyed || socket?.readableEnded) socket = undefined;
      const isFresh = socket === undefined;
      const current = socket ?? connect({ host: '127.0.0.1', port, noDelay: true });
      socket = current;
      const started = performance.now();
      let received = Buffer.alloc(0);
      const finish = (closed: boolean) => {
        const parsed = parseResponse(received, method, closed);
        if (!parsed && !closed) return;
        current.removeAllListeners();
        current.on('error', () => {});
        if (parsed) {
          if (closed || isClosing(parsed)) {
            current.destroy();
            socket = undefined;
          }
          resolve({ ...parsed, milliseconds: performance.now() - started });
          return;
        }
        current.destroy();
        socket = undefined;
        // A server may close an idle connection at the very moment of the write.
        if (!isFresh && received.length === 0) send(method, target, headers).then(resolve, reject);
        else
          reject(
            new Error(
              `no complete answer to ${method} ${target}: ${received.toString('latin1').slice(0, 200)}`,
            ),
          );
      };
      current.on('data', (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        finish(false);
      });
      current.on('close', () => finish(true));
      current.on('error', () => {});
      const lines = [
        `${method} ${target} HTTP/1.1`,
        `Host: ${host}`,
        ...headers.map((header) => header.join(': ')),
      ];
      current.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
    });
  return {
    send,
    close: () => {
      socket?.destroy();
      socket = undefined;
    },
  };
}

/** The value of a header; several are joined by `, `. */
export function headerOf({ headers }: Response, name: string): string | undefined {
  const values = headers.filter(([key]) => key === name.toLowerCase()).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}

function isClosing(response: Omit<Response, 'milliseconds'>): boolean {
  return response.headers.some(([name, value]) => name === 'connection' && value.toLowerCase() === 'close');
}

function parseResponse(
  bytes: Buffer,
  method: string,
  closed: boolean,
): Omit<Response, 'milliseconds'> | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const rest = bytes.subarray(end + 4);
  if (status === 100) return parseResponse(rest, method, closed);
  if (method === 'HEAD' || status === 204 || status === 304)
    return { status, headers, body: Buffer.alloc(0) };
  const length = headers.find(([name]) => name === 'content-length')?.[1];
  if (length !== undefined) {
    if (rest.length < Number(length)) return undefined;
    return { status, headers, body: rest.subarray(0, Number(length)) };
  }
  if (headers.some(([name, value]) => name === 'transfer-encoding' && value.toLowerCase() === 'chunked')) {
    const body = parseChunks(rest);
    return body && { status, headers, body };
  }
  return closed ? { status, headers, body: rest } : undefined;
}

function parseChunks(bytes: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
