/** Houses, seen from the front. The origin is the middle of the threshold; a house stands on the line y = 0. Long: drawings. */
import { pick, type Random } from '../random.ts';
import type { Palette } from './palette.ts';
import { conifer, palm } from './plants.ts';
import {
  circle,
  darker,
  ellipse,
  fade,
  glow,
  group,
  lighter,
  line,
  mix,
  path,
  polygon,
  rect,
} from './svg.ts';

/** A kind of place to stay. */
export type HouseKind =
  | 'cottage'
  | 'farmhouse'
  | 'manor'
  | 'terrace'
  | 'canal'
  | 'flats'
  | 'chalet'
  | 'seaside'
  | 'villa'
  | 'cabin'
  | 'barn'
  | 'tent'
  | 'veranda';

/** Colours of a house. */
export type Paint = {
  readonly wall: string;
  readonly roof: string;
  readonly door: string;
  readonly trim: string;
};

/** A drawn house and how far it reaches on either side of its threshold, in pixels at its own scale. */
export type House = { readonly shapes: readonly string[]; readonly left: number; readonly right: number };

type Draw = (random: Random, palette: Palette, paint: Paint) => House;

const GLASS = '#bfe0ea';

function glass(palette: Palette): string {
  return palette.isLit ? '#ffd98a' : mix(GLASS, palette.sky[0], 0.25);
}

/** A window with its frame; `x` and `y` are its upper left corner. */
function pane(
  palette: Palette,
  paint: Paint,
  x: number,
  y: number,
  width: number,
  height: number,
  shutters?: string,
): string {
  const frame = paint.trim;
  const parts = [
    ...(palette.isLit ? [glow(x + width / 2, y + height / 2, width * 1.5, '#ffd98a', 0.35)] : []),
    rect(x - 5, y - 5, width + 10, height + 10, frame),
    rect(x, y, width, height, glass(palette)),
    polygon(
      [x, y + height * 0.75, x + width * 0.75, y, x + width, y, x, y + height],
      '#ffffff',
      'opacity="0.25"',
    ),
    rect(x + width / 2 - 2, y, 4, height, frame),
    rect(x, y + height * 0.42, width, 4, frame),
    rect(x - 9, y + height + 5, width + 18, 6, darker(frame, 0.12)),
  ];
  if (shutters) {
    for (const side of [x - 8 - width * 0.42, x + width + 8]) {
      parts.push(rect(side, y - 3, width * 0.42, height + 6, shutters));
      for (let at = y + 6; at < y + height - 2; at += 10)
        parts.push(rect(side + 3, at, width * 0.42 - 6, 2.5, darker(shutters, 0.2)));
    }
  }
  return parts.join('');
}

/** A door whose threshold is the origin. */
function door(paint: Paint, width = 46, height = 96, isArched = false): string {
  const outline = (grow: number): string => {
    const [w, h] = [width / 2 + grow, height + grow];
    return isArched
      ? `M${-w} 0 V${-h + w} A${w} ${w} 0 0 1 ${w} ${-h + w} V0 Z`
      : `M${-w} 0 V${-h} H${w} V0 Z`;
  };
  return [
    path(outline(6), paint.trim),
    path(outline(0), paint.door),
    rect(-width / 2 + 8, -height + 24, width - 16, height * 0.28, lighter(paint.door, 0.14)),
    rect(-width / 2 + 8, -height * 0.4, width - 16, height * 0.3, darker(paint.door, 0.14)),
    circle(width / 2 - 8, -height * 0.46, 3, '#f2d58a'),
    rect(-width / 2 - 12, -4, width + 24, 8, '#cfc6b8'),
  ].join('');
}

function shade(left: number, right: number): string {
  return ellipse((left + right) / 2 + 26, 4, (right - left) / 2 + 46, 17, '#14182c', 'opacity="0.2"');
}

/** A pot with a plant. */
function pot(palette: Palette, x: number, scale = 1): string {
  return group(
    [
      circle(-9, -36, 13, palette.leaves[1]),
      circle(8, -42, 15, palette.leaves[0]),
      circle(4, -34, 4, palette.flowers[0]!),
      circle(-8, -42, 4, palette.flowers[palette.flowers.length - 1]!),
      polygon([-15, -24, 15, -24, 11, 0, -11, 0], '#b9694a'),
    ],
    x,
    0,
    scale,
  );
}

function chimney(paint: Paint, palette: Palette, x: number, bottom: number, top: number): string {
  const smoke =
    palette.light === 'day'
      ? []
      : [
          [8, 24, 11],
          [22, 52, 15],
          [12, 88, 19],
        ];
  return [
    ...smoke.map(([dx, dy, radius]) => circle(x + 14 + dx!, top - dy!, radius!, '#ffffff', 'opacity="0.28"')),
    rect(x, top, 28, bottom - top, darker(paint.wall, 0.25)),
    rect(x - 4, top - 6, 36, 10, darker(paint.roof, 0.2)),
  ].join('');
}

/** A roof with its ridge along the front. */
function longRoof(
  left: number,
  right: number,
  eaves: number,
  ridge: number,
  colour: string,
  rows = 3,
): string {
  const inset = (right - left) * 0.07;
  const at = (share: number): readonly [number, number, number] => [
    left - 20 + (inset + 20) * share,
    right + 20 - (inset + 20) * share,
    eaves + (ridge - eaves) * share,
  ];
  const lines = Array.from({ length: rows }, (_, index) => {
    const [a, b, y] = at((index + 1) / (rows + 1));
    return line([a + 6, y, b - 6, y], darker(colour, 0.14), 3);
  });
  const [a, b] = at(1);
  return [
    polygon([left - 20, eaves, a, ridge, b, ridge, right + 20, eaves], colour),
    ...lines,
    rect(left - 22, eaves - 3, right - left + 44, 9, darker(colour, 0.22)),
  ].join('');
}

function walls(paint: Paint, left: number, right: number, top: number): string {
  return [
    fade(left, top, right - left, -top, paint.wall, darker(paint.wall, 0.07)),
    polygon(
      [right - (right - left) * 0.16, 0, right - (right - left) * 0.16, top, right, top, right, 0],
      '#14182c',
      'opacity="0.07"',
    ),
    rect(left, -14, right - left, 14, darker(paint.wall, 0.22)),
  ].join('');
}

/** Irish and British: one storey, low, with a thatched or slated roof. */
const cottage: Draw = (random, palette, paint) => {
  const [left, right] = [-190, 165];
  const isThatched = random() < 0.5;
  const roof = isThatched ? mix('#c9a35c', palette.air, 0.12) : paint.roof;
  const cover = isThatched
    ? path(
        'M-212 -132 Q-205 -246 -170 -256 H146 Q182 -246 188 -132 Q150 -118 100 -126 T0 -126 T-110 -126 T-212 -132 Z',
        roof,
      ) +
      line([-170, -250, 146, -250], darker(roof, 0.25), 9) +
      [-140, -70, 0, 70, 130].map((x) => line([x, -236, x - 8, -142], darker(roof, 0.1), 3)).join('')
    : longRoof(left, right, -130, -236, roof);
  return {
    left,
    right: right + 40,
    shapes: [
      shade(left, right),
      chimney(paint, palette, 104, -200, -290),
      walls(paint, left, right, -140),
      cover,
      pane(palette, paint, -146, -98, 50, 50),
      pane(palette, paint, 66, -98, 50, 50),
      door(paint, 46, 98),
      ...[-176, -120, 138].map((x) => pot(palette, x, 0.9)),
    ],
  };
};

const farmhouse: Draw = (_random, palette, paint) => ({
  left: -170,
  right: 290,
  shapes: [
    shade(-170, 290),
    walls({ ...paint, wall: darker(paint.wall, 0.06) }, 130, 290, -120),
    longRoof(130, 290, -116, -188, darker(paint.roof, 0.08), 2),
    pane(palette, paint, 186, -90, 46, 46),
    chimney(paint, palette, -136, -250, -340),
    walls(paint, -170, 140, -210),
    longRoof(-170, 140, -204, -304, paint.roof),
    ...[-136, -22, 66].map((x) => pane(palette, paint, x, -184, 44, 54)),
    ...[-136, 66].map((x) => pane(palette, paint, x, -94, 44, 56)),
    door(paint, 48, 98),
    rect(-52, -112, 104, 10, paint.roof),
    ...[-48, 50, 158, 256].map((x) => pot(palette, x)),
  ],
});

/** Two storeys, symmetrical, five windows wide. */
const manor: Draw = (_random, palette, paint) => ({
  left: -270,
  right: 270,
  shapes: [
    shade(-270, 270),
    chimney(paint, palette, -210, -270, -360),
    chimney(paint, palette, 182, -270, -360),
    walls(paint, -270, 270, -236),
    longRoof(-270, 270, -230, -318, paint.roof),
    polygon([-92, -230, 0, -298, 92, -230], paint.wall),
    line([-98, -230, 0, -302, 98, -230], paint.trim, 9),
    circle(0, -252, 16, glass(palette), `stroke="${paint.trim}" stroke-width="5"`),
    ...[-238, -142, -22, 98, 194].map((x) => pane(palette, paint, x, -206, 44, 64)),
    ...[-238, -142, 98, 194].map((x) => pane(palette, paint, x, -104, 44, 72)),
    rect(-62, -120, 124, 10, paint.trim),
    ...[-58, 48].map((x) => rect(x, -112, 10, 112, paint.trim)),
    door(paint, 50, 100, true),
    ...[-76, 78].map((x) => conifer(x, 0, 0.42, palette.conifer)),
  ],
});

/** A row of narrow houses in a street; ours has the door at the origin. */
function street(random: Random, palette: Palette, paint: Paint, gables: boolean): House {
  const colours = [
    mix('#d98a6a', palette.air, 0.1),
    mix('#e7d9b8', palette.air, 0.1),
    mix('#8fb0a8', palette.air, 0.1),
    mix('#c9838a', palette.air, 0.1),
    mix('#93a6c4', palette.air, 0.1),
  ];
  const first = Math.floor(random() * colours.length);
  const width = gables ? 132 : 150;
  const shapes: string[] = [rect(-1300, -16, 2600, 20, '#8f8a86', 'opacity="0.5"')];
  for (let place = -5; place <= 5; place++) {
    const isOurs = place === 0;
    const own: Paint = isOurs
      ? paint
      : {
          ...paint,
          wall: colours[(first + place + 10) % colours.length]!,
          door: darker(colours[(first + place + 12) % colours.length]!, 0.35),
        };
    const height = gables ? 300 + ((place * place * 37 + first * 29) % 70) : 246;
    const left = -width / 2;
    const storeys = gables ? [-110, -196, -276] : [-112, -206];
    const house = [
      fade(left, -height, width, height, own.wall, darker(own.wall, 0.08)),
      rect(left, -height, 5, height, darker(own.wall, 0.16)),
      ...(gables
        ? gable(width, height, own, place + first)
        : [
            longRoof(
              left + 20,
              -left - 20,
              -height + 4,
              -height - 72,
              place % 2 ? own.roof : darker(own.roof, 0.1),
              2,
            ),
          ]),
      ...(gables ? [] : [rect(left + 22, -height - 100, 26, 60, darker(own.wall, 0.3))]),
      ...storeys.flatMap((y, storey) =>
        (storey === 0 ? [18] : [-46, 16]).map((x) =>
          pane(palette, own, x + (storey === 0 ? 4 : 0), y, 32, storey === 0 ? 62 : 52),
        ),
      ),
      group([door(own, 36, 84)], -34, 0),
      ...(isOurs ? [pot(palette, -64, 0.8), pot(palette, 6, 0.8)] : []),
      rect(left, -10, width, 10, darker(own.wall, 0.28)),
    ];
    shapes.push(group(house, place * width + 34, 0));
  }
  return { left: -1300, right: 1300, shapes };
}

/** A stepped, bell-shaped or plain gable. */
function gable(width: number, height: number, paint: Paint, kind: number): string[] {
  const half = width / 2;
  const steps = [1, 0.72, 0.44].map((share, index) =>
    rect(-half * share, -height - 26 * (index + 1), half * 2 * share, 27, paint.wall),
  );
  const curve = path(
    `M${-half} ${-height} C${-half * 0.4} ${-height - 6} ${-half * 0.55} ${-height - 84} 0 ${-height - 92} C${half * 0.55} ${-height - 84} ${half * 0.4} ${-height - 6} ${half} ${-height} Z`,
    paint.wall,
  );
  const plain =
    polygon([-half, -height, 0, -height - 78, half, -height], paint.wall) +
    line([-half, -height, 0, -height - 80, half, -height], paint.trim, 7);
  const shape = [steps.join(''), curve, plain][((kind % 3) + 3) % 3]!;
  return [
    shape,
    circle(0, -height - 22, 11, darker(paint.wall, 0.4)),
    rect(-half, -height - 3, width, 8, paint.trim),
  ];
}

/** Flats with balconies. */
const flats: Draw = (random, palette, paint) => {
  const [left, right, storeys] = [-230, 230, 4];
  const top = -84 - storeys * 88;
  const awning = pick(random, ['#d9694f', '#e0a83e', '#4f8f8a']);
  const shapes = [
    shade(left, right),
    walls(paint, left, right, top),
    rect(left - 10, top - 12, right - left + 20, 16, paint.trim),
    rect(left + 60, top - 50, 90, 40, darker(paint.wall, 0.12)),
  ];
  for (let storey = 0; storey < storeys; storey++) {
    const y = -84 - (storey + 1) * 88 + 14;
    for (const [index, x] of [-196, -72, 24, 146].entries()) {
      const hasBalcony = index === 0 || index === 3 || storey % 2 === 1;
      shapes.push(pane(palette, paint, x, y, 50, hasBalcony ? 64 : 48));
      if (!hasBalcony) continue;
      if ((storey + index) % 3 === 0)
        shapes.push(polygon([x - 16, y + 8, x + 66, y + 8, x + 72, y - 10, x - 22, y - 10], awning));
      shapes.push(rect(x - 24, y + 62, 98, 8, darker(paint.wall, 0.25)));
      for (let at = x - 20; at <= x + 70; at += 10)
        shapes.push(rect(at, y + 36, 3, 28, darker(paint.roof, 0.3)));
      shapes.push(rect(x - 24, y + 33, 98, 5, darker(paint.roof, 0.3)));
      if ((storey * 3 + index) % 2)
        shapes.push(
          circle(x - 10, y + 32, 10, palette.leaves[0]),
          circle(x + 56, y + 30, 12, palette.leaves[1]),
        );
    }
  }
  shapes.push(rect(left, -72, right - left, 6, paint.trim));
  for (const x of [-200, 74]) shapes.push(pane(palette, paint, x, -60, 124, 46));
  shapes.push(
    door(paint, 54, 66),
    polygon([-52, -70, 52, -70, 64, -54, -64, -54], awning),
    pot(palette, -50, 0.8),
    pot(palette, 52, 0.8),
  );
  return { left, right, shapes };
};

/** Alpine: a wide gable, stone below and wood above, a balcony with flowers. */
const chalet: Draw = (_random, palette, paint) => {
  const wood = mix('#a4653a', palette.air, 0.12);
  const planks = [-190, -168, -146, -124].map((y) => rect(-186, y, 372, 3, darker(wood, 0.16)));
  const flowers = Array.from({ length: 15 }, (_, index) =>
    circle(-168 + index * 24, -110 + (index % 2) * 5, 9, index % 3 ? '#d8483f' : '#f2b8b0'),
  );
  const snow = palette.ground[0];
  return {
    left: -240,
    right: 240,
    shapes: [
      shade(-190, 190),
      rect(-186, -96, 372, 96, mix('#d9d2c6', palette.air, 0.1)),
      polygon([-186, -96, -186, -190, 0, -300, 186, -190, 186, -96], wood),
      ...planks,
      polygon([0, -336, -250, -176, -234, -150, 0, -298, 234, -150, 250, -176], paint.roof),
      ...(palette.ground[0] > '#e'
        ? [polygon([0, -352, -256, -188, -244, -168, 0, -326, 244, -168, 256, -188], snow)]
        : []),
      pane(palette, paint, -24, -250, 48, 46),
      ...[-142, -26, 90].map((x) => pane(palette, paint, x, -184, 52, 54, '#5f7f57')),
      rect(-190, -112, 380, 14, darker(wood, 0.3)),
      ...flowers,
      ...[-152, 96].map((x) => pane(palette, paint, x, -78, 54, 44)),
      door({ ...paint, door: darker(wood, 0.3) }, 50, 86),
    ],
  };
};

/** Mediterranean: white cubes, arches, blue wood. */
const seaside: Draw = (_random, palette, paint) => ({
  left: -250,
  right: 230,
  shapes: [
    shade(-250, 230),
    fade(-250, -150, 180, 150, lighter(paint.wall, 0.2), paint.wall),
    fade(-100, -270, 210, 270, lighter(paint.wall, 0.4), paint.wall),
    fade(90, -190, 140, 190, paint.wall, darker(paint.wall, 0.1)),
    ...[
      [-254, -158, 160],
      [-106, -278, 222],
      [90, -198, 146],
    ].map(([x, y, w]) => rect(x!, y!, w!, 10, darker(paint.wall, 0.1))),
    path('M-44 -270 A46 46 0 0 1 48 -270 Z', paint.roof),
    path('M-222 0 V-66 A34 34 0 0 1 -154 -66 V0 Z', darker(paint.wall, 0.34)),
    pane(palette, paint, -72, -226, 42, 58, paint.door),
    pane(palette, paint, 44, -226, 42, 58, paint.door),
    pane(palette, paint, 138, -140, 42, 56, paint.door),
    pane(palette, paint, -206, -136, 40, 34),
    door(paint, 50, 104, true),
    rect(120, -12, 110, 12, darker(paint.wall, 0.12)),
    ...Array.from({ length: 16 }, (_, index) =>
      circle(
        96 + (index % 4) * 14 - index * 2,
        -176 + index * 9,
        12,
        index % 3 ? '#d6457f' : palette.leaves[1],
      ),
    ),
    pot(palette, -56),
    pot(palette, 62),
  ],
});

/** Flat roofs, large windows, a pool in front. */
const villa: Draw = (_random, palette, paint) => {
  const wide = (x: number, y: number, width: number, height: number): string =>
    [
      rect(x - 4, y - 4, width + 8, height + 8, paint.trim),
      fade(x, y, width, height, glass(palette), lighter(glass(palette), 0.3)),
      ...[1, 2].map((part) => rect(x + (width / 3) * part - 2, y, 4, height, paint.trim)),
      polygon(
        [x, y + height, x + width * 0.3, y, x + width * 0.42, y, x + width * 0.12, y + height],
        '#ffffff',
        'opacity="0.25"',
      ),
    ].join('');
  const pool =
    path('M-300 70 L-210 28 H210 L262 70 Z', '#e9e2d3') +
    path('M-270 64 L-198 34 H196 L238 64 Z', '#46b7cf') +
    [-150, -40, 90].map((x, index) => rect(x, 42 + index * 7, 70, 3, '#ffffff', 'opacity="0.6"')).join('');
  const lounger = (x: number): string =>
    group(
      [
        line([-34, 0, 10, -4, 36, -22], '#fbf7ee', 7),
        line([-26, 0, -26, 12], '#8a7d6d', 3),
        line([18, -4, 18, 12], '#8a7d6d', 3),
      ],
      x,
      18,
    );
  return {
    left: -300,
    right: 300,
    shapes: [
      shade(-260, 280),
      palm(palette, -286, 0, 1.25),
      fade(-60, -240, 300, 130, lighter(paint.wall, 0.3), paint.wall),
      rect(-84, -254, 348, 16, paint.roof),
      wide(0, -216, 180, 92),
      fade(-260, -122, 530, 122, paint.wall, darker(paint.wall, 0.08)),
      rect(-284, -136, 578, 16, paint.roof),
      wide(-232, -100, 160, 96),
      wide(76, -100, 164, 96),
      rect(-52, -122, 104, 122, mix('#9a6b45', palette.air, 0.15)),
      door(paint, 48, 98),
      pool,
      lounger(-250),
      lounger(262),
      pot(palette, -60),
    ],
  };
};

/** A cabin of logs or an A of two roofs, in a wood. */
const cabin: Draw = (random, palette, paint) => {
  const wood = mix('#8f5e3c', palette.air, 0.15);
  if (random() < 0.5)
    return {
      left: -200,
      right: 200,
      shapes: [
        shade(-180, 180),
        polygon([-150, 0, 0, -320, 150, 0], wood),
        ...[-40, -80, -120, -160, -200].map((y) =>
          rect(-150 - y * 0.47, y, 300 + y * 0.94, 3, darker(wood, 0.2)),
        ),
        polygon([-60, -150, 0, -270, 60, -150], glass(palette)),
        rect(-3, -262, 6, 112, paint.trim),
        line([-60, -150, 60, -150], paint.trim, 7),
        pane(palette, paint, -104, -84, 44, 50),
        pane(palette, paint, 60, -84, 44, 50),
        line([-196, 6, 0, -330, 196, 6], paint.roof, 22),
        rect(-160, -8, 320, 14, darker(wood, 0.3)),
        door(paint, 46, 92),
      ],
    };
  const logs = Array.from({ length: 8 }, (_, index) =>
    rect(-170, -20 - index * 17, 340, 3, darker(wood, 0.25)),
  );
  return {
    left: -220,
    right: 220,
    shapes: [
      shade(-200, 200),
      chimney({ ...paint, wall: '#9b948c' }, palette, 98, -160, -272),
      rect(-170, -150, 340, 150, wood),
      ...logs,
      longRoof(-190, 190, -142, -240, paint.roof),
      pane(palette, paint, -132, -104, 56, 54),
      pane(palette, paint, 78, -104, 56, 54),
      door(paint, 48, 96),
      rect(-206, -10, 412, 16, darker(wood, 0.3)),
      ...[-196, 190].map((x) => rect(x, -142, 8, 134, darker(wood, 0.3))),
    ],
  };
};

const barn: Draw = (_random, palette, paint) => ({
  left: -200,
  right: 200,
  shapes: [
    shade(-190, 190),
    polygon([-180, 0, -180, -150, -120, -240, 0, -294, 120, -240, 180, -150, 180, 0], paint.wall),
    ...[-140, -100, -60, 60, 100, 140].map((x) =>
      rect(x, -210 + Math.abs(x) * 0.5, 3, 210 - Math.abs(x) * 0.5, darker(paint.wall, 0.14)),
    ),
    line([-198, -142, -126, -248, 0, -306, 126, -248, 198, -142], paint.roof, 20),
    pane(palette, paint, -30, -238, 60, 56),
    rect(-78, -124, 156, 124, paint.trim),
    ...[-70, 4].map((x) => rect(x, -116, 66, 116, glass(palette))),
    ...[-70, 4].map((x) => line([x, -58, x + 66, -58], paint.trim, 5)),
    pane(palette, paint, -150, -92, 42, 48),
    pane(palette, paint, 108, -92, 42, 48),
    pot(palette, -96),
    pot(palette, 98),
  ],
});

/** A safari tent on a deck. */
const tent: Draw = (_random, palette, paint) => {
  const canvas = mix('#efe3c8', palette.air, 0.12);
  const inside = palette.isLit ? '#ffcf7d' : darker(canvas, 0.5);
  return {
    left: -240,
    right: 240,
    shapes: [
      shade(-220, 220),
      ...[-250, 250].map((x) => line([x, 0, x * 0.62, -160], paint.trim, 3)),
      polygon([-190, -10, -150, -140, 0, -250, 150, -140, 190, -10], canvas),
      polygon([70, -10, 60, -200, 150, -140, 190, -10], darker(canvas, 0.12)),
      polygon([-62, -10, 0, -206, 62, -10], inside),
      ...(palette.isLit ? [glow(0, -70, 190, '#ffcf7d', 0.5)] : []),
      polygon([-62, -10, 0, -206, -30, -10], lighter(canvas, 0.2)),
      polygon([62, -10, 0, -206, 34, -10], darker(canvas, 0.06)),
      line([-206, -128, 0, -264, 206, -128], mix('#c9a878', palette.air, 0.1), 13),
      ...Array.from({ length: 13 }, (_, index) => {
        const share = index / 12;
        return circle(-190 + 380 * share, -122 - Math.sin(share * Math.PI) * 66, 5, '#ffe7a8');
      }),
      polygon([-230, -10, 230, -10, 262, 22, -262, 22], mix('#a9805a', palette.air, 0.15)),
      ...[0, 10].map((y) => line([-240 - y, -2 + y, 240 + y, -2 + y], mix('#7d5b3d', palette.air, 0.15), 2)),
      group(
        [
          rect(-30, -30, 60, 6, '#8a6042'),
          line([-22, -26, -26, 0], '#6d4a33', 5),
          line([22, -26, 26, 0], '#6d4a33', 5),
          circle(0, -40, 9, palette.leaves[0]),
        ],
        130,
        8,
      ),
    ],
  };
};

/** Australian and American: wood, a deep porch along the front. */
const veranda: Draw = (_random, palette, paint) => ({
  left: -260,
  right: 260,
  shapes: [
    shade(-260, 260),
    chimney(paint, palette, -170, -230, -316),
    walls(paint, -220, 220, -170),
    ...Array.from({ length: 8 }, (_, index) =>
      rect(-220, -160 + index * 18, 440, 2, darker(paint.wall, 0.1)),
    ),
    longRoof(-220, 220, -166, -262, paint.roof),
    polygon([-70, -196, 0, -262, 70, -196], paint.wall),
    line([-82, -186, 0, -266, 82, -186], paint.trim, 8),
    pane(palette, paint, -20, -232, 40, 34),
    ...[-180, 118].map((x) => pane(palette, paint, x, -112, 62, 66)),
    door(paint, 48, 98),
    polygon([-250, -150, 250, -150, 276, -124, -276, -124], darker(paint.roof, 0.12)),
    ...[-262, -132, 124, 254].map((x) => rect(x, -126, 9, 116, paint.trim)),
    ...[
      [-256, 124],
      [132, 124],
    ].map(([x, width]) => rect(x!, -52, width!, 6, paint.trim)),
    ...Array.from({ length: 9 }, (_, index) => rect(-248 + index * 14, -50, 4, 42, paint.trim)),
    ...Array.from({ length: 9 }, (_, index) => rect(140 + index * 14, -50, 4, 42, paint.trim)),
    polygon([-270, -12, 270, -12, 284, 6, -284, 6], darker(paint.trim, 0.25)),
  ],
});

/** Draws a house of each kind. */
export const HOUSES: Readonly<Record<HouseKind, Draw>> = {
  cottage,
  farmhouse,
  manor,
  terrace: (random, palette, paint) => street(random, palette, paint, false),
  canal: (random, palette, paint) => street(random, palette, paint, true),
  flats,
  chalet,
  seaside,
  villa,
  cabin,
  barn,
  tent,
  veranda,
};
