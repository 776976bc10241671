/** Runs another process, and says what it took. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What to run. */
export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** What a process took. */
export type Taken = {
  /** Wall time from before it was started until it had ended. */
  readonly seconds: number;
  /** Of all processors, as far as no other child of ours ends meanwhile. */
  readonly cpuSeconds: number;
  /** Its largest resident set, when asked for. */
  readonly peakBytes: number | undefined;
  readonly stdout: string;
};

const TIME = '/usr/bin/time';

/** How the peak of memory is found on this machine. */
export const MEMORY_SOURCE = existsSync(TIME)
  ? `the kernel's account of the process (${TIME})`
  : 'the high-water mark in /proc, read every 5 ms';

/** Node 20 reads these certificates at each start, which takes longer than starting. */
const WITHOUT_CERTIFICATES = { NODE_EXTRA_CA_CERTS: undefined };

/**
 * Runs a command to its end.
 *
 * @param peak whether its peak of memory is wanted; this costs about a millisecond.
 * @param certificates whether it asks other hosts, and needs the certificates of `NODE_EXTRA_CA_CERTS` for that.
 * @throws Error with what it printed when it fails.
 */
export async function run(command: Command, { peak = false, certificates = false } = {}): Promise<Taken> {
  const report = peak && existsSync(TIME) ? join(tmpdir(), `bench-memory-${process.pid}`) : undefined;
  const { file, args } = report
    ? { file: TIME, args: ['-f', '%M', '-o', report, command.file, ...command.args] }
    : command;
  const cpuBefore = childrenCpuSeconds();
  const start = process.hrtime.bigint();
  const child = spawn(file, args, {
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
    env: { ...process.env, ...(certificates ? {} : WITHOUT_CERTIFICATES), ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  let peakBytes: number | undefined;
  const poll = () => {
    peakBytes = highWaterMark(child.pid) ?? peakBytes;
  };
  const timer = peak && !report ? setInterval(poll, 5) : undefined;
  let end = start;
  child.once('exit', () => {
    end = process.hrtime.bigint();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(timer));
  if (code !== 0) {
    const words = [command.file, ...command.args].join(' ');
    throw new Error(
      `${words} ended with ${code}:\n${output.stdout.slice(-2000)}${output.stderr.slice(-4000)}`,
    );
  }
  if (report) {
    peakBytes = 1024 * Number(readFileSync(report, 'utf8'));
    rmSync(report);
  }
  const cpu = childrenCpuSeconds() - cpuBefore;
  return { seconds: Number(end - start) / 1e9, cpuSeconds: cpu, peakBytes, stdout: output.stdout };
}

function highWaterMark(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
  } catch {
    return undefined;
  }
}

/** Seconds of CPU of one run of a command, the mean of several: the kernel counts in hundredths. */
export async function cpuSeconds(command: Command, runs: number): Promise<number> {
  let sum = 0;
  for (let index = 0; index < runs; index++) sum += (await run(command)).cpuSeconds;
  return sum / runs;
}

/** CPU of all children that have ended: fields `cutime` and `cstime` of proc(5). */
function childrenCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
