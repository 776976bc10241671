import { DivIcon, type Map as LeafletMap, Marker } from 'leaflet/dist/leaflet-src.esm.js';
import type { MapMark } from './map-marks.ts';
import type { MapTown } from './map-places.ts';

type MarkBox = Pick<MapMark, 'latitude' | 'longitude' | 'radius'>;

const NAMES_START = 5;

/**
 * Draws names in the given order. A name that would overlap a mark or an earlier name is drawn higher or lower; if that
 * does not help, it is skipped.
 */
export function drawTownNames(
  map: LeafletMap,
  towns: readonly MapTown[],
  marks: readonly MarkBox[],
): Marker[] {
  if (map.getZoom() < NAMES_START) return [];
  const view = map.getBounds();
  const taken: Box[] = marks.map(({ latitude, longitude, radius }) => {
    const { x, y } = map.project([latitude, longitude]);
    return { x, y, width: 2 * radius, height: 2 * radius };
  });
  const made: Marker[] = [];
  for (const { name, latitude, longitude } of towns) {
    if (made.length === NAMES_DRAWN) break;
    if (!view.contains([latitude, longitude])) continue;
    const { x, y } = map.project([latitude, longitude]);
    const [width, height] = [8 * name.length + 8, 18];
    const shift = [0, 27, -27, 54, -54].find((by) => {
      const box = { x, y: y + by, width, height };
      return taken.every((other) => !isTouching(box, other));
    });
    if (shift === undefined) continue;
    taken.push({ x, y: y + shift, width, height });
    const icon = new DivIcon({
      className: 'town',
      html: createTextSpan(name),
      iconSize: [width, height],
      iconAnchor: [width / 2, height / 2 - shift],
    });
    const marker = new Marker([latitude, longitude], { icon, interactive: false, keyboard: false });
    marker.setZIndexOffset(-1000).addTo(map).getElement()?.setAttribute('aria-hidden', 'true');
    made.push(marker);
  }
  return made;
}

const NAMES_DRAWN = 40;

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function isTouching(one: Box, other: Box): boolean {
  const isNear = (axis: 'x' | 'y', size: 'width' | 'height') =>
    Math.abs(one[axis] - other[axis]) < (one[size] + other[size]) / 2;
  return isNear('x', 'width') && isNear('y', 'height');
}

export function createTextSpan(text: string): HTMLElement {
  const element = document.createElement('span');
  element.textContent = text;
  return element;
}
