/** Such as `1 file` or `1,234 properties`. */
export function countText(count: number, noun: string): string {
  return `${formatNumber(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

export function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function secondsText(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}

export function bytesText(count: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = count;
  let unit = 0;
  // Rounds first: 1023.96 KiB is printed as 1.0 MiB.
  while (Math.round(value * 10) / 10 >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
