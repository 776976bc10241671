/** A house in its surroundings. */
import type { Random } from '../random.ts';
import { HOUSES, type HouseKind, type Paint } from './houses.ts';
import {
  background,
  foreground,
  meadow,
  pavement,
  type Surroundings,
  sky,
  streetTrees,
} from './landscape.ts';
import type { Palette } from './palette.ts';
import { planting } from './plants.ts';
import { document, group, WIDTH } from './svg.ts';

/** Where a house stands, in pixels from the top. */
const THRESHOLD = 735;

export type Outside = {
  readonly house: HouseKind;
  readonly surroundings: Surroundings;
  readonly plants: 'round' | 'conifers' | 'southern' | 'none';
  readonly paint: Paint;
  readonly hasSnow: boolean;
};

const SCALE: Partial<Record<HouseKind, number>> = {
  cottage: 1.25,
  tent: 1.12,
  barn: 1.2,
  cabin: 1.2,
  flats: 1.02,
};

/** Draws the house off the centre, whole, with something in front of it and something far away. */
export function drawOutside(random: Random, palette: Palette, outside: Outside): string {
  const isRow = outside.house === 'terrace' || outside.house === 'canal';
  const scale = SCALE[outside.house] ?? 1.1;
  const house = HOUSES[outside.house](random, palette, outside.paint);
  const [left, right] = [Math.min(-house.left, 420) * scale, Math.min(house.right, 420) * scale];
  const free = Math.max(0, WIDTH - left - right - 80);
  const share = random() < 0.5 ? 0.22 : 0.78;
  const x = isRow ? WIDTH / 2 + (share - 0.5) * 260 : 40 + left + free * share;
  const drawn = group(house.shapes, x, THRESHOLD, scale);
  const behind = [...sky(random, palette), ...background(random, palette, outside.surroundings)];
  if (isRow || outside.house === 'flats') {
    const beside = isRow
      ? [x - 330, x - 180, x + 240, x + 420]
      : [x - left - 130, x - left - 40, x + right + 90];
    return document([
      ...behind,
      ...pavement(palette, outside.house === 'canal'),
      drawn,
      ...streetTrees(random, palette, beside),
    ]);
  }
  return document([
    ...behind,
    ...meadow(random, palette, [x, THRESHOLD]),
    ...planting(random, palette, outside.plants, x - left, x + right, outside.hasSnow),
    drawn,
    ...foreground(random, palette),
  ]);
}
