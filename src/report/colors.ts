import { styleText } from 'node:util';

const NAMES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

export type Colors = Readonly<Record<(typeof NAMES)[number], (text: string) => string>>;

export function createColors(isOn: boolean): Colors {
  const paint = (name: (typeof NAMES)[number]) => (text: string) =>
    isOn ? styleText(name, text, { validateStream: false }) : text;
  return Object.fromEntries(NAMES.map((name) => [name, paint(name)])) as Colors;
}

export function showsColors(stream: NodeJS.WritableStream): boolean {
  // Node.js lets FORCE_COLOR override NO_COLOR, and warns if both are set. Here, NO_COLOR wins.
  return !process.env.NO_COLOR && styleText('red', ' ', { stream }) !== ' ';
}
