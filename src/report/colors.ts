/** Colours of a terminal (ECMA-48, select graphic rendition). */
import { styleText } from 'node:util';

const NAMES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** Paints texts. */
export type Colors = Readonly<Record<(typeof NAMES)[number], (text: string) => string>>;

/** Paints texts, or leaves them as they are. */
export function colorsOf(isOn: boolean): Colors {
  const paint = (name: (typeof NAMES)[number]) => (text: string) =>
    isOn ? styleText(name, text, { validateStream: false }) : text;
  return Object.fromEntries(NAMES.map((name) => [name, paint(name)])) as Colors;
}

/** Whether a stream shows colours: `NO_COLOR`, `FORCE_COLOR` and the kind of terminal decide. */
export function showsColors(stream: NodeJS.WritableStream): boolean {
  // Node lets FORCE_COLOR win, and warns.
  return !process.env.NO_COLOR && styleText('red', ' ', { stream }) !== ' ';
}
