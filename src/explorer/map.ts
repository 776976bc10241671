/** Maps, by Leaflet. Loaded when there is a map to show. */
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
import type { Position } from './catalogue.ts';
import { pointsOf, type WorldOutline } from './world-outline.ts';

/** Something on the map. */
export type Place = {
  readonly id: string;
  /** What it is called. */
  readonly name: string;
  readonly position: Position;
  /** What stands in its mark. */
  readonly mark: string;
};

/** What a map needs. */
export type MapOptions = {
  readonly settings: Pick<ExplorerSettings, 'tiles'>;
  /** What the map is called. */
  readonly label: string;
  /** Called when the pointer or the focus comes to a place, or leaves it. */
  readonly onActive: (id: string | undefined) => void;
  /** What is shown when a place is chosen; undefined: places cannot be chosen. */
  readonly contentOf?: (id: string) => HTMLElement;
};

/** A map. */
export type CatalogueMap = {
  /** Shows these places, and nothing else. `isWhole`: the map moves so that all of them can be seen. */
  readonly show: (places: readonly Place[], isWhole: boolean) => void;
  /** Makes one place stand out. */
  readonly highlight: (id: string | undefined) => void;
  readonly remove: () => void;
};

/** The outline is too coarse to look closer. */
const CLOSEST_OUTLINE = 10;

/** Makes a map in an element. */
export function createMap(element: HTMLElement, options: MapOptions): CatalogueMap {
  const { tiles } = options.settings;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = new LeafletMap(element, {
    center: [25, 10],
    zoom: 1,
    minZoom: 1,
    maxZoom: tiles ? 19 : CLOSEST_OUTLINE,
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
  element.setAttribute('aria-label', options.label);
  control.zoom({ position: 'topright' }).addTo(map);
  control.scale().addTo(map);
  const credits = control.attribution({ prefix: false }).addTo(map);
  const leaving = new AbortController();
  if (tiles) {
    new TileLayer(tiles.url, { maxZoom: 19 }).addTo(map);
    credits.addAttribution(creditOf(tiles));
  } else {
    credits.addAttribution('Natural Earth');
    drawOutline(map, leaving.signal);
  }

  const markers = new Map<string, Marker>();
  let active: string | undefined;
  const mark = (id: string | undefined, isActive: boolean) => {
    const marker = id === undefined ? undefined : markers.get(id);
    marker?.getElement()?.classList.toggle('active', isActive);
    marker?.setZIndexOffset(isActive ? 1000 : 0);
  };
  return {
    show: (places, isWhole) => {
      const shown = new Map(places.map((place) => [place.id, place]));
      for (const [id, marker] of markers) {
        if (shown.has(id)) continue;
        marker.remove();
        markers.delete(id);
      }
      for (const [id, place] of shown) if (!markers.has(id)) markers.set(id, markerOf(place, options, map));
      if (isWhole && places.length > 0) showAll(map, places, tiles ? 14 : 7);
      mark(active, true);
    },
    highlight: (id) => {
      mark(active, false);
      active = id;
      mark(active, true);
    },
    remove: () => {
      leaving.abort();
      map.remove();
    },
  };
}

function showAll(map: LeafletMap, places: readonly Place[], closest: number): void {
  const bounds = new LatLngBounds(places.map(({ position }) => [position.latitude, position.longitude]));
  map.fitBounds(bounds, { padding: [36, 36], maxZoom: closest, animate: false });
}

function markerOf(place: Place, { onActive, contentOf }: MapOptions, map: LeafletMap): Marker {
  const { id, name, position } = place;
  const text = document.createElement('span');
  text.textContent = place.mark;
  const marker = new Marker([position.latitude, position.longitude], {
    icon: new DivIcon({ className: 'pin', html: text, iconSize: [28, 28] }),
    keyboard: contentOf !== undefined,
    riseOnHover: true,
  }).addTo(map);
  marker.bindTooltip(document.createTextNode(name) as unknown as HTMLElement, {
    direction: 'top',
    offset: [0, -14],
  });
  const element = marker.getElement()!;
  element.setAttribute('aria-label', name);
  if (!contentOf) element.setAttribute('role', 'img');
  for (const event of ['mouseenter', 'focus']) element.addEventListener(event, () => onActive(id));
  for (const event of ['mouseleave', 'blur']) element.addEventListener(event, () => onActive(undefined));
  if (contentOf) {
    marker.bindPopup(() => contentOf(id), { minWidth: 200, maxWidth: 240, offset: [0, -8] });
    marker.on('popupopen', () => {
      marker.closeTooltip();
      marker
        .getPopup()
        ?.getElement()
        ?.querySelector<HTMLElement>('.leaflet-popup-content a')
        ?.focus({ preventScroll: true });
    });
    // The popup has gone, and the focus with it.
    marker.on('popupclose', () => {
      if (!document.activeElement || document.activeElement === document.body)
        element.focus({ preventScroll: true });
    });
  }
  return marker;
}

/** Draws the land, unless it cannot be had, or the map goes before it comes. */
async function drawOutline(map: LeafletMap, signal: AbortSignal): Promise<void> {
  const outline = await fetch(new URL(outlineName, import.meta.url), { signal })
    .then((response) => (response.ok ? (response.json() as Promise<WorldOutline>) : undefined))
    .catch(() => undefined);
  if (!outline || signal.aborted) return;
  const { land, borders } = outline;
  const common = { interactive: false, smoothFactor: 1.2 };
  new Polygon(land.map(pointsOf), { ...common, className: 'land' }).addTo(map);
  new Polyline(borders.map(pointsOf), { ...common, className: 'borders' }).addTo(map);
}

/** Leaflet takes HTML. */
function creditOf({ attribution, attribution_url }: NonNullable<ExplorerSettings['tiles']>): string {
  const element = document.createElement(attribution_url ? 'a' : 'span');
  element.textContent = attribution;
  if (attribution_url) element.setAttribute('href', attribution_url);
  return element.outerHTML;
}
