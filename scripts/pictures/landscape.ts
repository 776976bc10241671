/** The sky and the land around a house. */
import { integerBetween, pick, type Random } from '../random.ts';
import type { Palette } from './palette.ts';
import { conifer, tree } from './plants.ts';
import {
  circle,
  darker,
  ellipse,
  fade,
  glow,
  group,
  HEIGHT,
  lighter,
  line,
  MEADOW,
  mix,
  type Point,
  path,
  polygon,
  rect,
  WIDTH,
} from './svg.ts';

/** What lies between the sky and the meadow of the house. */
export type Surroundings =
  | 'hills'
  | 'mountains'
  | 'sea'
  | 'lake'
  | 'harbour'
  | 'skyline'
  | 'vineyard'
  | 'dunes'
  | 'wood';

export function sky(random: Random, palette: Palette): string[] {
  const x = pick(random, [190, 300, 880, 1010]);
  const y = integerBetween(random, 130, 230);
  const isCloudy = palette.light === 'cloudy';
  const radius = isCloudy ? 40 : 52;
  const clouds = Array.from({ length: integerBetween(random, 2, 4) }, (_, index) =>
    cloud(random, palette, 120 + index * 330 + random() * 160, 70 + random() * 190),
  );
  return [
    fade(0, 0, WIDTH, HEIGHT * 0.72, palette.sky[0], palette.sky[1]),
    glow(x, y, isCloudy ? 200 : 330, palette.sun, isCloudy ? 0.5 : 0.75),
    circle(x, y, radius, palette.sun),
    ...clouds,
  ];
}

function cloud(random: Random, { cloud: colour }: Palette, x: number, y: number): string {
  const width = 60 + random() * 60;
  const shapes = [
    rect(-width, -16, width * 2, 32, colour, 'rx="16"'),
    ellipse(-width * 0.35, -16, width * 0.42, 24, colour),
    ellipse(width * 0.22, -22, width * 0.5, 33, colour),
  ];
  return group(shapes, x, y, 0.8 + random() * 0.5, `opacity="${(0.5 + random() * 0.3).toFixed(2)}"`);
}

/** A soft ridge across the whole picture; `height` is how far it rises above its base. */
function ridge(random: Random, base: number, height: number, colour: string, waves = 3): string {
  const parts = Array.from({ length: waves }, (_, index) => ({
    length: (index + 1) * (0.7 + random() * 0.7),
    phase: random() * 7,
    size: 1 / (index + 1.2),
  }));
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  const points: number[] = [];
  for (let x = 0; x <= WIDTH; x += 20) {
    const wave = parts.reduce(
      (sum, { length, phase, size }) => sum + size * Math.sin((x / WIDTH) * Math.PI * 2 * length + phase),
      0,
    );
    points.push(x, base - height * (0.5 + wave / total / 2));
  }
  return polygon([0, HEIGHT, ...points, WIDTH, HEIGHT], colour);
}

/** Pointed mountains with snow on the highest. */
function peaks(random: Random, palette: Palette): string[] {
  const shapes: string[] = [];
  for (let x = -80; x < WIDTH + 150; x += 150 + random() * 120) {
    const height = 170 + random() * 190;
    const half = height * (0.75 + random() * 0.25);
    const top: Point = [x, MEADOW - 40 - height];
    const colour = palette.ridges[0];
    shapes.push(polygon([x - half, MEADOW, ...top, x + half, MEADOW], colour));
    shapes.push(polygon([...top, x + half, MEADOW, x + half * 0.18, MEADOW], darker(colour, 0.12)));
    if (height < 230) continue;
    const at = (share: number, side: number): Point => [
      top[0] + side * half * share,
      top[1] + (height + 40) * share,
    ];
    shapes.push(
      polygon(
        [top, at(0.3, 1), at(0.2, 0.25), at(0.31, -0.2), at(0.2, -0.5), at(0.29, -1)].flat(),
        lighter(colour, 0.8),
      ),
    );
  }
  return shapes;
}

function water(random: Random, palette: Palette, from: number, to: number): string[] {
  const glints = Array.from({ length: 16 }, () => {
    const y = from + 14 + random() * (to - from - 24);
    const width = 20 + random() * 90;
    return rect(random() * WIDTH, y, width, 3, '#ffffff', 'rx="1.5" opacity="0.35"');
  });
  return [fade(0, from, WIDTH, to - from, palette.water[0], palette.water[1]), ...glints];
}

function boat(palette: Palette, x: number, y: number, scale: number): string {
  return group(
    [
      polygon([-46, 0, 46, 0, 30, 20, -34, 20], darker(palette.water[1], 0.45)),
      line([0, 0, 0, -92], palette.trunk, 4),
      polygon([5, -90, 5, -10, 50, -10], '#fdfaf2'),
      polygon([-5, -76, -5, -10, -36, -10], '#f3e6d2'),
    ],
    x,
    y,
    scale,
  );
}

function lighthouse(x: number, y: number): string {
  return group(
    [
      polygon([-20, 0, -13, -120, 13, -120, 20, 0], '#f8f4ea'),
      polygon([-18, -34, 18, -34, 16, -66, -16, -66], '#c8503f'),
      polygon([-14.5, -96, 14.5, -96, 13, -120, -13, -120], '#c8503f'),
      rect(-11, -142, 22, 22, '#ffe9a6'),
      polygon([-15, -142, 0, -158, 15, -142], '#7c3a34'),
    ],
    x,
    y,
  );
}

function towers(random: Random, palette: Palette): string[] {
  const shapes: string[] = [];
  for (const [depth, low, high] of [
    [0, 130, 300],
    [1, 70, 210],
  ] as const) {
    for (let x = -20; x < WIDTH; ) {
      const width = 55 + random() * 60;
      const height = low + random() * (high - low);
      const colour = mix(palette.ridges[depth], palette.sky[1], depth === 0 ? 0.35 : 0.08);
      shapes.push(rect(x, MEADOW - height, width, height + 30, colour));
      if (random() < 0.3)
        shapes.push(
          polygon(
            [x, MEADOW - height, x + width / 2, MEADOW - height - 40, x + width, MEADOW - height],
            colour,
          ),
        );
      for (let y = MEADOW - height + 16; y < MEADOW - 30; y += 26)
        for (let at = x + 9; at < x + width - 12; at += 18)
          if (random() < 0.55)
            shapes.push(
              rect(
                at,
                y,
                8,
                12,
                palette.isLit ? '#ffdf9a' : lighter(colour, 0.3),
                `opacity="${depth === 0 ? 0.5 : 0.8}"`,
              ),
            );
      x += width + random() * 14;
    }
  }
  return shapes;
}

function rows(palette: Palette): string[] {
  const shapes: string[] = [];
  for (let index = -13; index <= 13; index++) {
    const top: Point = [640 + index * 34, MEADOW - 84];
    const bottom: Point = [640 + index * 120, MEADOW + 70];
    for (let step = 0; step < 12; step++) {
      const share = (step / 12) ** 1.3;
      const [x, y] = [top[0] + (bottom[0] - top[0]) * share, top[1] + (bottom[1] - top[1]) * share];
      shapes.push(ellipse(x, y, 6 + share * 16, 5 + share * 10, palette.leaves[step % 2]!));
    }
  }
  return shapes;
}

/** What lies behind the meadow. Long: a drawing of each kind. */
export function background(random: Random, palette: Palette, surroundings: Surroundings): string[] {
  const [far, middle, near] = palette.ridges;
  const hills = (): string[] => [
    ridge(random, MEADOW - 40, 170, far),
    ridge(random, MEADOW - 10, 120, middle),
    ridge(random, MEADOW + 20, 80, near),
  ];
  const kinds: Readonly<Record<Surroundings, () => string[]>> = {
    hills,
    mountains: () => [
      ...peaks(random, palette),
      ridge(random, MEADOW, 120, middle),
      ridge(random, MEADOW + 20, 70, near),
    ],
    sea: () => [
      ridge(random, MEADOW - 120, 60, far),
      ...water(random, palette, MEADOW - 125, MEADOW + 30),
      boat(palette, integerBetween(random, 120, 1080), MEADOW - 86, 0.55),
    ],
    lake: () => [
      ...peaks(random, palette),
      ridge(random, MEADOW - 60, 100, middle),
      ...water(random, palette, MEADOW - 90, MEADOW + 30),
    ],
    harbour: () => [
      ridge(random, MEADOW - 120, 90, far),
      ...water(random, palette, MEADOW - 125, MEADOW + 30),
      lighthouse(pick(random, [120, 1060]), MEADOW - 112),
      ...[210, 540, 760, 980].map((x, index) =>
        boat(palette, x + random() * 80, MEADOW - 80 + index * 22, 0.7 + index * 0.13),
      ),
    ],
    skyline: () => towers(random, palette),
    vineyard: () => [
      ridge(random, MEADOW - 60, 160, far),
      ridge(random, MEADOW - 40, 90, middle),
      ridge(random, MEADOW + 10, 70, near),
      ...rows(palette),
    ],
    dunes: () => [
      ...water(random, palette, MEADOW - 130, MEADOW + 30),
      ridge(random, MEADOW + 10, 90, mix(palette.path, palette.ground[0], 0.25), 2),
      ridge(random, MEADOW + 40, 70, mix(palette.path, palette.ground[0], 0.5), 2),
    ],
    wood: () => [
      ridge(random, MEADOW - 60, 150, far),
      ...Array.from({ length: 30 }, (_, index) =>
        conifer(
          index * 42 + random() * 24,
          MEADOW + 6,
          1.15 + random() * 0.7,
          mix(palette.conifer, palette.ridges[1], 0.55),
        ),
      ),
      ...Array.from({ length: 17 }, (_, index) =>
        conifer(
          index * 76 + random() * 40,
          MEADOW + 26,
          1.3 + random() * 0.8,
          mix(palette.conifer, palette.ridges[2], 0.22),
        ),
      ),
    ],
  };
  return kinds[surroundings]();
}

/** The meadow with its path to a door. */
export function meadow(random: Random, palette: Palette, door: Point): string[] {
  const [x, y] = door;
  const swing = x > WIDTH / 2 ? -1 : 1;
  const end = x + swing * integerBetween(random, 40, 160);
  const way = `M${x - 22} ${y} C${x - 30 + swing * 40} ${y + 60} ${end - 150} ${y + 80} ${end - 120} ${HEIGHT} L${end + 70} ${HEIGHT} C${end - 30} ${y + 90} ${x + 60 + swing * 50} ${y + 60} ${x + 22} ${y} Z`;
  const start = MEADOW - 8 - random() * 24;
  const land = `M0 ${start + 20} C300 ${start - 20} 500 ${start + 34} 760 ${start + 6} S1100 ${start + 6} ${WIDTH} ${start + 24} V${HEIGHT} H0 Z`;
  const gradient = `<linearGradient id="meadow" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.ground[0]}"/><stop offset="1" stop-color="${palette.ground[1]}"/></linearGradient>`;
  return [gradient, path(land, 'url(#meadow)'), path(way, palette.path)];
}

/** A paved street in front of houses in a town; a canal in front of it where there is one. */
export function pavement(palette: Palette, hasCanal: boolean): string[] {
  const stone = mix('#cfc8bd', palette.air, 0.2);
  const joints = [762, 784, 810].map((y) => rect(0, y, WIDTH, 2.5, darker(stone, 0.12)));
  const kerb = [rect(0, 838, WIDTH, 12, lighter(stone, 0.35)), rect(0, 850, WIDTH, 6, darker(stone, 0.3))];
  const road = fade(0, 856, WIDTH, 44, darker(stone, 0.3), darker(stone, 0.38));
  const canal = [
    fade(0, 850, WIDTH, 50, palette.water[0], palette.water[1]),
    ...[90, 420, 650, 980].map((x, index) =>
      rect(x, 866 + (index % 3) * 9, 90, 3, '#ffffff', 'rx="1.5" opacity="0.4"'),
    ),
    ...Array.from({ length: 13 }, (_, index) => rect(20 + index * 96, 806, 5, 36, darker(stone, 0.55))),
    line([0, 808, WIDTH, 808], darker(stone, 0.55), 4),
    line([0, 822, WIDTH, 822], darker(stone, 0.55), 3),
  ];
  return [
    fade(0, MEADOW + 20, WIDTH, HEIGHT - MEADOW - 20, lighter(stone, 0.1), stone),
    ...joints,
    ...kerb,
    ...(hasCanal ? canal : [road]),
  ];
}

/** Street trees and lamps, in front of the houses at these places. */
export function streetTrees(random: Random, palette: Palette, places: readonly number[]): string[] {
  const lamp = (x: number): string => {
    const light = palette.isLit ? [glow(x, 642, 110, '#ffd98a', 0.6)] : [];
    return [
      ...light,
      rect(x - 3, 650, 6, 165, '#3d444f'),
      rect(x - 9, 808, 18, 8, '#3d444f'),
      polygon([x - 11, 650, x - 15, 624, x + 15, 624, x + 11, 650], '#ffe9b0'),
      polygon([x - 18, 624, x, 608, x + 18, 624], '#3d444f'),
    ].join('');
  };
  return places.map((x, index) => (index % 2 ? lamp(x) : tree(random, palette, x, 818, 1.1)));
}

/** Grass and flowers in front of everything. */
export function foreground(random: Random, palette: Palette): string[] {
  const dark = darker(palette.ground[1], 0.16);
  const edge = path(
    `M0 ${HEIGHT - 46} C240 ${HEIGHT - 92} 420 ${HEIGHT - 8} 700 ${HEIGHT - 26} S1080 ${HEIGHT - 74} ${WIDTH} ${HEIGHT - 40} V${HEIGHT} H0 Z`,
    dark,
  );
  const blades = Array.from({ length: 46 }, () => {
    const x = random() * WIDTH;
    const lean = (random() - 0.5) * 18;
    const height = 22 + random() * 34;
    return path(
      `M${x - 4} ${HEIGHT} Q${x + lean / 2} ${HEIGHT - height * 0.6} ${x + lean} ${HEIGHT - 34 - height} Q${x + 4 + lean / 2} ${HEIGHT - height * 0.5} ${x + 5} ${HEIGHT} Z`,
      dark,
    );
  });
  const flowers = Array.from({ length: 44 }, () => {
    const y = HEIGHT - 18 - random() * 110;
    return circle(random() * WIDTH, y, 3 + ((y - 760) / 140) * 3.5, pick(random, palette.flowers));
  });
  return [edge, ...blades, ...flowers];
}
