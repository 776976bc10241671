/** Seeded random numbers, equal on every machine and Node version. */

/** Uniform in [0, 1). */
export type Random = () => number;

/** Algorithm: sfc32. */
export function createRandom(seed: number): Random {
  let a = seed | 0;
  let b = 0x9e3779b9 | 0;
  let c = 0x243f6a88 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The seed is a third of the state: these rounds spread it.
  for (let round = 0; round < 15; round++) next();
  return () => next() / 0x1_0000_0000;
}

/** Both limits are included. */
export function integerBetween(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Distinct items in their original order; all if `count` is larger. */
export function sample<T>(random: Random, items: readonly T[], count: number): T[] {
  const chosen: T[] = [];
  let wanted = count;
  items.forEach((item, index) => {
    if (random() * (items.length - index) < wanted) {
      chosen.push(item);
      wanted--;
    }
  });
  return chosen;
}

export function randomUuid(random: Random): string {
  const word = (): string =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  const hex = word() + word() + word() + word();
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3] as string;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
