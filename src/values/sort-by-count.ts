/** The highest count comes first. */
export function sortedByCount<Key>(
  counts: Iterable<readonly [Key, number]> = [],
): (readonly [Key, number])[] {
  return [...counts].sort(([, one], [, other]) => other - one);
}
