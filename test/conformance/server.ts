import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, createServer } from 'node:net';
import type { TargetName } from '../../src/contract/target-names.ts';
import { listen, closeServer as stopServer } from '../../src/serve/listen.ts';
import type { Program } from '../support/programs.ts';
import type { Group } from './case.ts';
import type { Fixture } from './fixture.ts';

/** The page sizes of the table and of the random queries. */
export const FEWER_SIZES = [1, 2, 9, 10, 11, 24, 25, 26, 50, 99, 100];

/** Name of a target, or `node`. */
type ServerName = TargetName | 'node';

/** A real server that serves a fixture through a target. */
export type RunningServer = {
  port: number;
  stop: () => Promise<void>;
};

/** The input for starting a server. */
export type ServerInput = {
  /** The folder `dist/public`. */
  root: string;
  /** The folder `dist/edge/<target>`, as the target generated it. */
  edge: string;
  /** An empty folder for sockets, logs and process ids. */
  work: string;
  fixture: Fixture;
  /** Port of 127.0.0.1 for requests of files, in place of the usual origin. */
  origin?: number | undefined;
};

/** How a target is run on this machine. */
export type ServerKind<Name extends ServerName = ServerName> = {
  /** Name of the target; `node` is the handler of this package. */
  target: Name;
  /**
   * The baseline of the benchmark: the same server without the rewrite; or, where no such server exists, its own
   * answer to the file's own path; an imitation of a platform has a rate of its own, which means nothing.
   */
  benchmark: ((input: ServerInput) => Promise<RunningServer>) | 'own paths' | 'imitation';
  /** Whether it also serves the packed layout. */
  cutsPages?: true;
  /** Whether the catalogue is a preview, beside a live release with a file per page. */
  isPreview?: true;
  /** In which form the lists are stored that it serves; each page in a file when it is left out. */
  layout?: 'packed';
  /** Programs that must be there. */
  needs: Program[];
  /** Name of the problem for a missing file outside the API, when it cannot be `not-found`. */
  absentFile?: string;
  /** Whether the platform cuts the parts of files, lists too, and answers what is behind their end. */
  servesRangesItself?: boolean;
  /**
   * In production a proxy of the platform stands before this program, so that invalid HTTP requests do not
   * reach it: it may answer those with 5xx.
   */
  behindProxy?: boolean;
  /** The only page sizes with every page compared, when the server or the imitation is slow. */
  sizes?: number[];
  /** Number of connections, for an imitation that handles many requests at once and measures the time itself. */
  connections?: number;
  /** The store behind the target, which may fail; undefined: it reads existing or missing files itself. */
  origin?: {
    /** Whether totals, which prove that a catalogue exists, are in its configuration. */
    knowsTotals?: boolean;
    /** Whether it is known to be an object store, which answers 403 or 410 for missing files. */
    isBucket?: boolean;
    /** Whether `origin: bucket` makes a difference to it. */
    isBucketBySetting?: boolean;
    /** Whether it can drop only headers with known names, so that others may disturb the origin. */
    passesUnknownHeaders?: boolean;
  };
  /**
   * Whether it cannot compute which pages a total promises, so that one which is missing behind the first is empty. Every
   * other target answers that the list is unavailable.
   */
  computesNoPages?: boolean;
  /** Groups of cases that the target does not pass yet. */
  lacks?: readonly Group[];
  start: (input: ServerInput) => Promise<RunningServer>;
};

/** Its name in the documentation. */
export function nameOf({ target, layout, isPreview }: ServerKind): string {
  if (isPreview) return `${target}, preview`;
  return layout ? `${target}, ${layout}` : target;
}

/** A server with a catalogue of the packed layout; all sizes of pages are cut by the same code. */
export function packed(kind: ServerKind): ServerKind {
  return { ...kind, layout: 'packed', sizes: FEWER_SIZES };
}

/** A server with a preview. A platform that cuts ranges itself does so with the headers of the live release. */
export function preview(kind: ServerKind): ServerKind {
  const { lacks = [], servesRangesItself } = kind;
  return { ...packed(kind), isPreview: true, lacks: servesRangesItself ? [...lacks, 'ranges'] : lacks };
}

/** A server of this process, on a free port. */
export async function listening(server: Server): Promise<RunningServer> {
  const { port } = new URL(await listen(server, 0, '127.0.0.1'));
  return { port: Number(port), stop: () => stopServer(server) };
}

/**
 * A port of the loopback interface that was free a moment ago: below those that systems take for outgoing
 * connections. Another program could take it before the server does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_240 + Math.floor(Math.random() * 22_000);
    const server = createServer();
    const isFree = await new Promise((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Starts a program that listens on a port, and waits until it does. */
export async function startProgram(
  program: string,
  args: string[],
  port: number,
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<RunningServer> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk).slice(-4000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const stopped = once(child, 'exit');
  for (let attempt = 0; attempt < 2000; attempt++) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${program} ended at once:\n${output}`);
    if (await isListening(port)) return { port, stop: () => stop(child, stopped) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop(child, stopped);
  throw new Error(`${program} does not listen on ${port}:\n${output}`);
}

async function stop(child: ChildProcess, stopped: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await stopped;
  clearTimeout(timer);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
