/**
 * Made by `scripts/world-outline.ts`. Each line is a list of numbers, in turn a longitude and a latitude, in hundredths
 * of a degree and relative to the previous point.
 */
export type WorldOutline = {
  readonly land: readonly (readonly number[])[];
  readonly borders: readonly (readonly number[])[];
};

/** Returns absolute coordinates, in degrees. */
export function decodeOutlineLine(line: readonly number[]): [latitude: number, longitude: number][] {
  const points: [number, number][] = [];
  let [x, y] = [0, 0];
  for (let index = 0; index < line.length; index += 2) {
    x += line[index]!;
    y += line[index + 1]!;
    points.push([y / 100, x / 100]);
  }
  return points;
}
