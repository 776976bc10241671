import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** @default [0] */
  readonly codes?: readonly number[];
};

export type Taken = {
  /** Wall time from start to end of the process. */
  readonly seconds: number;
  /** Sum over all processors. Wrong if another child process ends at the same time. */
  readonly cpuSeconds?: number | undefined;
  readonly peakBytes?: number | undefined;
};

const TIME = '/usr/bin/time';

/** @throws Error with the output when the command fails */
export async function run(command: Command): Promise<Taken & { readonly stdout: string }> {
  const report = existsSync(TIME) ? join(tmpdir(), `bench-memory-${process.pid}`) : undefined;
  const { file, args } = report
    ? { file: TIME, args: ['-q', '-f', '%M', '-o', report, command.file, ...command.args] }
    : command;
  const cpuBefore = cpuOf('self', 13);
  const start = performance.now();
  const child = spawn(file, args, {
    ...(command.cwd !== undefined && { cwd: command.cwd }),
    // Node 20 reads these certificates at each start, which takes longer than the start itself.
    env: { ...process.env, ...(file !== 'npm' && { NODE_EXTRA_CA_CERTS: undefined }), ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  let end = start;
  child.once('exit', () => {
    end = performance.now();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (!(command.codes ?? [0]).includes(code ?? Number.NaN)) {
    const words = [command.file, ...command.args].join(' ');
    throw new Error(
      `${words} ended with ${code}:\n${output.stdout.slice(-2000)}${output.stderr.slice(-4000)}`,
    );
  }
  const peakBytes = report ? 1024 * Number(readFileSync(report, 'utf8')) : undefined;
  if (report) rmSync(report);
  const cpuSeconds = cpuOf('self', 13) - cpuBefore;
  return { seconds: (end - start) / 1000, cpuSeconds, peakBytes, stdout: output.stdout };
}

/** Seconds. `first`: 11 for the process, 13 for its ended children (proc(5)). NaN without `/proc`. */
export function cpuOf(pid: number | 'self', first: 11 | 13): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}
