/**
 * Checks that imports go down from room to room and never in a circle, and that files and functions are short or say
 * why not. Part of `npm run lint`.
 */
import { fileURLToPath } from 'node:url';
import { readModules } from './structure/modules.ts';
import { cycles, tooLong, upwardImports } from './structure/rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = readModules(root, ['src', 'scripts', 'test']);
const lengths = tooLong(modules.filter(({ path }) => !path.startsWith('test/')));
const found = [
  ...upwardImports(modules).map((line) => `${line} goes up: see scripts/structure/rooms.ts`),
  ...cycles(modules).map((files) => `These files import each other in a circle: ${files.join(', ')}`),
  ...lengths.map((text) => `${text}. Split it, or give the reason in a comment above it: "Long: ..."`),
];
for (const line of found) process.stderr.write(`${line}\n`);
if (found.length > 0) process.exitCode = 1;
