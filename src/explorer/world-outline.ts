/** The outline of the world, as `scripts/world-outline.ts` makes it. */

/** Lines: longitude and latitude in hundredths of a degree, each point as the way from the one before. */
export type WorldOutline = {
  /** Rings of land, each closed. */
  readonly land: readonly (readonly number[])[];
  /** Lines between countries. */
  readonly borders: readonly (readonly number[])[];
};

/** The points of a line, in degrees, latitude first. */
export function pointsOf(line: readonly number[]): [latitude: number, longitude: number][] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < line.length; index += 2) {
    x += line[index]!;
    y += line[index + 1]!;
    points.push([y / 100, x / 100]);
  }
  return points;
}
