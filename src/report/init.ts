import { join, relative } from 'node:path';
import { countText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { quoteForShell } from './shell-command.ts';
import type { Sink } from './sink.ts';

export function reportInit(
  root: string,
  {
    written,
    changed,
    left,
    next,
  }: Readonly<Record<'written' | 'changed' | 'left' | 'next', readonly string[]>>,
  isInstalled: boolean,
  guide: string,
  { out, err, color }: Sink,
): void {
  const colors = createColors(color);
  const place = relative('.', root);
  for (const path of written) out(`${printable(join(place, path))}\n`);
  for (const path of changed) err(`Added to: ${printable(join(place, path))}\n`);
  for (const path of left) err(`Left as it was: ${printable(join(place, path))}\n`);
  err(
    `Wrote ${countText(written.length, 'file')}${place === '' ? '' : ` to ${printable(place)}`}. How to publish it: ${guide}\nNext:\n\n`,
  );
  const steps = [
    ...(place === '' ? [] : [`cd ${quoteForShell(place)}`]),
    ...(isInstalled ? [] : ['npm install']),
    ...next,
  ];
  for (const step of steps) err(`  ${colors.bold(printable(step))}\n`);
}
