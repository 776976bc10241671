import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { WorldOutline } from '../src/explorer/world-outline.ts';

/** Natural Earth 1:50,000,000, public domain. */
const SOURCE = 'world-atlas/countries-50m.json';
/** Degrees: a few pixels at the closest zoom of these maps. */
const TOLERANCE = 0.04;
type Position = readonly [longitude: number, latitude: number];

export function worldOutline(): WorldOutline {
  const source = createRequire(import.meta.url)(SOURCE) as Topology<{
    countries: GeometryCollection;
    land: GeometryCollection;
  }>;
  const topology = simplified(source);
  const { countries, land } = topology.objects;
  const collection = feature(topology, land);
  const rings = collection.features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates;
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
  });
  const borders = mesh(topology, countries, (one, other) => one !== other).coordinates;
  return {
    // The smallest ring with an area has three points, then the first again.
    land: rings
      .flatMap((ring) => copies(closed(unwrapped(ring))))
      .map(steps)
      .filter(({ length }) => length >= 8),
    borders: borders.flatMap((line) => copies(unwrapped(line))).map(steps),
  };
}

/** Neighbours share arcs, so they still meet. */
function simplified<Source extends Topology>(source: Source): Source {
  const { scale, translate } = source.transform!;
  const arcs = source.arcs.map((arc) => {
    let [x, y] = [0, 0];
    const points = arc.map(([dx = 0, dy = 0]) => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]] as Position;
    });
    return keepFar(points).map((point) => [...point]);
  });
  const { transform: _transform, ...rest } = source;
  return { ...rest, arcs } as unknown as Source;
}

/** Ramer-Douglas-Peucker. */
function keepFar(points: readonly Position[]): Position[] {
  const first = points[0]!;
  const last = points.at(-1)!;
  let farthest = 0;
  let most = TOLERANCE;
  for (let index = 1; index < points.length - 1; index++) {
    const distance = distanceTo(points[index]!, first, last);
    if (distance > most) {
      farthest = index;
      most = distance;
    }
  }
  if (farthest === 0) return [first, last];
  return [...keepFar(points.slice(0, farthest + 1)), ...keepFar(points.slice(farthest)).slice(1)];
}

function distanceTo([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square));
  return Math.hypot(x - ax - along * dx, y - ay - along * dy);
}

/** Continues longitudes beyond 180 instead of jumping to -180. */
function unwrapped(line: readonly (readonly number[])[]): Position[] {
  let [shift, before] = [0, line[0]?.[0] ?? 0];
  return line.map(([x = 0, y = 0]) => {
    if (x - before > 180) shift -= 360;
    else if (before - x > 180) shift += 360;
    before = x;
    return [x + shift, y];
  });
}

/** A ring around a pole ends 360 degrees from its start; closes it along the edge of the map. */
function closed(ring: readonly Position[]): readonly Position[] {
  const first = ring[0]!;
  const last = ring.at(-1)!;
  if (Math.abs(last[0] - first[0]) < 180) return ring;
  const pole = last[1] < 0 ? -90 : 90;
  return [...ring, [last[0], pole], [first[0], pole], first];
}

/** Draws what is beyond the 180th meridian on the other side too. */
function copies(line: readonly Position[]): (readonly Position[])[] {
  const degrees = line.map(([x]) => x);
  const shifted = (shift: number) => line.map(([x, y]) => [x + shift, y] as const);
  const all = [line];
  if (Math.max(...degrees) > 180) all.push(shifted(-360));
  if (Math.min(...degrees) < -180) all.push(shifted(360));
  return all;
}

/** Differences of consecutive points in hundredths of a degree. */
function steps(line: readonly (readonly number[])[]): number[] {
  let [x, y] = [0, 0];
  return line.flatMap(([longitude = 0, latitude = 0]) => {
    const step = [Math.round(longitude * 100) - x, Math.round(latitude * 100) - y] as const;
    x += step[0];
    y += step[1];
    return step[0] === 0 && step[1] === 0 ? [] : step;
  });
}
