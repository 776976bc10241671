/** Shapes of SVG as text. Lengths are pixels of a picture of {@link WIDTH} by {@link HEIGHT}. */

export const WIDTH = 1200;
export const HEIGHT = 900;

/** Where the land before the horizon begins, in pixels from the top. */
export const MEADOW = 590;

export type Point = readonly [x: number, y: number];

/** A number as short as a picture needs it. */
const short = (value: number): string => String(Math.round(value * 10) / 10);

export function rect(x: number, y: number, width: number, height: number, fill: string, more = ''): string {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${fill}" ${more}/>`;
}

export function circle(x: number, y: number, radius: number, fill: string, more = ''): string {
  return ellipse(x, y, radius, radius, fill, more);
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, more = ''): string {
  return `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}" fill="${fill}" ${more}/>`;
}

/** A shape with straight sides; `points` are the coordinates of its corners, x and y in turn. */
export function polygon(points: readonly number[], fill: string, more = ''): string {
  return `<polygon points="${points.map(short).join(' ')}" fill="${fill}" ${more}/>`;
}

/** A shape from path commands, whose numbers may be long. */
export function path(commands: string, fill: string, more = ''): string {
  const data = commands.replace(/-?\d+\.\d+/g, (digits) => short(Number(digits)));
  return `<path d="${data}" fill="${fill}" ${more}/>`;
}

/** A bent line; `points` as those of {@link polygon}. */
export function line(points: readonly number[], stroke: string, width: number, more = ''): string {
  return `<polyline points="${points.map(short).join(' ')}" fill="none" stroke="${stroke}" stroke-width="${short(width)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
}

/** Shapes that are moved and scaled together. */
export function group(shapes: readonly string[], x: number, y: number, scale = 1, more = ''): string {
  return `<g transform="translate(${short(x)} ${short(y)}) scale(${Math.round(scale * 1000) / 1000})" ${more}>${shapes.join('')}</g>`;
}

/** The colour between two, each `#rrggbb`; `amount` from 0, the first, to 1, the second. */
export function mix(one: string, other: string, amount: number): string {
  const channel = (start: number): string => {
    const [a, b] = [one, other].map((colour) => Number.parseInt(colour.slice(start, start + 2), 16));
    return Math.round(a! + (b! - a!) * amount)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

export const darker = (colour: string, amount = 0.2): string => mix(colour, '#14182c', amount);
export const lighter = (colour: string, amount = 0.2): string => mix(colour, '#ffffff', amount);

/** A rectangle that fades from one colour to another, downwards. */
export function fade(
  x: number,
  y: number,
  width: number,
  height: number,
  from: string,
  to: string,
  more = '',
): string {
  const id = `f${[x, y, width, height].map((value) => Math.round(value)).join('_')}${from.slice(1)}${to.slice(1)}`;
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>${rect(x, y, width, height, `url(#${id})`, more)}`;
}

/** Light around a point, which ends at the radius. */
export function glow(x: number, y: number, radius: number, colour: string, strength = 0.6): string {
  const id = `g${Math.round(x)}_${Math.round(y)}_${Math.round(radius)}`;
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>${circle(x, y, radius, `url(#${id})`)}`;
}

/** A picture as a document. */
export function document(shapes: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${shapes.join('')}</svg>`;
}
