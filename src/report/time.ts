/** An instant as text. */

/** An instant (milliseconds since 1970) in UTC, as RFC 3339 writes it, without a fraction that is zero. */
export function timeText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
