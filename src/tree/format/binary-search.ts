/**
 * Binary search in a list whose elements pass the test up to some index, and fail after it. Returns that index; -1 if
 * none passes.
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
