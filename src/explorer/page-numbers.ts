/** Numbers of the pages to show; 0 stands for a gap. */
export function visiblePageNumbers(current: number, pages: number): number[] {
  const near = [1, current - 1, current, current + 1, pages].filter((page) => page >= 1 && page <= pages);
  const shown = [...new Set(near)].sort((one, other) => one - other);
  return shown.flatMap((page, index) => {
    const before = shown[index - 1] ?? 0;
    if (page - before === 2) return [page - 1, page];
    return page - before > 2 ? [0, page] : [page];
  });
}
