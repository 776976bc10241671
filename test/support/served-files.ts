import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export async function serveFiles(folder: string, base: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const types: Readonly<Record<string, string>> = {
      html: 'text/html',
      js: 'text/javascript',
      css: 'text/css',
      jpg: 'image/jpeg',
      webp: 'image/webp',
    };
    const path = pathname.slice(base.length).replace(/\/$/, '/index.html');
    try {
      const body = readFileSync(join(folder, path));
      response.setHeader('Content-Type', types[path.split('.').at(-1)!] ?? 'application/json');
      response.end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>404</h1>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  server.unref();
  return `http://127.0.0.1:${(server.address() as { port: number }).port}${base}`;
}
