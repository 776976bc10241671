/** Formats an instant (milliseconds since 1970) as RFC 3339 in UTC, without a zero fraction. */
export function timeText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
