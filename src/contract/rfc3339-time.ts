/** Milliseconds. */
export const DAY = 24 * 60 * 60 * 1000;

/** Accepts only times in UTC (`Z`), as commands write them. */
export function isRfc3339Time(value: unknown): value is string {
  const isWritten =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(value);
  return isWritten && !Number.isNaN(Date.parse(value));
}

/** Compares the times as texts, so they must be in UTC with equal precision. Null if there are none. */
export function latestOf(times: readonly (string | null | undefined)[]): string | null {
  return times.reduce<string | null>((latest, time) => (time && time > (latest ?? '') ? time : latest), null);
}
