import * as nodeModule from 'node:module';

/** Of Node.js (22.8 and later), for modules loaded afterwards. Each thread has to enable it. */
export function enableCompileCache(): void {
  const { enableCompileCache: enable } = nodeModule as { enableCompileCache?: () => unknown };
  enable?.();
}
