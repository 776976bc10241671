import * as nodeModule from 'node:module';

/**
 * Enables Node.js's compile cache (22.8 and later), which is stored below the system's temporary folder;
 * `NODE_DISABLE_COMPILE_CACHE` disables it. Each thread has to enable it.
 *
 * Applies to modules loaded afterwards.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = nodeModule as { enableCompileCache?: () => unknown };
  enable?.();
}
