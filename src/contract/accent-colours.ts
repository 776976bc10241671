/** Darkens or lightens an accent colour to the contrast that readable text needs (WCAG 2.2, 1.4.3, level AA). */

const AA = 4.5;

/** Values of `--sunken` in `explorer/styles/base.css`, the plain background with the least contrast to text. */
const LIGHT_GROUND: Colour = [0xef, 0xed, 0xe8];
const DARK_GROUND: Colour = [0x27, 0x2b, 0x29];
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];

type Colour = readonly [number, number, number];

export type AccentColours = {
  readonly accent: string;
  readonly onAccent: string;
  /** Background of selected items. Normal text is readable on it. */
  readonly soft: string;
};

/** @param accent `#rrggbb` */
export function accentColours(accent: string): {
  readonly light: AccentColours;
  readonly dark: AccentColours;
} {
  const colour = parse(accent);
  return {
    light: scheme(readable(colour, LIGHT_GROUND, BLACK), WHITE, 0.86),
    dark: scheme(readable(colour, DARK_GROUND, WHITE), DARK_GROUND, 0.82),
  };
}

function scheme(accent: Colour, ground: Colour, paleness: number): AccentColours {
  return {
    accent: css(accent),
    onAccent: css(contrast(accent, WHITE) >= AA ? WHITE : BLACK),
    soft: css(mixed(accent, ground, paleness)),
  };
}

function readable(colour: Colour, ground: Colour, other: Colour): Colour {
  for (let share = 0; share < 1; share += 0.02) {
    const result = mixed(colour, other, share);
    if (contrast(result, ground) >= AA) return result;
  }
  return other;
}

function mixed(one: Colour, other: Colour, share: number): Colour {
  return one.map((value, index) => Math.round(value + (other[index]! - value) * share)) as unknown as Colour;
}

/** Contrast ratio of WCAG 2.2, from 1 (equal colours) to 21 (black and white). */
function contrast(one: Colour, other: Colour): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(text: string): Colour {
  return [1, 3, 5].map((index) => Number.parseInt(text.slice(index, index + 2), 16)) as unknown as Colour;
}

function css(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
