/** The version of this package. */
import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../package.json') as { version: string };

/** The version of this package, as semantic versioning writes it. */
export const version: string = manifest.version;
