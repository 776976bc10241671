/** Index of the last element that passes; -1 if none does. All elements after one that fails must fail too. */
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
