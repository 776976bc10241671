import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMapMarks, type Pixel } from '../../src/explorer/map-marks.ts';
import type { MapPoint } from '../../src/explorer/map-places.ts';

const WORLD: [number, number, number, number] = [-180, -85, 180, 85];
const CLOSEST = 15;

const placeAt = (latitude: number, longitude: number, number = 0): MapPoint => ({
  title: `Stay ${number}`,
  city: 'Madrid',
  country: 'ES',
  latitude,
  longitude,
  id: String(number),
});

/** Web Mercator (EPSG:3857) in pixels of a zoom. */
function project(zoom: number): (latitude: number, longitude: number) => Pixel {
  const size = 256 * 2 ** zoom;
  return (latitude, longitude) => {
    const angle = (latitude * Math.PI) / 180;
    return {
      x: ((longitude + 180) / 360) * size,
      y: (0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI)) * size,
    };
  };
}

const near = fc.record({
  latitude: fc.double({ min: 40.39, max: 40.45, noNaN: true }),
  longitude: fc.double({ min: -3.72, max: -3.65, noNaN: true }),
});

describe('marks', () => {
  it('include every place once, and none covers another, at every zoom (F)', () => {
    fc.assert(
      fc.property(
        fc.array(near, { maxLength: 120 }),
        fc.constantFrom(0, 5, 10.25, 11, 12.75, 13, 14, 15),
        (positions, zoom) => {
          const places = positions.map(({ latitude, longitude }, n) => placeAt(latitude, longitude, n));
          const found = createMapMarks(places, CLOSEST).within(WORLD, zoom, project(zoom));
          const ids = found.flatMap((mark) => mark.places(1000).map((place) => Number(place.id)));
          expect(ids.sort((a, b) => a - b)).toEqual(places.map((_, index) => index));
          expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(places.length);
          for (const [index, one] of found.entries()) {
            expect(one.place === undefined).toBe(one.count > 1);
            for (const other of found.slice(index + 1)) {
              const [a, b] = [one, other].map(({ latitude, longitude }) =>
                project(zoom)(latitude, longitude),
              );
              const distance = Math.hypot(a!.x - b!.x, a!.y - b!.y);
              expect(distance).toBeGreaterThanOrEqual(one.radius + other.radius);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('combine places at one spot at the closest zoom, and list as many as asked for', () => {
    const places = Array.from({ length: 5 }, (_, number) => placeAt(40.4, -3.7, number));
    const [mark, ...others] = createMapMarks(places, CLOSEST).within(WORLD, CLOSEST, project(CLOSEST));
    expect(others).toEqual([]);
    expect([mark?.count, mark?.places(3).length, mark?.places(100).length]).toEqual([5, 3, 5]);
  });

  it('are empty without places', () => {
    expect(createMapMarks([], CLOSEST).within(WORLD, 3, project(3))).toEqual([]);
  });
});
