import { createServer, type RequestListener, type Server } from 'node:http';
import { closeServer, listen } from '../../src/serve/listen.ts';
import { afterwards } from './temporary.ts';

/** Serves on a free port until the current test (outside of tests: the file's last one) ends. Returns the origin. */
export async function serveLoopback(answer: RequestListener | Server): Promise<string> {
  const server = typeof answer === 'function' ? createServer(answer) : answer;
  const url = await listen(server, 0, '127.0.0.1');
  afterwards(() => closeServer(server));
  return url;
}
