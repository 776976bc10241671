/** RFC 3339 in UTC, without `.000`. `instant` is in milliseconds since 1970. */
export function timeText(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
