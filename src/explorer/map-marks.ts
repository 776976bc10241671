import Supercluster from 'supercluster';
import type { MapPoint } from './map-places.ts';

export type Pixel = { readonly x: number; readonly y: number };

/** In degrees. */
type Bounds = [west: number, south: number, east: number, north: number];

/** One place, or several that are too close for separate marks. */
export type MapMark = {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  /** In pixels. */
  readonly radius: number;
  readonly place: MapPoint | undefined;
  readonly places: (limit: number) => MapPoint[];
};

export type MapMarks = {
  readonly within: (
    bounds: Bounds,
    zoom: number,
    pixel: (latitude: number, longitude: number) => Pixel,
  ) => MapMark[];
};

/** Places closer than this number of pixels share a mark. */
const RADIUS = 40;

export function createMapMarks(places: readonly MapPoint[], maxZoom: number): MapMarks {
  const index = new Supercluster<{ place: number }, Record<string, never>>({
    radius: RADIUS,
    extent: 256,
    maxZoom: maxZoom,
  });
  index.load(
    places.map(({ latitude, longitude }, place) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties: { place },
    })),
  );
  const markOf = (feature: ReturnType<typeof index.getClusters>[number]): MapMark => {
    const [longitude = 0, latitude = 0] = feature.geometry.coordinates;
    const { properties } = feature;
    if ('cluster' in properties && properties.cluster) {
      const { cluster_id: id, point_count: count } = properties as {
        cluster_id: number;
        point_count: number;
      };
      const of = (limit: number) =>
        index.getLeaves(id, limit).map((leaf) => places[(leaf.properties as { place: number }).place]!);
      return { latitude, longitude, count, radius: markRadius(count), place: undefined, places: of };
    }
    const place = places[(properties as { place: number }).place]!;
    return { latitude, longitude, count: 1, radius: markRadius(1), place, places: () => [place] };
  };
  return {
    within: (bounds, zoom, pixel) => {
      const found = index.getClusters(bounds, Math.floor(zoom)).map(markOf);
      return withoutOverlaps(found, pixel);
    },
  };
}

/** In pixels. */
export function markRadius(count: number): number {
  if (count === 1) return 14;
  return count < 100 ? 17 : count < 1000 ? 20 : 24;
}

type PlacedMark = { mark: MapMark; readonly at: Pixel };

function withoutOverlaps(
  marks: readonly MapMark[],
  pixel: (latitude: number, longitude: number) => Pixel,
): MapMark[] {
  let placed: PlacedMark[] = marks.map((mark) => ({ mark, at: pixel(mark.latitude, mark.longitude) }));
  for (;;) {
    const kept: PlacedMark[] = [];
    // Larger marks keep their position.
    for (const one of placed.toSorted((a, b) => b.mark.count - a.mark.count)) {
      const other = kept.find(({ mark, at }) => distance(at, one.at) < mark.radius + one.mark.radius + 1);
      if (other) other.mark = together(other.mark, one.mark);
      else kept.push({ ...one });
    }
    if (kept.length === placed.length) return kept.map(({ mark }) => mark);
    placed = kept;
  }
}

function together(one: MapMark, other: MapMark): MapMark {
  const count = one.count + other.count;
  const places = (limit: number) => [...one.places(limit), ...other.places(limit)].slice(0, limit);
  return { ...one, count, radius: markRadius(count), place: undefined, places };
}

function distance(one: Pixel, other: Pixel): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
