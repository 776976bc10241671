import * as nodeModule from 'node:module';

/**
 * Keeps compiled code from one start to the next, where Node.js can (22.8 and later), in its folder for that below the
 * system's temporary one; `NODE_DISABLE_COMPILE_CACHE` switches it off. Each thread has to ask for it.
 *
 * It takes effect for modules that are loaded afterwards.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = nodeModule as { enableCompileCache?: () => unknown };
  enable?.();
}
