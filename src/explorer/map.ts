import { outlineName } from 'virtual:prepared-names';
import {
  control,
  DivIcon,
  LatLngBounds,
  Map as LeafletMap,
  Marker,
  Polygon,
  Polyline,
  TileLayer,
} from 'leaflet/dist/leaflet-src.esm.js';
import type { ExplorerSettings } from '../contract/explorer.ts';
import { countText } from '../text/amounts.ts';
import { createMapMarks, type MapMark, type MapMarks, markRadius } from './map-marks.ts';
import { type MapPoint, type MapTown, mapTownsOf } from './map-places.ts';
import { createTextSpan, drawTownNames } from './map-town-labels.ts';
import { decodeOutlineLine, type WorldOutline } from './world-outline.ts';

export type MapOptions = {
  readonly settings: Pick<ExplorerSettings, 'tiles'>;
  /** Accessible name. */
  readonly label: string;
  /** Called when pointer or focus enters a place, and with undefined when it leaves. */
  readonly onActive?: (place: MapPoint | undefined) => void;
  readonly onCountInView?: (count: number) => void;
  /** Called if the chosen mark has one place, or several that zooming cannot separate. If unset, marks are inert. */
  readonly onChoose?: (places: readonly MapPoint[], count: number) => void;
};

export type NumberedResults = ReadonlyMap<string, { readonly number: number; readonly title: string }>;

export type CatalogueMap = {
  /** If the places are new, moves the map so that all of them are in view. */
  readonly show: (places: readonly MapPoint[], numbers: NumberedResults) => void;
  readonly highlight: (id: string | undefined) => void;
  /** Focuses the mark that was chosen last, or the one now nearest to it. */
  readonly refocus: () => void;
  readonly showAll: () => void;
  readonly remove: () => void;
};

/** Maximum zoom without tiles: the map is then about 2 km wide. */
const MAX_ZOOM = 15;
const MAX_TILE_ZOOM = 19;
/** Tile hosts require a referrer, but the origin is enough. */
const TILE_OPTIONS = { maxZoom: MAX_TILE_ZOOM, referrerPolicy: 'origin' } as const;
/** From this zoom level on, the error of the outline exceeds the width of a mark, so the outline is hidden. */
const OUTLINE_ENDS = 12;
/** Zoom at which a single place is shown without tiles, so that the outline still shows the coast. */
const SINGLE_PLACE_ZOOM = 8;
/** If a chosen mark has more places than this, the map zooms in by two levels instead of showing all of them. */
const MAX_PLACES_SHOWN = 2000;
/** Latitude in degrees. Land that is wholly south of it (Antarctica) is not drawn. */
const SOUTHERN_LIMIT = -60;

export function createMap(element: HTMLElement, options: MapOptions): CatalogueMap {
  const { tiles } = options.settings;
  const map = createLeafletMap(element, options);
  const closest = map.getMaxZoom();
  const leaving = new AbortController();
  if (!tiles) drawWorldOutline(map, leaving.signal);
  const drawing = createDrawing(map, options, closest);
  const onZoom = () => element.classList.toggle('close', !tiles && map.getZoom() >= OUTLINE_ENDS);

  let shown: readonly MapPoint[] = [];
  const showAll = () => {
    if (shown.length === 0) return;
    const nearest = shown.length === 1 && !tiles ? SINGLE_PLACE_ZOOM : MAX_ZOOM - 1;
    map.fitBounds(boundsOf(shown), { padding: [40, 40], maxZoom: nearest, animate: false });
  };
  map.on('moveend', drawing.draw);
  map.on('zoomend', onZoom);
  return {
    show: (places, numbers) => {
      const isOther = places !== shown;
      shown = places;
      drawing.show(places, numbers);
      if (isOther) showAll();
      onZoom();
      drawing.draw();
    },
    highlight: drawing.highlight,
    showAll,
    refocus: drawing.refocus,
    remove: () => {
      leaving.abort();
      // Leaflet may report the end of a move after the map was removed.
      map.off();
      map.remove();
    },
  };
}

function createDrawing(map: LeafletMap, options: MapOptions, closest: number) {
  let shown: readonly MapPoint[] = [];
  let numbers: NumberedResults = new Map();
  let marks: MapMarks | undefined;
  let drawn: Drawn[] = [];
  let active: string | undefined;
  let standIn: Marker | undefined;
  let chosen: MapMark | undefined;
  let towns: readonly MapTown[] = [];
  let names: Marker[] = [];

  const choose = (mark: MapMark) => {
    chosen = mark;
    const { latitude, longitude, count, place } = mark;
    if (place) return options.onChoose?.([place], 1);
    if (count > MAX_PLACES_SHOWN) return map.setView([latitude, longitude], map.getZoom() + 2);
    const places = mark.places(MAX_PLACES_SHOWN);
    const bounds = boundsOf(places).pad(0.2);
    const zoom = Math.min(map.getBoundsZoom(bounds), closest);
    if (zoom <= map.getZoom()) return options.onChoose?.(places, count);
    return map.fitBounds(bounds, { maxZoom: closest });
  };
  const focusNearest = (mark: MapMark) => {
    const far = ({ mark: one }: Drawn) =>
      (one.latitude - mark.latitude) ** 2 + (one.longitude - mark.longitude) ** 2;
    const [nearest] = drawn.toSorted((one, other) => far(one) - far(other));
    nearest?.element.focus({ preventScroll: true });
  };
  const highlight = (id: string | undefined) => {
    active = id;
    standIn?.remove();
    const isDrawn = markActive(drawn, id);
    const listed = id === undefined || isDrawn ? undefined : numbers.get(id);
    const place = listed && shown.find((one) => one.title === listed.title && one.id === id);
    standIn = listed && place && drawStandIn(map, place, listed.number);
  };
  return {
    show: (places: readonly MapPoint[], now: NumberedResults) => {
      numbers = now;
      if (places !== shown) {
        marks = createMapMarks(places, closest);
        // Tiles already show the names of towns.
        towns = options.settings.tiles ? [] : mapTownsOf(places);
      }
      shown = places;
    },
    draw: () => {
      if (!marks) return;
      const focused = drawn.find(({ element }) => element === document.activeElement)?.mark;
      for (const marker of [...drawn.map(({ marker }) => marker), ...names]) marker.remove();
      const found = marksIn(map, marks);
      drawn = found.map((mark) => drawMark(map, mark, numbers, options, () => choose(mark)));
      names = drawTownNames(map, towns, found);
      if (focused) focusNearest(focused);
      highlight(active);
      const view = map.getBounds();
      options.onCountInView?.(
        shown.filter((place) => view.contains([place.latitude, place.longitude])).length,
      );
    },
    highlight,
    refocus: () => {
      if (chosen) focusNearest(chosen);
    },
  };
}

/** Returns marks in and near the view, from north to south: the order in which Tab visits them. */
function marksIn(map: LeafletMap, marks: MapMarks): MapMark[] {
  const bounds = map.getBounds().pad(0.1);
  return marks
    .within(
      [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
      map.getZoom(),
      (latitude, longitude) => map.project([latitude, longitude]),
    )
    .sort((one, other) => other.latitude - one.latitude || one.longitude - other.longitude);
}

function markActive(drawn: readonly Drawn[], id: string | undefined): boolean {
  let isDrawn = false;
  for (const { mark, marker, element } of drawn) {
    const isActive = id !== undefined && mark.place?.id === id;
    element.classList.toggle('active', isActive);
    marker.setZIndexOffset(isActive ? 1000 : 0);
    isDrawn ||= isActive;
  }
  return isDrawn;
}

function drawStandIn(map: LeafletMap, { latitude, longitude }: MapPoint, number: number): Marker {
  const marker = new Marker([latitude, longitude], {
    icon: createMarkIcon(String(number), 'pin active', markRadius(1)),
    interactive: false,
    keyboard: false,
    zIndexOffset: 1000,
  }).addTo(map);
  marker.getElement()?.setAttribute('aria-hidden', 'true');
  return marker;
}

type Drawn = { readonly mark: MapMark; readonly marker: Marker; readonly element: HTMLElement };

export function createLeafletMap(
  element: HTMLElement,
  { settings: { tiles }, label }: Pick<MapOptions, 'settings' | 'label'>,
): LeafletMap {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = new LeafletMap(element, {
    center: [25, 10],
    zoom: 1,
    minZoom: 0,
    maxZoom: tiles ? MAX_TILE_ZOOM : MAX_ZOOM,
    zoomSnap: tiles ? 1 : 0.25,
    maxBounds: [
      [-85, -200],
      [85, 200],
    ],
    maxBoundsViscosity: 1,
    zoomControl: false,
    attributionControl: false,
    zoomAnimation: !isStill,
    fadeAnimation: !isStill,
    markerZoomAnimation: !isStill,
  });
  element.setAttribute('role', 'region');
  element.setAttribute('aria-label', label);
  control.zoom({ position: 'topright' }).addTo(map);
  control.scale().addTo(map);
  const credits = control.attribution({ prefix: false }).addTo(map);
  if (tiles) new TileLayer(tiles.url, TILE_OPTIONS).addTo(map);
  credits.addAttribution(tiles ? creditOf(tiles) : 'Natural Earth');
  return map;
}

function boundsOf(places: readonly MapPoint[]): LatLngBounds {
  const bounds = new LatLngBounds([]);
  for (const { latitude, longitude } of places) bounds.extend([latitude, longitude]);
  return bounds;
}

function drawMark(
  map: LeafletMap,
  mark: MapMark,
  numbers: NumberedResults,
  { onActive, onChoose }: MapOptions,
  choose: () => void,
): Drawn {
  const { place, count, latitude, longitude, radius } = mark;
  const number = place && numbers.get(place.id)?.number;
  const name = place ? `${number ? `${number}: ` : ''}${place.title}` : countText(count, 'property');
  const text = place ? String(number ?? '') : short(count);
  const kind = place ? (number || !onChoose ? 'pin' : 'pin plain') : 'pin cluster';
  const marker = new Marker([latitude, longitude], {
    icon: createMarkIcon(text, kind, radius),
    keyboard: onChoose !== undefined,
    riseOnHover: true,
  }).addTo(map);
  marker.bindTooltip(document.createTextNode(name) as unknown as HTMLElement, {
    direction: 'auto',
    offset: [radius + 2, 0],
  });
  const element = marker.getElement()!;
  element.setAttribute('aria-label', name);
  if (!onChoose) element.setAttribute('role', 'img');
  for (const event of ['mouseenter', 'focus']) element.addEventListener(event, () => onActive?.(place));
  for (const event of ['mouseleave', 'blur']) element.addEventListener(event, () => onActive?.(undefined));
  if (onChoose) {
    marker.on('click', choose);
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    });
  }
  return { mark, marker, element };
}

export function createMarkIcon(text: string, className: string, radius: number): DivIcon {
  return new DivIcon({ className, html: createTextSpan(text), iconSize: [2 * radius, 2 * radius] });
}

function short(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`;
}

/** Draws nothing if the request fails or the map is removed meanwhile. */
export async function drawWorldOutline(map: LeafletMap, signal: AbortSignal): Promise<void> {
  const outline = await fetch(new URL(outlineName, import.meta.url), { signal })
    .then((response) => (response.ok ? (response.json() as Promise<WorldOutline>) : undefined))
    .catch(() => undefined);
  if (!outline || signal.aborted) return;
  const common = { interactive: false, smoothFactor: 1.2 };
  const land = outline.land
    .map(decodeOutlineLine)
    .filter((ring) => ring.some(([latitude]) => latitude > SOUTHERN_LIMIT));
  new Polygon(land, { ...common, className: 'land' }).addTo(map);
  new Polyline(outline.borders.map(decodeOutlineLine), { ...common, className: 'borders' }).addTo(map);
}

/** The credit as HTML, which Leaflet requires. */
function creditOf({ attribution, attribution_url }: NonNullable<ExplorerSettings['tiles']>): string {
  const element = document.createElement(attribution_url ? 'a' : 'span');
  element.textContent = attribution;
  if (attribution_url) element.setAttribute('href', attribution_url);
  return element.outerHTML;
}
