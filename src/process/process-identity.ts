/** Identifies the holder of a lock, so that other processes on the machine can tell whether the holder has ended. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process number is unique only within a kernel and a PID namespace. */
export type ProcessIdentity = {
  readonly pid: number;
  readonly host: string;
  /** Clock ticks since boot; empty outside Linux. */
  readonly started: string;
  /** Boot id of the kernel; empty if there is none, as outside Linux. */
  readonly boot: string;
  /** PID namespace, since containers number their processes separately; empty outside Linux. */
  readonly namespace: string;
};

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    started: stateOf(process.pid).started,
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** Undefined for an invalid value, since another program may have written it. */
export function parseProcessIdentity(value: unknown): ProcessIdentity | undefined {
  const { pid, host, started, boot, namespace } = Object(value) as ProcessIdentity;
  const isText = [host, started, boot, namespace].every(
    (text) => typeof text === 'string' && text.length <= 300,
  );
  const isSound = isText && Number.isInteger(pid) && pid > 0 && pid < 2 ** 31;
  return isSound ? { pid, host, started, boot, namespace } : undefined;
}

export function isOnThisMachine({ host, boot, namespace }: ProcessIdentity): boolean {
  const here = thisProcess();
  return host === here.host && boot === here.boot && namespace === here.namespace;
}

export function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const present = stateOf(pid);
  // Another process may have got the number, or a killed process may remain as a zombie until its parent collects it.
  return started === present.started && !/^[ZX]/.test(present.state);
}

function stateOf(pid: number): { readonly started: string; readonly state: string } {
  const fields = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const [state = '', ...rest] = fields.slice(fields.lastIndexOf(')') + 2).split(' ');
  return { state, started: rest[18] ?? '' };
}

/**
 * Reads a value that only Linux has; on other systems, returns an empty text. Other systems do not need the value,
 * since only containers on Linux can share both a disk and a host name.
 */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
