/** Finds the image library and its version without loading its native code. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Versions by library: `sharp`, `vips`, and each codec of prebuilt binaries. */
export type EngineVersions = Readonly<Record<string, string | undefined>>;

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;

/**
 * Reads the versions from sharp's prebuilt package. If there is none, for example because sharp was compiled on this
 * machine, loads the library (megabytes of native code) to ask it.
 * @throws Error if sharp is missing
 */
export function engineVersions(): EngineVersions {
  const here = createRequire(import.meta.url);
  const root = dirname(dirname(here.resolve('sharp')));
  const sharp = readJson(join(root, 'package.json')).version;
  if (!existsSync(join(root, 'src', 'build', 'Release'))) {
    const inside = createRequire(join(root, 'package.json'));
    const platforms = ['', 'musl'].map((libc) => `${process.platform}${libc}-${process.arch}`);
    const packages = [...platforms.flatMap((name) => [name, `libvips-${name}`]), 'wasm32'];
    for (const name of packages) {
      try {
        return { ...readJson(inside.resolve(`@img/sharp-${name}/versions`)), sharp };
      } catch {
        // This package is for another platform, so it is not installed.
      }
    }
  }
  return (here('sharp') as { versions: EngineVersions }).versions;
}

/** Cache folder of these versions, such as `sharp-0.35.5-vips-8.18.7-5f0c2a9e`. Other versions make other bytes. */
export function engineName(versions: EngineVersions): string {
  const text = JSON.stringify(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)));
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `sharp-${versions.sharp}-vips-${versions.vips}-${digest}`;
}
