/** Trees and other plants around a house. */
import type { Random } from '../random.ts';
import type { Palette } from './palette.ts';
import { circle, darker, ellipse, group, MEADOW, path, polygon, rect, WIDTH } from './svg.ts';

/** A round tree that stands on a point. */
export function tree(random: Random, palette: Palette, x: number, y: number, scale: number): string {
  const [light, dark] = palette.leaves;
  const crown: readonly (readonly [number, number, number])[] = [
    [-34, -118, 40],
    [34, -112, 38],
    [0, -150, 48],
    [-4, -104, 44],
  ];
  const lean = random() * 8 - 4;
  return group(
    [
      ellipse(10, 2, 60, 10, '#14182c', 'opacity="0.16"'),
      path('M-8 2 L-5 -90 H6 L9 2 Z', palette.trunk),
      ...crown.map(([cx, cy, radius]) => circle(cx + lean, cy, radius, dark)),
      ...crown.map(([cx, cy, radius]) => circle(cx + lean - 8, cy - 8, radius * 0.78, light)),
    ],
    x,
    y,
    scale,
  );
}

/** A conifer that stands on a point. */
export function conifer(x: number, y: number, scale: number, colour: string, hasSnow = false): string {
  const tier = (top: number, bottom: number, half: number): string[] => [
    polygon([-half, bottom, 0, top, half, bottom], colour),
    polygon([0, top, half, bottom, half * 0.2, bottom], darker(colour, 0.16)),
    ...(hasSnow
      ? [
          polygon(
            [
              -half * 0.45,
              top + (bottom - top) * 0.45,
              0,
              top,
              half * 0.45,
              top + (bottom - top) * 0.45,
              0,
              top + (bottom - top) * 0.32,
            ],
            '#f6fafd',
          ),
        ]
      : []),
  ];
  return group(
    [
      rect(-5, -18, 10, 20, darker(colour, 0.4)),
      ...tier(-92, -14, 42),
      ...tier(-130, -54, 33),
      ...tier(-164, -94, 24),
    ],
    x,
    y,
    scale,
  );
}

/** A slim cypress. */
function cypress(palette: Palette, x: number, y: number, scale: number): string {
  return group(
    [
      ellipse(8, 1, 34, 7, '#14182c', 'opacity="0.15"'),
      path('M0 -210 C26 -150 30 -60 16 -6 H-16 C-30 -60 -26 -150 0 -210 Z', palette.conifer),
      path('M0 -210 C26 -150 30 -60 16 -6 H2 C14 -70 12 -150 0 -210 Z', darker(palette.conifer, 0.18)),
    ],
    x,
    y,
    scale,
  );
}

/** A palm. */
export function palm(palette: Palette, x: number, y: number, scale: number): string {
  const leaf = (angle: number): string =>
    `<path transform="rotate(${angle} 14 -190)" d="M14 -190 Q60 -226 112 -182 Q60 -202 14 -190 Z" fill="${angle % 2 ? palette.leaves[0] : palette.leaves[1]}"/>`;
  return group(
    [
      ellipse(8, 1, 44, 8, '#14182c', 'opacity="0.15"'),
      path('M-8 0 Q-6 -110 8 -192 L18 -190 Q8 -100 9 0 Z', palette.trunk),
      ...[-175, -140, -96, -52, -17, 16, 49].map(leaf),
    ],
    x,
    y,
    scale,
  );
}

/** Plants of the climate on both sides of a house that takes the room from `left` to `right`. */
export function planting(
  random: Random,
  palette: Palette,
  kind: 'round' | 'conifers' | 'southern' | 'none',
  left: number,
  right: number,
  hasSnow: boolean,
): string[] {
  if (kind === 'none') return [];
  const spots: { x: number; y: number; scale: number }[] = [];
  for (let tries = 0; tries < 60 && spots.length < 9; tries++) {
    const x = 30 + random() * (WIDTH - 60);
    const y = MEADOW + 24 + random() * 130;
    const scale = 0.5 + ((y - MEADOW) / 150) * 0.75;
    const room = 62 * scale;
    if (x > left - room && x < right + room) continue;
    if (spots.some((other) => Math.abs(other.x - x) < room + 50 * other.scale)) continue;
    spots.push({ x, y, scale });
  }
  const draw = ({ x, y, scale }: (typeof spots)[number]): string => {
    if (kind === 'conifers') return conifer(x, y, scale * 1.15, palette.conifer, hasSnow);
    if (kind === 'southern')
      return random() < 0.55 ? cypress(palette, x, y, scale) : tree(random, palette, x, y, scale * 0.8);
    return random() < 0.25 ? conifer(x, y, scale, palette.conifer) : tree(random, palette, x, y, scale);
  };
  return spots.sort((a, b) => a.y - b.y).map(draw);
}
