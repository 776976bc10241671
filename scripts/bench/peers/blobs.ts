/** Tools that read and validate the files and write all of them into one: compared with `check`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from './peer.ts';

/** The shape of a property, for a variable `z` with the functions of zod. */
const SCHEMA = `z.object({
  id: z.string().uuid(),
  title: z.string().min(1),
  currency: z.string().regex(/^[A-Z]{3}$/),
  email: z.string().email().optional(),
  phone: z.union([z.string(), z.number()]).optional(),
  zip_code: z.union([z.string(), z.number()]).optional(),
  city: z.string().min(1),
  state: z.string().optional(),
  address: z.string().optional(),
  country: z.string().regex(/^[A-Z]{2}$/),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  facilities: z.array(z.string().min(1)),
  photo: z.array(z.object({ url: z.string().url(), description: z.string().optional() })),
  hotel_policy: z.array(z.object({ policy_type: z.string(), detail: z.string() })),
  payment_method: z.array(z.object({ is_enabled: z.boolean(), method_type: z.enum(['direct', 'property']) })),
}).strict()`;

const VELITE = `import { defineConfig, s as z } from 'velite';

export default defineConfig({
  root: '../content',
  output: { data: 'blob', assets: 'assets' },
  collections: {
    properties: { name: 'Property', pattern: 'properties/**/*.yaml', schema: ${SCHEMA} },
  },
});
`;

const CONTENT_COLLECTIONS = `import { defineCollection, defineConfig } from '@content-collections/core';
import { z } from 'zod';

const properties = defineCollection({
  name: 'properties',
  directory: '../content/properties',
  include: '**/*.yaml',
  parser: 'yaml',
  schema: ${SCHEMA},
});

export default defineConfig({ content: [properties] });
`;

const LESS =
  'nothing of its own for codes of countries and currencies, phone numbers, and faults across files; `01234` and `+32450001234` become other numbers; writes one file, and no pages';

/** Velite. */
export const velite: Peer = {
  name: 'Velite',
  packages: ['velite@0.4'],
  against: 'check',
  cannot: `${LESS}; messages without positions`,
  prepare(folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'velite.config.mjs'), VELITE);
  },
  command: (folder) => ({
    file: join(folder, '../node_modules/.bin/velite'),
    args: ['build', '--silent', '--strict'],
    cwd: folder,
  }),
  makes: ['blob', 'assets'],
  output: undefined,
};

/** content-collections. */
export const contentCollections: Peer = {
  name: 'content-collections',
  packages: ['@content-collections/core', '@content-collections/cli', 'zod@4', 'typescript@5'],
  against: 'check',
  cannot: `${LESS}; messages without positions`,
  prepare(folder) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'content-collections.ts'), CONTENT_COLLECTIONS);
  },
  command: (folder) => ({
    file: join(folder, '../node_modules/.bin/content-collections'),
    args: ['build'],
    cwd: folder,
  }),
  makes: ['.content-collections'],
  output: undefined,
};
