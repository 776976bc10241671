/** Every target, on its real server, with a built catalogue: verification finds no problem (B12). */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDist } from '../../src/publish/dist-source.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { readTree } from '../compile/workspace.ts';
import type { Fixture } from '../conformance/fixture.ts';
import { nameOf, type ServerKind } from '../conformance/server.ts';
import { PACKED_SERVERS, SERVERS } from '../conformance/servers.ts';
import { skipWithout } from '../conformance/suite.ts';
import { type Catalogue, createCatalogue } from '../publish/catalogue.ts';

const KEY = 'k3y';

async function build(layout: string, keys: readonly string[]): Promise<Catalogue> {
  const digests = keys.map((key) => createHash('sha256').update(key).digest('hex'));
  const catalogue = createCatalogue(
    12,
    `page_sizes: [2, 25]\nlayout: ${layout}\napi_keys: [${digests.join(', ')}]\nbulk: true\n`,
  );
  catalogue.add(1, { city: "L'Aquila & Ö" });
  catalogue.add(2, { city: 'Rock City', country: 'FR' });
  const { outcome, diagnostics } = await catalogue.build();
  if (outcome === 'refused') throw new Error(JSON.stringify(diagnostics));
  return catalogue;
}

/** The catalogue as the servers get it. */
function fixtureOf(catalogue: Catalogue, keys: string[], layout: ServerKind['layout']): Fixture {
  const files = new Map<string, Buffer>();
  for (const key of readTree(catalogue.public).keys())
    files.set(key, readFileSync(join(catalogue.public, key)));
  return {
    base: '',
    sizes: [2, 25],
    keys,
    layout,
    summaries: [],
    cities: [],
    missing: [],
    details: new Map(),
    files,
  };
}

describe.each([
  ['open', []],
  ['keyed', [KEY]],
] as [string, string[]][])('%s', (name, keys) => {
  it.for([...SERVERS, ...PACKED_SERVERS].map((kind) => [nameOf(kind), kind] as const))(
    '%s has no differences (B12)',
    async ([, kind], context) => {
      await skipWithout(kind.needs, context);
      const catalogue = await build(kind.layout ?? 'pages', keys);
      chmodSync(catalogue.root, 0o755);
      const edge = join(catalogue.out, 'edge', kind.target);
      const isGenerated = kind.target === 'node' || existsSync(edge);
      expect(isGenerated || name === 'keyed').toBe(true);
      context.skip(!isGenerated, 'this target is not generated with keys');
      const work = join(catalogue.root, `work-${nameOf(kind)}`);
      mkdirSync(work);
      const fixture = fixtureOf(catalogue, keys, kind.layout);
      const server = await kind.start({ root: catalogue.public, edge, work, fixture });
      try {
        const { release } = await openDist(catalogue.out);
        const result = await verifyDeployment(`http://127.0.0.1:${server.port}`, {
          all: true,
          apiKey: keys[0],
          expected: release,
        });
        expect(result.differences).toEqual([]);
        expect(result.looked?.pages.at).toBe(result.looked?.pages.of);
      } finally {
        await server.stop();
      }
    },
  );
});
