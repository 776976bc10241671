/** Milliseconds of processor time that a function takes: unlike time on the clock, the same on a busy machine. */
export function processorTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}
