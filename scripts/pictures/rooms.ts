/** Rooms of a house, and its terrace: each shows the land around the house, in the light of its hour. Long: drawings. */
import type { Random } from '../random.ts';
import { background, type Surroundings, sky } from './landscape.ts';
import type { Palette } from './palette.ts';
import {
  circle,
  darker,
  document,
  ellipse,
  fade,
  glow,
  group,
  HEIGHT,
  lighter,
  line,
  mix,
  path,
  polygon,
  rect,
  WIDTH,
} from './svg.ts';

/** What a picture shows of the inside, or of the terrace. */
export type RoomKind = 'bedroom' | 'living room' | 'kitchen' | 'bathroom' | 'terrace';

/** Colours of the rooms of one house. */
export type Decor = {
  readonly wall: string;
  readonly floor: string;
  readonly wood: string;
  readonly textile: string;
  readonly accent: string;
};

type View = {
  readonly random: Random;
  readonly palette: Palette;
  readonly surroundings: Surroundings;
  readonly decor: Decor;
};

/** Where the floor begins, in pixels from the top. */
const FLOOR = 640;

function shell({ palette, decor }: View, tiles = false): string[] {
  const wall = mix(decor.wall, palette.air, 0.12);
  const floor = mix(decor.floor, palette.air, 0.12);
  const boards = tiles
    ? [
        ...[0, 1, 2, 3].map((row) =>
          rect(0, FLOOR + 20 + row * row * 20 + row * 26, WIDTH, 3, darker(floor, 0.1)),
        ),
        ...Array.from({ length: 15 }, (_, index) =>
          line([600 + (index - 7) * 90, FLOOR, 600 + (index - 7) * 210, HEIGHT], darker(floor, 0.1), 3),
        ),
      ]
    : Array.from({ length: 19 }, (_, index) =>
        line([600 + (index - 9) * 80, FLOOR, 600 + (index - 9) * 190, HEIGHT], darker(floor, 0.12), 3),
      );
  return [
    fade(0, 0, WIDTH, FLOOR, lighter(wall, 0.12), wall),
    fade(0, FLOOR, WIDTH, HEIGHT - FLOOR, floor, darker(floor, 0.1)),
    ...boards,
    rect(0, FLOOR - 22, WIDTH, 22, lighter(wall, 0.55)),
    rect(0, FLOOR - 3, WIDTH, 3, darker(wall, 0.18)),
  ];
}

/** The land through a window whose upper left corner is at `x` and `y`. */
function window(
  { random, palette, surroundings, decor }: View,
  x: number,
  y: number,
  width: number,
  height: number,
  curtains = true,
): string {
  const id = `w${Math.round(x)}_${Math.round(y)}`;
  const scale = Math.max(width / WIDTH, height / (HEIGHT * 0.8));
  const land = [
    ...sky(random, palette),
    ...background(random, palette, surroundings),
    fade(0, 600, WIDTH, 300, palette.ground[0], palette.ground[1]),
  ];
  const cloth = (side: number, lean: number): string =>
    path(
      `M${side} ${y - 22} Q${side + lean * 46} ${y + height * 0.5} ${side + lean * 20} ${y + height + 60} H${side - lean * 40} Q${side - lean * 34} ${y + height * 0.4} ${side - lean * 44} ${y - 22} Z`,
      mix(decor.textile, '#ffffff', 0.35),
      'opacity="0.96"',
    ) +
    [8, -12, -28]
      .map((dx) =>
        line(
          [side + lean * dx, y - 14, side + lean * (dx - 6), y + height + 54],
          darker(mix(decor.textile, '#ffffff', 0.35), 0.1),
          2,
        ),
      )
      .join('');
  return [
    rect(x - 16, y - 16, width + 32, height + 32, lighter(decor.wall, 0.7)),
    `<clipPath id="${id}">${rect(x, y, width, height, '#000')}</clipPath><g clip-path="url(#${id})">${group(land, x - (WIDTH * scale - width) / 2, y - (MEADOW_SHARE * HEIGHT * scale - height * 0.78), scale)}</g>`,
    rect(x + width / 2 - 5, y, 10, height, lighter(decor.wall, 0.7)),
    rect(x, y + height * 0.36, width, 8, lighter(decor.wall, 0.7)),
    rect(x - 26, y + height + 12, width + 52, 14, lighter(decor.wall, 0.8)),
    ...(curtains
      ? [
          cloth(x - 14, 1),
          cloth(x + width + 14, -1),
          line([x - 84, y - 24, x + width + 84, y - 24], decor.wood, 9),
          circle(x - 88, y - 24, 9, decor.wood),
          circle(x + width + 88, y - 24, 9, decor.wood),
        ]
      : []),
  ].join('');
}

const MEADOW_SHARE = 0.68;

/** Light of the window on the floor. */
function sunbeam(palette: Palette, x: number, width: number): string {
  if (palette.light === 'cloudy') return '';
  return polygon(
    [x, FLOOR + 20, x + width, FLOOR + 20, x + width * 1.25, HEIGHT - 30, x + width * 0.12, HEIGHT - 30],
    palette.sun,
    'opacity="0.22"',
  );
}

/** Plants in pots stay green in every season. */
const HOUSE_PLANT = ['#6fa05a', '#4f8750'] as const;

function plant(palette: Palette, x: number, y: number, scale: number): string {
  const leaf = (angle: number, length: number): string =>
    `<path transform="rotate(${angle})" d="M0 0 Q-26 ${-length * 0.55} 0 ${-length} Q26 ${-length * 0.55} 0 0 Z" fill="${mix(HOUSE_PLANT[angle % 4 === 0 ? 1 : 0], palette.air, palette.isLit ? 0.3 : 0.1)}"/>`;
  return group(
    [
      ellipse(6, 4, 60, 10, '#14182c', 'opacity="0.15"'),
      group(
        [-62, -38, -18, 4, 25, 44, 66].map((angle, index) => leaf(angle, 130 + (index % 3) * 34)),
        0,
        -86,
      ),
      polygon([-44, -92, 44, -92, 34, 0, -34, 0], '#c17a58'),
      rect(-48, -100, 96, 18, '#b06a4b'),
    ],
    x,
    y,
    scale,
  );
}

function floorLamp(palette: Palette, decor: Decor, x: number, y: number): string {
  return [
    ...(palette.isLit ? [glow(x, y - 380, 230, '#ffd98a', 0.6)] : [glow(x, y - 380, 150, '#fff1c9', 0.35)]),
    ellipse(x, y, 46, 9, darker(decor.wood, 0.4)),
    rect(x - 4, y - 350, 8, 350, darker(decor.wood, 0.4)),
    polygon([x - 42, y - 430, x + 42, y - 430, x + 68, y - 335, x - 68, y - 335], '#fbeac4'),
  ].join('');
}

function painting({ palette, decor }: View, x: number, y: number, width: number, height: number): string {
  return [
    rect(x - 9, y - 9, width + 18, height + 18, decor.wood),
    rect(x, y, width, height, '#fbf6ea'),
    circle(x + width * 0.66, y + height * 0.34, height * 0.13, decor.accent),
    path(
      `M${x} ${y + height * 0.75} Q${x + width * 0.3} ${y + height * 0.4} ${x + width * 0.6} ${y + height * 0.72} T${x + width} ${y + height * 0.62} V${y + height} H${x} Z`,
      palette.ridges[1],
    ),
    path(
      `M${x} ${y + height * 0.86} Q${x + width * 0.4} ${y + height * 0.66} ${x + width} ${y + height * 0.9} V${y + height} H${x} Z`,
      palette.ridges[2],
    ),
  ].join('');
}

function rug(decor: Decor, x: number, y: number, rx: number, ry: number): string {
  return [
    ellipse(x, y, rx, ry, mix(decor.textile, '#ffffff', 0.25)),
    ellipse(x, y, rx * 0.84, ry * 0.8, mix(decor.textile, '#ffffff', 0.55)),
    ellipse(x, y, rx * 0.78, ry * 0.72, mix(decor.textile, '#ffffff', 0.3)),
  ].join('');
}

function bedroom(view: View): string[] {
  const { palette, decor } = view;
  const linen = '#fbf8f1';
  const side = (x: number): string =>
    [
      rect(x - 62, 556, 124, 128, decor.wood),
      rect(x - 54, 572, 108, 40, lighter(decor.wood, 0.14)),
      rect(x - 54, 620, 108, 48, lighter(decor.wood, 0.14)),
      circle(x, 592, 5, '#f2d58a'),
      circle(x, 644, 5, '#f2d58a'),
      ...(palette.isLit ? [glow(x, 480, 150, '#ffd98a', 0.6)] : []),
      rect(x - 4, 500, 8, 56, darker(decor.wood, 0.3)),
      polygon([x - 26, 440, x + 26, 440, x + 42, 502, x - 42, 502], '#fbeac4'),
    ].join('');
  return [
    ...shell(view),
    window(view, 390, 110, 420, 290),
    painting(view, 110, 180, 130, 160),
    rug(decor, 600, 842, 470, 62),
    side(248),
    side(952),
    rect(330, 420, 540, 220, decor.wood, 'rx="26"'),
    rect(350, 440, 500, 180, lighter(decor.wood, 0.12), 'rx="18"'),
    path('M330 640 Q600 596 870 640 L912 800 H288 Z', linen),
    ...[376, 624].map((x) =>
      rect(x, 548, 200, 92, linen, `rx="30" stroke="${darker(linen, 0.1)}" stroke-width="4"`),
    ),
    ...[446, 640].map((x, index) => rect(x, 584, 116, 72, index ? decor.accent : decor.textile, 'rx="22"')),
    path('M308 720 Q600 668 892 720 L918 836 Q600 800 282 836 Z', decor.textile),
    path('M308 720 Q600 668 892 720 L896 744 Q600 692 304 744 Z', lighter(decor.textile, 0.4)),
    rect(280, 826, 20, 44, darker(decor.wood, 0.3)),
    rect(900, 826, 20, 44, darker(decor.wood, 0.3)),
    plant(palette, 1106, 800, 1.05),
  ];
}

function livingRoom(view: View): string[] {
  const { random, palette, decor } = view;
  const sofa = decor.textile;
  const isLeft = random() < 0.5;
  return [
    ...shell(view),
    window(view, isLeft ? 130 : 600, 100, 470, 350),
    sunbeam(palette, isLeft ? 150 : 620, 430),
    painting(view, isLeft ? 740 : 220, 150, 220, 160),
    rug(decor, 600, 830, 520, 66),
    floorLamp(palette, decor, isLeft ? 1090 : 110, 716),
    ellipse(600, 756, 420, 20, '#14182c', 'opacity="0.16"'),
    rect(270, 486, 660, 190, sofa, 'rx="44"'),
    rect(300, 500, 292, 150, lighter(sofa, 0.12), 'rx="28"'),
    rect(608, 500, 292, 150, lighter(sofa, 0.12), 'rx="28"'),
    rect(288, 610, 624, 96, lighter(sofa, 0.07), 'rx="26"'),
    ...[212, 900].map((x) => rect(x, 560, 92, 170, darker(sofa, 0.06), 'rx="40"')),
    rect(250, 690, 700, 44, darker(sofa, 0.12), 'rx="18"'),
    ...[280, 900].map((x) => rect(x, 730, 18, 30, decor.wood)),
    ...[330, 770].map(
      (x, index) =>
        `<g transform="rotate(${index ? 10 : -10} ${x + 50} 590)">${rect(x, 540, 104, 98, index ? decor.accent : '#fbf6ea', 'rx="18"')}</g>`,
    ),
    ellipse(600, 850, 190, 16, '#14182c', 'opacity="0.14"'),
    ellipse(600, 790, 200, 36, decor.wood),
    ellipse(600, 782, 200, 36, lighter(decor.wood, 0.16)),
    ...[460, 722].map((x) => rect(x, 800, 16, 56, darker(decor.wood, 0.2))),
    rect(540, 762, 96, 14, decor.accent),
    rect(548, 750, 80, 13, '#fbf6ea'),
    circle(690, 764, 16, '#fdfbf5'),
    plant(palette, isLeft ? 76 : 1116, 790, 1.15),
  ];
}

/** Long: a drawing. */
function kitchen(view: View): string[] {
  const { palette, decor } = view;
  const cupboard = mix(decor.textile, '#ffffff', 0.18);
  const unit = (x: number, width: number): string =>
    [
      rect(x + 4, 540, width - 8, 172, cupboard, 'rx="4"'),
      rect(x + 18, 556, width - 36, 140, darker(cupboard, 0.06), 'rx="4"'),
      rect(x + width / 2 - 22, 566, 44, 6, '#f2d58a', 'rx="3"'),
    ].join('');
  const shelf = (x: number, y: number): string =>
    [
      rect(x, y, 250, 12, decor.wood),
      ...[20, 66, 112].map((dx, index) =>
        rect(
          x + dx,
          y - 52 + index * 6,
          34,
          52 - index * 6,
          ['#fbf6ea', decor.accent, lighter(decor.wood, 0.3)][index]!,
          'rx="6"',
        ),
      ),
      circle(x + 196, y - 20, 20, palette.leaves[0]),
      rect(x + 182, y - 14, 28, 14, '#c17a58'),
    ].join('');
  const stool = (x: number): string =>
    [
      rect(x - 42, 724, 84, 14, decor.wood, 'rx="7"'),
      line([x - 30, 738, x - 42, 872], darker(decor.wood, 0.2), 9),
      line([x + 30, 738, x + 42, 872], darker(decor.wood, 0.2), 9),
      line([x - 36, 812, x + 36, 812], darker(decor.wood, 0.2), 6),
    ].join('');
  const lamp = (x: number): string =>
    [
      line([x, 0, x, 150], darker(decor.wood, 0.5), 4),
      ...(palette.isLit ? [glow(x, 210, 160, '#ffd98a', 0.6)] : []),
      path(`M${x - 62} 212 Q${x - 56} 146 ${x} 146 Q${x + 56} 146 ${x + 62} 212 Z`, decor.accent),
      ellipse(x, 212, 62, 9, '#fff1c9'),
    ].join('');
  return [
    ...shell(view, true),
    rect(0, 400, WIDTH, 110, lighter(decor.wall, 0.5)),
    ...Array.from({ length: 25 }, (_, index) => rect(index * 50, 400, 3, 110, darker(decor.wall, 0.06))),
    rect(0, 454, WIDTH, 3, darker(decor.wall, 0.06)),
    window(view, 410, 120, 380, 240, false),
    shelf(70, 236),
    shelf(70, 350),
    shelf(880, 236),
    rect(870, 262, 270, 8, darker(decor.wood, 0.2)),
    ...[900, 960, 1020, 1080].map((x, index) =>
      [
        line([x, 270, x, 300], '#8d8d92', 4),
        ellipse(x, 330, 24, 30 + (index % 2) * 8, index % 2 ? '#8d8d92' : darker(decor.wood, 0.1)),
      ].join(''),
    ),
    rect(0, 530, WIDTH, 190, darker(cupboard, 0.14)),
    ...[0, 200, 400, 800, 1000].map((x) => unit(x, 200)),
    rect(606, 540, 188, 172, '#3b4048', 'rx="6"'),
    rect(628, 588, 144, 98, '#20242b', 'rx="6"'),
    ...[640, 680, 720, 760].map((x) => circle(x, 562, 8, '#c9ccd2')),
    rect(0, 508, WIDTH, 26, lighter(decor.wood, 0.2)),
    path(
      'M540 508 V450 Q540 424 566 424 T592 450',
      'none',
      'stroke="#b9bec6" stroke-width="11" stroke-linecap="round"',
    ),
    ellipse(700, 500, 46, 10, '#2b2f36'),
    rect(656, 452, 88, 46, decor.accent, 'rx="10"'),
    rect(648, 446, 104, 10, darker(decor.accent, 0.2), 'rx="5"'),
    group(
      [
        circle(-24, -14, 20, '#e0803f'),
        circle(16, -16, 20, '#d8593f'),
        circle(-2, -34, 18, '#e5b143'),
        path('M-60 -12 H60 Q50 22 0 22 T-60 -12 Z', '#fbf6ea'),
      ],
      250,
      486,
    ),
    plant(palette, 1050, 508, 0.6),
    lamp(300),
    lamp(600),
    lamp(900),
    rect(180, 700, 840, 34, lighter(decor.wood, 0.1), 'rx="10"'),
    ...[220, 956].map((x) => rect(x, 734, 26, 150, decor.wood)),
    stool(380),
    stool(820),
    group(
      [
        rect(-16, -66, 32, 66, '#dfeef2', 'rx="10"'),
        ...[-18, 0, 18].map((x, index) =>
          [
            line([0, -60, x, -128], palette.leaves[1], 4),
            circle(x, -134, 15, palette.flowers[index % palette.flowers.length]!),
          ].join(''),
        ),
      ],
      480,
      700,
    ),
  ];
}

function bathroom(view: View): string[] {
  const { palette, decor } = view;
  const tile = lighter(decor.textile, 0.45);
  const grid = [
    ...Array.from({ length: 16 }, (_, index) => rect(index * 80, 330, 3, 310, darker(tile, 0.08))),
    ...[0, 1, 2, 3].map((row) => rect(0, 330 + row * 78, WIDTH, 3, darker(tile, 0.08))),
  ];
  return [
    ...shell(view, true),
    rect(0, 330, WIDTH, 310, tile),
    ...grid,
    rect(0, 318, WIDTH, 16, decor.wood),
    window(view, 130, 90, 330, 210, false),
    rect(760, 96, 250, 290, decor.wood, 'rx="125"'),
    fade(776, 112, 218, 258, '#e8f3f5', '#c6dde2', 'rx="109"'),
    polygon([800, 320, 930, 130, 958, 146, 826, 344], '#ffffff', 'opacity="0.5"'),
    ...(palette.isLit ? [glow(700, 230, 120, '#ffd98a', 0.6)] : []),
    circle(700, 230, 26, '#fff4d4'),
    circle(1070, 230, 26, '#fff4d4'),
    rect(700, 520, 370, 30, lighter(decor.wood, 0.25), 'rx="6"'),
    rect(720, 550, 330, 150, decor.wood, 'rx="6"'),
    ...[732, 892].map((x) => rect(x, 566, 146, 118, lighter(decor.wood, 0.12), 'rx="5"')),
    path('M800 486 H970 Q962 524 885 524 T800 486 Z', '#ffffff'),
    path(
      'M885 486 V440 Q885 424 905 424 H926 V436',
      'none',
      'stroke="#c5a667" stroke-width="9" stroke-linecap="round"',
    ),
    group([rect(-14, -44, 28, 44, decor.accent, 'rx="8"'), rect(-5, -58, 10, 16, '#f2d58a')], 1026, 520),
    ellipse(330, 846, 320, 20, '#14182c', 'opacity="0.15"'),
    path('M60 620 H600 Q590 820 480 836 H180 Q70 820 60 620 Z', '#ffffff'),
    path('M60 620 H600 Q599 650 594 676 H66 Q61 650 60 620 Z', '#eef3f4'),
    rect(44, 606, 572, 26, '#fbfcfc', 'rx="13"'),
    ...[
      [120, 598, 26],
      [168, 588, 34],
      [226, 600, 24],
      [276, 594, 30],
      [330, 602, 20],
    ].map(([x, y, radius]) =>
      circle(x!, y!, radius!, '#ffffff', 'opacity="0.95" stroke="#e3eef1" stroke-width="2"'),
    ),
    ...[170, 480].map((x) => path(`M${x - 20} 836 Q${x} 872 ${x + 26} 838 Z`, '#c5a667')),
    path(
      'M540 606 V540 Q540 520 516 520 H500',
      'none',
      'stroke="#c5a667" stroke-width="10" stroke-linecap="round"',
    ),
    rect(400, 606, 150, 92, decor.accent, 'rx="6"'),
    rect(400, 670, 150, 9, lighter(decor.accent, 0.5)),
    rug(decor, 860, 826, 220, 40),
    plant(palette, 660, 720, 0.72),
    plant(palette, 410, 312, 0.3),
  ];
}

/** Long: a drawing. */
function terrace({ random, palette, surroundings, decor }: View): string[] {
  const deck = mix(decor.wood, palette.air, 0.15);
  const boards = Array.from({ length: 21 }, (_, index) =>
    line([600 + (index - 10) * 70, 660, 600 + (index - 10) * 175, HEIGHT], darker(deck, 0.16), 3),
  );
  const leg = (from: number, to: number): string =>
    path(`M${from} 0 L${to} -86`, 'none', `stroke="${darker(decor.wood, 0.35)}" stroke-width="10"`);
  const chair = [
    ellipse(0, 4, 84, 10, '#14182c', 'opacity="0.18"'),
    leg(-50, -42),
    leg(52, 44),
    rect(-60, -104, 120, 24, decor.textile, 'rx="12"'),
    path('M-60 -104 Q-80 -190 -66 -232 Q-50 -244 -42 -228 L-32 -104 Z', decor.textile),
    path('M-46 -110 L-56 -200 L-44 -206 L-30 -110 Z', decor.accent),
  ];
  const mirrored = `<g transform="scale(-1 1)">${chair.join('')}</g>`;
  const lights = Array.from({ length: 15 }, (_, index) => {
    const x = 40 + index * 80;
    const y = 84 + Math.sin((index / 14) * Math.PI) * 64;
    return [
      ...(palette.isLit ? [glow(x, y + 16, 46, '#ffd98a', 0.7)] : []),
      line([x, y, x, y + 10], '#3d444f', 3),
      ellipse(x, y + 18, 9, 12, '#ffe9b0'),
    ].join('');
  });
  const wire = path('M0 70 Q600 232 1200 70', 'none', 'stroke="#3d444f" stroke-width="3"');
  const rail = [
    rect(0, 560, WIDTH, 12, lighter(deck, 0.25)),
    ...Array.from({ length: 31 }, (_, index) => rect(index * 40 + 6, 572, 7, 92, lighter(deck, 0.18))),
    rect(0, 654, WIDTH, 12, lighter(deck, 0.1)),
  ];
  return [
    ...sky(random, palette),
    ...background(random, palette, surroundings),
    fade(0, 590, WIDTH, 90, palette.ground[0], palette.ground[1]),
    ...rail,
    fade(0, 664, WIDTH, HEIGHT - 664, deck, darker(deck, 0.14)),
    ...boards,
    wire,
    ...lights,
    plant(palette, 96, 730, 1.1),
    plant(palette, 1112, 730, 1.1),
    group(chair, 320, 842, 1.1),
    group([mirrored], 880, 842, 1.1),
    ellipse(600, 850, 150, 16, '#14182c', 'opacity="0.18"'),
    rect(592, 716, 16, 130, darker(decor.wood, 0.35)),
    ellipse(600, 846, 80, 12, darker(decor.wood, 0.35)),
    ellipse(600, 716, 170, 30, '#f6efe2'),
    ellipse(600, 722, 170, 30, '#f6efe2'),
    ellipse(600, 714, 170, 28, '#fdf9f0'),
    group(
      [
        path('M-18 0 L-14 -70 Q-14 -84 -7 -92 V-116 H7 V-92 Q14 -84 14 -70 L18 0 Z', '#3f6b4a'),
        rect(-16, -58, 32, 34, '#fbf6ea'),
      ],
      560,
      716,
    ),
    ...[630, 676].map((x) =>
      group(
        [
          path('M-16 -64 Q-18 -30 0 -28 Q18 -30 16 -64 Z', '#ffffff', 'opacity="0.75"'),
          path('M-16 -50 Q-14 -30 0 -28 Q14 -30 16 -50 Z', '#c8503f', 'opacity="0.85"'),
          rect(-2, -30, 4, 30, '#ffffff', 'opacity="0.8"'),
          ellipse(0, 0, 14, 3, '#ffffff', 'opacity="0.8"'),
        ],
        x,
        716,
      ),
    ),
    group(
      [
        ellipse(0, 0, 46, 9, '#e9e2d3'),
        circle(-14, -12, 12, '#d8593f'),
        circle(8, -14, 13, '#e5b143'),
        circle(24, -9, 9, '#7f9f4a'),
      ],
      492,
      720,
    ),
  ];
}

const ROOMS: Readonly<Record<RoomKind, (view: View) => string[]>> = {
  bedroom,
  'living room': livingRoom,
  kitchen,
  bathroom,
  terrace,
};

/** Colours of rooms that go with each other. */
export const DECORS: readonly Decor[] = [
  { wall: '#efe6d8', floor: '#c79d6b', wood: '#94683f', textile: '#4f7f93', accent: '#e0a23e' },
  { wall: '#e3e8e2', floor: '#b98f66', wood: '#7d5a3c', textile: '#6f8f6a', accent: '#d9774f' },
  { wall: '#f1e2da', floor: '#cbab86', wood: '#a3754b', textile: '#b9656b', accent: '#3f7382' },
  { wall: '#e2e6ee', floor: '#a98766', wood: '#6b4f3f', textile: '#5b6c9c', accent: '#e3b04b' },
  { wall: '#f3ead2', floor: '#d0a878', wood: '#8a6a48', textile: '#2f7f86', accent: '#d65f4a' },
  { wall: '#ece4e6', floor: '#bf9c7c', wood: '#80604f', textile: '#84698f', accent: '#d9a05b' },
];

/** Draws a room of a house, or its terrace. */
export function drawRoom(kind: RoomKind, view: View): string {
  return document(ROOMS[kind](view));
}
