/** Merges starter files into the owner's existing ones, without removing anything. */
import { UsageError } from '../errors/errors.ts';

export const MERGES: Readonly<Record<string, (own: string, starter: string) => string>> = {
  'package.json': mergeManifest,
  '.gitignore': mergeLines,
};

type Manifest = { scripts?: Record<string, string>; devDependencies?: Record<string, string> };

function mergeManifest(text: string, starter: string): string {
  const own = readManifest(text);
  const { scripts, devDependencies } = readManifest(starter);
  const isNamed = /"property-catalogue":/.test(JSON.stringify([own.dependencies, own.devDependencies]));
  const merged = {
    ...own,
    scripts: { ...scripts, ...own.scripts },
    ...(isNamed ? {} : { devDependencies: { ...own.devDependencies, ...devDependencies } }),
  };
  const [indent = '  '] = /^[ \t]+(?=")/m.exec(text) ?? [];
  const isSame = JSON.stringify(merged) === JSON.stringify(own);
  return isSame ? text : `${JSON.stringify(merged, null, indent)}\n`;
}

function readManifest(text: string): Manifest & { dependencies?: object } {
  try {
    const manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (Object(manifest) === manifest && !Array.isArray(manifest)) return manifest;
  } catch {}
  throw new UsageError('invalid-package', 'package.json is no JSON object. Correct it, and run this again.');
}

function mergeLines(own: string, starter: string): string {
  const present = new Set(own.split(/\r?\n/).map((line) => line.replace(/^\/|\/$/g, '')));
  const missing = starter.split('\n').filter((line) => line && !present.has(line.replace(/\/$/, '')));
  return missing.length === 0 ? own : `${own.replace(/(?<!\n)$/, '\n')}${missing.join('\n')}\n`;
}
