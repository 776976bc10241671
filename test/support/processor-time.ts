/** Milliseconds of processor time, which does not depend on the machine's load. */
export function processorTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}
