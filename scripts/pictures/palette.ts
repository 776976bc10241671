/** Colours of a picture: the light of an hour, in a kind of country. */
import { mix } from './svg.ts';

/** The hour and weather of a picture. */
export type Light = 'morning' | 'day' | 'golden' | 'cloudy' | 'dusk';

/** The kind of country around a house. */
export type Climate = 'green' | 'atlantic' | 'southern' | 'autumn' | 'winter';

export type Palette = {
  readonly light: Light;
  readonly sky: readonly [top: string, bottom: string];
  readonly sun: string;
  readonly cloud: string;
  /** Ridges, from the farthest to the nearest. */
  readonly ridges: readonly [string, string, string];
  readonly ground: readonly [far: string, near: string];
  readonly water: readonly [far: string, near: string];
  readonly leaves: readonly [string, string];
  readonly conifer: string;
  readonly trunk: string;
  readonly path: string;
  readonly flowers: readonly string[];
  /** What the air lays over everything. */
  readonly air: string;
  readonly isLit: boolean;
};

type Sky = {
  readonly sky: readonly [string, string];
  readonly sun: string;
  readonly cloud: string;
  readonly air: string;
  /** How much of the air is in colours of the land. */
  readonly haze: number;
};

const SKIES: Readonly<Record<Light, Sky>> = {
  morning: { sky: ['#8ec5e6', '#fbe9d2'], sun: '#fff3cf', cloud: '#ffffff', air: '#ffe6cf', haze: 0.16 },
  day: { sky: ['#5aa7dc', '#d3ecf5'], sun: '#fff6d8', cloud: '#ffffff', air: '#dff1f6', haze: 0.08 },
  golden: { sky: ['#f0936b', '#fbdfae'], sun: '#fff0c2', cloud: '#ffe3c8', air: '#f6b27c', haze: 0.24 },
  cloudy: { sky: ['#9fb6c3', '#e3eaea'], sun: '#ffffff', cloud: '#f4f7f7', air: '#cfdadd', haze: 0.2 },
  dusk: { sky: ['#3d4f86', '#f2a98e'], sun: '#ffe2b8', cloud: '#c98f9a', air: '#6b5b86', haze: 0.34 },
};

type Land = Pick<
  Palette,
  'ridges' | 'ground' | 'water' | 'leaves' | 'conifer' | 'trunk' | 'path' | 'flowers'
>;

const LANDS: Readonly<Record<Climate, Land>> = {
  green: {
    ridges: ['#a9c3b4', '#7fab86', '#5e9463'],
    ground: ['#8dbb62', '#6ca04c'],
    water: ['#7fb9cf', '#4f97b8'],
    leaves: ['#4f8f4a', '#3d7a43'],
    conifer: '#2f6650',
    trunk: '#6d4c3a',
    path: '#e6d3a8',
    flowers: ['#ffffff', '#ffd95e', '#ef7f7f'],
  },
  atlantic: {
    ridges: ['#9fb7b9', '#7ea590', '#689a72'],
    ground: ['#8db86a', '#5f9456'],
    water: ['#6fb0c0', '#2f7f9c'],
    leaves: ['#5a8f5a', '#43784f'],
    conifer: '#35604f',
    trunk: '#66503f',
    path: '#ddd0b4',
    flowers: ['#f7e06a', '#ffffff', '#c58bd0'],
  },
  southern: {
    ridges: ['#c3b7a6', '#b3a77f', '#94985f'],
    ground: ['#d9c17c', '#c2a560'],
    water: ['#5cc0cf', '#1d8fb5'],
    leaves: ['#8a9a52', '#6f8647'],
    conifer: '#3f6b45',
    trunk: '#7a5b41',
    path: '#f1e2bd',
    flowers: ['#e0568b', '#ffffff', '#f2a33c'],
  },
  autumn: {
    ridges: ['#b8aeb0', '#a38d78', '#8c7a52'],
    ground: ['#c6a25b', '#a07f42'],
    water: ['#86b1bd', '#4c869b'],
    leaves: ['#d0793a', '#b9562f'],
    conifer: '#41604a',
    trunk: '#5f4536',
    path: '#e5cfa3',
    flowers: ['#e9b84a', '#c9542f', '#fff1d0'],
  },
  winter: {
    ridges: ['#c5d3e2', '#a8bccf', '#8aa3b8'],
    ground: ['#eef4f9', '#d5e2ee'],
    water: ['#a9c7da', '#7ba6c2'],
    leaves: ['#b9c9d6', '#9db3c4'],
    conifer: '#3f6070',
    trunk: '#5c4a48',
    path: '#c9d6e2',
    flowers: ['#ffffff', '#ffffff', '#dfe9f2'],
  },
};

/** The colours of a climate in a light. */
export function createPalette(light: Light, climate: Climate): Palette {
  const { haze, air, ...sky } = SKIES[light];
  const land = LANDS[climate];
  const far = (colour: string, more: number): string => mix(colour, air, Math.min(0.85, haze + more));
  const pair = ([one, other]: readonly [string, string]): [string, string] => [far(one, 0.05), far(other, 0)];
  return {
    light,
    ...sky,
    air,
    ridges: [far(land.ridges[0], 0.35), far(land.ridges[1], 0.2), far(land.ridges[2], 0.08)],
    ground: pair(land.ground),
    water: pair(land.water),
    leaves: pair(land.leaves),
    conifer: far(land.conifer, 0),
    trunk: far(land.trunk, 0),
    path: far(land.path, 0),
    flowers: land.flowers.map((colour) => far(colour, -haze / 2)),
    isLit: light === 'dusk',
  };
}
