/**
 * Colours of the explorer that follow from one accent colour. Each is brought to the contrast that text needs (WCAG 2.2,
 * 1.4.3, level AA), so that any accent can be chosen.
 */

/** Contrast of text with what is behind it, at least. */
const AA = 4.5;

/** Grounds of the light and of the dark page, the one with the least contrast to text (`styles/base.css`). */
const LIGHT_GROUND: Colour = [0xef, 0xed, 0xe8];
const DARK_GROUND: Colour = [0x27, 0x2b, 0x29];
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];

/** Red, green and blue, 0 to 255. */
type Colour = readonly [number, number, number];

/** Colours of one scheme, as CSS has them. */
export type AccentColours = {
  /** Of links and marks; readable on every ground of the page. */
  readonly accent: string;
  /** Of text on the accent. */
  readonly onAccent: string;
  /** Of the ground of what is chosen; text of the page is readable on it. */
  readonly soft: string;
};

/**
 * The colours that follow from an accent.
 *
 * @param accent as `#rrggbb`.
 *
 * @example
 * accentColours('#1d4ed8').light // { accent: '#1d4ed8', onAccent: '#ffffff', soft: '#dfe6fa' }
 */
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

/** The colour, mixed with another one until it is readable on a ground. */
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

/** The contrast ratio of two colours (WCAG 2.2, "contrast ratio"), from 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Relative luminance (WCAG 2.2). */
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
