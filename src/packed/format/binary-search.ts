/**
 * Binary search in a list of which only a prefix passes the test. Index of the last passing element; -1 if none does.
 */
export function lastIndexPassing<T>(list: readonly T[], test: (element: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
