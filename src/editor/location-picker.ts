import { type Map as LeafletMap, Marker } from 'leaflet/dist/leaflet-src.esm.js';
import type { ExplorerSettings } from '../contract/explorer.ts';
import { createLeafletMap, createMarkIcon, drawWorldOutline } from '../explorer/map.ts';
import type { MapTown } from '../explorer/map-places.ts';
import { drawTownNames } from '../explorer/map-town-labels.ts';

type Point = { readonly latitude: number; readonly longitude: number };

type LatLng = { readonly lat: number; readonly lng: number };

export type LocationPicker = {
  /** Undefined removes the marker. The map moves only if the marker is new or outside of the view. */
  readonly show: (point: Point | undefined) => void;
  readonly centerOn: (point: Point) => void;
  /** Labels towns; if there is little room, only the first ones. */
  readonly showTowns: (towns: readonly MapTown[]) => void;
  readonly isMarkerInUpperHalf: () => boolean;
  readonly remove: () => void;
};

/** Zoom level for a point on the outline map: the coast or the nearest towns must be visible. */
const POINT_ZOOM = 11;
const AROUND_TILES = 15;
/**
 * An arrow key moves the marker by `KEY_STEP` pixels, but at most by `KEY_METRES`: on the outline map, 8 pixels can be
 * kilometres.
 */
const KEY_STEP = 8;
const KEY_METRES = 100;
/**
 * Minimum zoom level that decides the number of digits of coordinates after an arrow key. With the fewer digits of a
 * lower level, rounding would undo a move of 100 m.
 */
const KEY_ZOOM = 8;
const RADIUS = 13;
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** @param choose receives a chosen point, as precise as the zoom level allows */
export function createLocationPicker(
  element: HTMLElement,
  settings: Pick<ExplorerSettings, 'tiles'>,
  choose: (latitude: string, longitude: string) => void,
): LocationPicker {
  const { tiles } = settings;
  const map = createLeafletMap(element, { settings, label: 'Map: choose where the property is' });
  const leaving = new AbortController();
  if (!tiles) drawWorldOutline(map, leaving.signal);
  let marker: Marker | undefined;
  let towns: readonly MapTown[] = [];
  let names: readonly Marker[] = [];
  const writeNames = () => {
    for (const name of names) name.remove();
    const { lat, lng } = marker?.getLatLng() ?? {};
    const marks = lat === undefined ? [] : [{ latitude: lat, longitude: lng!, radius: RADIUS }];
    names = tiles ? [] : drawTownNames(map, towns, marks);
  };
  map.on('moveend', writeNames);
  const take = (at: LatLng, zoom = map.getZoom()) => choose(...written(at, zoom));
  const onKey = (event: KeyboardEvent) => {
    const way = ARROWS[event.key];
    if (!way || !marker) return;
    event.preventDefault();
    event.stopPropagation();
    take(stepped(map, marker.getLatLng(), way), Math.max(map.getZoom(), KEY_ZOOM));
  };
  const place = (lat: number, lng: number) => {
    if (marker) return marker.setLatLng([lat, lng]);
    const made = new Marker([lat, lng], { icon: createMarkIcon('', 'pin', RADIUS), draggable: true }).addTo(
      map,
    );
    marker = made;
    const mark = made.getElement()!;
    mark.setAttribute('aria-label', 'The property. Arrow keys move it.');
    mark.addEventListener('keydown', onKey);
    made.on('dragend', () => take(made.getLatLng()));
    return made;
  };
  map.on('zoomend', () => {
    element.classList.toggle('close', !tiles && map.getZoom() > 12);
    // Zooming keeps the point under the pointer in place, so the marker may leave the view.
    if (marker && !map.getBounds().contains(marker.getLatLng()))
      map.panTo(marker.getLatLng(), { animate: false });
  });
  map.on('click', ({ latlng }: { latlng: LatLng }) => take(latlng));
  return {
    show(point) {
      if (!point) {
        marker?.remove();
        marker = undefined;
        return;
      }
      const isFirst = marker === undefined;
      place(point.latitude, point.longitude);
      const at = [point.latitude, point.longitude] as [number, number];
      if (isFirst || !map.getBounds().contains(at)) {
        map.setView(at, Math.max(map.getZoom(), tiles ? AROUND_TILES : POINT_ZOOM), { animate: false });
      }
    },
    centerOn: ({ latitude, longitude }) =>
      map.setView([latitude, longitude], tiles ? AROUND_TILES - 1 : POINT_ZOOM, { animate: false }),
    showTowns(known) {
      towns = known;
      writeNames();
    },
    isMarkerInUpperHalf: () =>
      marker !== undefined && map.latLngToContainerPoint(marker.getLatLng()).y < map.getSize().y / 2,
    remove() {
      leaving.abort();
      map.off();
      map.remove();
    },
  };
}

function stepped(map: LeafletMap, from: LatLng, [x, y]: readonly [x: number, y: number]): LatLng {
  const at = map.latLngToContainerPoint(from);
  const to = map.containerPointToLatLng([at.x + x * KEY_STEP, at.y + y * KEY_STEP]);
  const share = Math.min(1, KEY_METRES / map.distance(from, to));
  const between = (one: number, other: number) => one + (other - one) * share;
  return { lat: between(from.lat, to.lat), lng: between(from.lng, to.lng) };
}

function written({ lat, lng }: LatLng, zoom: number): [latitude: string, longitude: string] {
  const digits = Math.min(6, Math.max(2, Math.ceil(Math.log10((256 * 2 ** zoom) / 360)) + 1));
  // Beyond the date line, longitudes exceed 180.
  const east = ((((lng + 180) % 360) + 360) % 360) - 180;
  return [lat.toFixed(digits), east.toFixed(digits)];
}
