/**
 * Checks that imports go down from room to room and never in a circle, and that files and functions are short or say
 * why not. Part of `npm run lint`.
 */
import { fileURLToPath } from 'node:url';
import { ALLOWED_CYCLES, ALLOWED_IMPORTS, ALLOWED_LENGTHS } from './structure/allowed.ts';
import { readModules } from './structure/modules.ts';
import { cycles, tooLong, upwardImports } from './structure/rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = readModules(root, ['src', 'scripts', 'test']);
const lengths = tooLong(modules.filter(({ path }) => !path.startsWith('test/')));
const found = [
  ...upwardImports(modules)
    .filter((line) => !ALLOWED_IMPORTS.includes(line))
    .map((line) => `${line} goes up: see scripts/structure/rooms.ts`),
  ...cycles(modules)
    .filter((files) => !ALLOWED_CYCLES.some((known) => files.every((file) => known.includes(file))))
    .map((files) => `These files import each other in a circle: ${files.join(', ')}`),
  ...lengths
    .filter(({ key }) => !ALLOWED_LENGTHS.includes(key))
    .map(({ text }) => `${text}. Split it, or give the reason in a comment above it: "Long: ..."`),
];
for (const line of found) process.stderr.write(`${line}\n`);
if (found.length > 0) process.exitCode = 1;
