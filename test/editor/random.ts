/** Numbers that follow from a seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    is: (chance: number) => next() < chance,
    one: <Of>(all: readonly Of[]) => all[Math.floor(next() * all.length)]!,
  };
}
