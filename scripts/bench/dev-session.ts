/** `catalogue dev` in a process of its own, and what the page that edits asks of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EDIT_API_PATH, type Edit, type PropertyAnswer, TOKEN_HEADER } from '../../src/editor/api.ts';

/** The compiled command line. */
export const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

/** The live heap of the process goes to its standard error at each of these signals (Linux and macOS). */
const HEAP_ON_SIGNAL = `data:text/javascript,process.on('SIGUSR2',()=>{gc();gc();const{heapUsed:h,external:e}=process.memoryUsage();process.stderr.write('live '+(h+e)+'\\n')})`;

/** A running server. */
export type DevProcess = {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcess;
  /** Bytes of what is alive in its main thread. */
  readonly liveBytes: () => Promise<number>;
  /** Its resident memory in bytes, as Linux counts it; undefined elsewhere. */
  readonly residentBytes: () => number | undefined;
  /** Ends it, as Ctrl+C does. */
  readonly end: () => Promise<void>;
};

/** Starts it in a folder that has `content`; the output goes to `out`. */
export async function startDevProcess(folder: string): Promise<DevProcess> {
  const args = ['--expose-gc', '--import', HEAP_ON_SIGNAL, CLI, 'dev'];
  const child = spawn(process.execPath, [...args, '--content', 'content', '--out', 'out', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.on('exit', () => child.kill());
  child.once('exit', (code) => {
    if (code !== 0) console.error(`catalogue dev ended with ${code}: ${said}`);
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000);
  });
  const { url, token } = await addressOf(child);
  // What it prints later is of no use, and must not fill the pipe.
  child.stdout.resume();
  return {
    url,
    token,
    child,
    async liveBytes() {
      said = '';
      child.kill('SIGUSR2');
      for (;;) {
        const [, bytes] = /live (\d+)\n/.exec(said) ?? [];
        if (bytes) return Number(bytes);
        await pause(5);
      }
    },
    residentBytes: () => residentBytesOf(child),
    end: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGINT');
      }),
  };
}

async function addressOf({ stdout }: ChildProcess): Promise<{ url: string; token: string }> {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout!.on('data', (chunk: Buffer) => {
      text += chunk;
      const [, url, token] = /(http:\/\/\S+?)\/_edit\/#(\S+)/.exec(text) ?? [];
      if (url && token) resolve({ url, token });
    });
    stdout!.on('end', () => reject(new Error(`catalogue dev ended: ${text}`)));
  });
}

function residentBytesOf({ pid }: ChildProcess): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) * 1024;
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Asks as the page does. */
async function ask<Answer>({ url, token }: DevProcess, name: string, body?: object): Promise<Answer> {
  const headers = { [TOKEN_HEADER]: token, 'Content-Type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(url + EDIT_API_PATH + name, request);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Makes what saves a title of a property as the page does, and returns its id. `path`: in the content folder. */
export function createTitleSave(server: DevProcess, path: string): (title: string) => Promise<string> {
  let last: PropertyAnswer | undefined;
  return async (title) => {
    last ??= await ask<PropertyAnswer>(server, `property?path=${path}`);
    const edits: Edit[] = [{ kind: 'set', path: ['title'], value: title }];
    last = await ask<PropertyAnswer>(server, 'save', { path, version: last.version, edits });
    return String(last.values.id);
  };
}
