import { describe, expect, it } from 'vitest';
import { worldOutline } from '../../scripts/world-outline.ts';
import { decodeOutlineLine } from '../../src/explorer/world-outline.ts';

const outline = worldOutline();
const land = outline.land.map(decodeOutlineLine);

/** Whether a place lies within an odd number of rings. */
function isLand(latitude: number, longitude: number): boolean {
  let crossings = 0;
  for (const ring of land) {
    ring.forEach(([y, x], index) => {
      const [nextY, nextX] = ring[index + 1] ?? ring[0]!;
      if (y > latitude === nextY > latitude) return;
      if (longitude < x + ((latitude - y) / (nextY - y)) * (nextX - x)) crossings++;
    });
  }
  return crossings % 2 === 1;
}

describe('the outline of the world', () => {
  it.each([
    ['Dublin', 53.35, -6.4],
    ['Madrid', 40.4, -3.7],
    ['Chukotka, beyond the 180th meridian', 67, -177],
    ['Antarctica', -85, 0],
    ['King Island, Tasmania', -39.9, 143.9],
  ])('has land at %s', (_name, latitude, longitude) => {
    expect(isLand(latitude, longitude)).toBe(true);
  });

  it.each([
    ['the Atlantic', 45, -30],
    ['the Irish Sea', 53.7, -5],
    ['the Caspian Sea', 42, 50.5],
    ['the Bering Strait', 65.8, -168.9],
  ])('has no land in %s', (_name, latitude, longitude) => {
    expect(isLand(latitude, longitude)).toBe(false);
  });

  it('has no line across the whole map', () => {
    const lines = [...land, ...outline.borders.map(decodeOutlineLine)];
    const leaps = lines.flatMap((line) =>
      line.slice(1).filter(([y, x], index) => y > -89 && Math.abs(x - line[index]![1]) > 90),
    );
    expect(leaps).toEqual([]);
  });

  it('is closed, and small', () => {
    for (const ring of land) expect(ring.at(-1)).toEqual(ring[0]);
    expect(JSON.stringify(outline).length).toBeLessThan(250_000);
  });
});
