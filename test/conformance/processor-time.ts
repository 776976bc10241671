/** The processor time of processes, as Linux reports it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Ticks of the kernel in a second: the same on every Linux that Node runs on. */
const TICKS = 100;

/** Whether this system reports processor times. */
export function tellsProcessorTime(): boolean {
  return existsSync(`/proc/self/task/${process.pid}/children`);
}

/**
 * Processor time that a process and the children that it has now, and theirs, have taken so far, in seconds. Children
 * that have ended are not in it.
 */
export function processorTime(pid: number): number {
  // The name of the program, in brackets, may hold anything.
  const fields = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
  if (fields.length < 13) return 0;
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS;
  return childrenOf(pid).reduce((total, child) => total + processorTime(child), own);
}

function childrenOf(pid: number): number[] {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  return threads
    .flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`).split(' '))
    .filter(Boolean)
    .map(Number);
}

/** The text of a file; empty when its process has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
