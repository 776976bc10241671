/**
 * Makes `docs/images/diagnostic.svg`, a picture of a terminal, from what `catalogue check` really prints:
 *
 *     npm run compile && npx tsx scripts/make-diagnostic-image.ts
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain } from './command-line.ts';

const IMAGE = fileURLToPath(new URL('../docs/images/diagnostic.svg', import.meta.url));
const CLI = fileURLToPath(new URL('../lib/cli.js', import.meta.url));

const FILE = 'content/properties/ie/rose-cottage.yaml';
const PROPERTY = `id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11
title: Rose Cottage
currency: EUR
email: stay@rosecottage.example
phone: +353 1 605 7700
city: Galway
country: Ireland
latitude: 53.27194
longitude: -9.04889
facilities: [wi-fi, free_parking]
`;
const CONFIGURATION = 'vocabulary:\n  facilities: [wifi, free_parking]\n';

/** What the command prints, with the escapes that colour it. */
export function diagnosticOutput(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-image-'));
  try {
    for (const [name, text] of [
      [FILE, PROPERTY],
      ['content/catalogue.yaml', CONFIGURATION],
    ] as const) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: undefined };
    const { stderr } = spawnSync(process.execPath, [CLI, 'check'], { cwd: folder, env, encoding: 'utf8' });
    // Progress is of no interest here.
    return stderr.replace(/^(?:Reading|Making) .*\n/gm, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Styles of SGR parameters (ECMA-48, 8.3.117) that the report uses. */
const STYLES: Readonly<Record<string, string>> = { 1: 'b', 2: 'd', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };
/** What ends which style. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  22: ['b', 'd'],
  39: ['r', 'g', 'y', 'c'],
  0: Object.values(STYLES),
};

const COLUMN = 8.43;
const LINE = 20;
const MARGIN = 18;

/** A text with colours as a picture. */
export function terminalImage(output: string, command: string): string {
  const lines = [`\u001b[32m$\u001b[39m ${command}`, ...output.trimEnd().split('\n')];
  const plain = lines.map((line) => line.replace(/\u001b\[\d+m/g, ''));
  const width = Math.ceil(2 * MARGIN + COLUMN * Math.max(...plain.map(({ length }) => length)));
  const height = 2 * MARGIN + LINE * lines.length;
  const rows = lines.map((line, index) => {
    const y = MARGIN + LINE * index + 15;
    return `<text x="${MARGIN}" y="${y}">${spans(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>What catalogue check prints</title>
<style>
text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d8dee9; white-space: pre; }
.b { font-weight: bold; } .d { fill: #8b95a7; } .r { fill: #ff6b6b; } .g { fill: #7bd88f; } .y { fill: #f5c26b; } .c { fill: #6bc7f5; }
</style>
<rect width="100%" height="100%" rx="8" fill="#1d2330"/>
${rows.join('\n')}
</svg>
`;
}

/** A line, each stretch of one style in an element of its own. */
function spans(line: string): string {
  let active: readonly string[] = [];
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
      if (code === undefined) {
        if (part === '' || active.length === 0) return escapeXml(part);
        return `<tspan class="${active.join(' ')}">${escapeXml(part)}</tspan>`;
      }
      const style = STYLES[code];
      if (style) active = [...active, style];
      else active = active.filter((name) => !ENDS[code]?.includes(name));
      return '';
    })
    .join('');
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

if (isMain(import.meta.url)) {
  mkdirSync(dirname(IMAGE), { recursive: true });
  writeFileSync(IMAGE, terminalImage(diagnosticOutput(), 'catalogue check'));
}
