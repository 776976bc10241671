/** A publish may always remove this many properties, whatever their share of the catalogue. */
const ALWAYS_REMOVABLE = 5;

/** @param maxShrink percentage. @default 10 */
export function removalLimit(total: number, maxShrink = 10): number {
  return Math.max(ALWAYS_REMOVABLE, Math.floor((total * maxShrink) / 100));
}
