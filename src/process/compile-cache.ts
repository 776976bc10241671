import * as nodeModule from 'node:module';

/**
 * Uses the compile cache of Node.js (22.8 and later) for modules that are loaded afterwards. Each thread has to enable
 * it.
 */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = nodeModule as { enableCompileCache?: () => unknown };
  enable?.();
}
