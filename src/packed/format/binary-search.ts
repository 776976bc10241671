/**
 * Index of the last element that passes a test which only a prefix of the list passes, by binary search; -1 if none
 * does.
 */
export function lastPassing<T>(list: readonly T[], test: (element: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
