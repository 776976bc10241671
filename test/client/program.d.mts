import type { createClient } from '../../src/client/index.ts';

export function tryClient(
  create: typeof createClient,
  baseUrl: string,
): Promise<{ total: number; count: number; title: string; problem: string }>;
