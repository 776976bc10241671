/** An npm registry with this package as it is packed, and its dependencies as they are installed here. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/clone.ts';
import { serveLoopback } from '../support/loopback.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/**
 * Serves the registry on this machine alone. verdaccio needs Node.js 22 and would ask another registry; this answers the
 * two requests of an installation: the versions of a package, and its archive.
 *
 * @param tarball the packed package.
 */
export async function serveRegistry(
  tarball: Buffer,
): Promise<{ url: string; offers: (isOffered: boolean) => void }> {
  const archives = new Map<string, Buffer>();
  const archiveOf = (name: string): Buffer => {
    const known = archives.get(name) ?? pack(name);
    archives.set(name, known);
    return known;
  };
  archives.set('property-catalogue', tarball);
  const manifests = installed();
  let isOffered = true;
  const url = await serveLoopback((request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1));
    const [, archive] = /^-\/(.+)\.tgz$/.exec(path) ?? [];
    const manifest = manifests.get(archive ?? path);
    if (!manifest || (!isOffered && manifest.name === 'property-catalogue'))
      response.writeHead(404).end('{}');
    else if (archive !== undefined) response.end(archiveOf(archive));
    else {
      const { name, version } = manifest;
      const integrity = `sha512-${createHash('sha512').update(archiveOf(name)).digest('base64')}`;
      const dist = { integrity, tarball: `http://${request.headers.host}/-/${name}.tgz` };
      const versions = { [version]: { ...manifest, dist } };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    }
  });
  return {
    url,
    offers: (now) => {
      isOffered = now;
    },
  };
}

/** Manifests of the package and of all its dependencies, by name, except those for other platforms. */
function installed(): ReadonlyMap<string, Manifest> {
  const manifests = new Map<string, Manifest>();
  const visit = (name: string, folder: string): void => {
    if (manifests.has(name) || !existsSync(join(folder, 'package.json'))) return;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const optional = Object.entries(manifest.optionalDependencies ?? {}).filter(([one]) =>
      existsSync(join(ROOT, 'node_modules', one)),
    );
    manifests.set(name, { ...manifest, optionalDependencies: Object.fromEntries(optional) });
    for (const one of [...Object.keys(manifest.dependencies ?? {}), ...optional.map(([other]) => other)])
      visit(one, join(ROOT, 'node_modules', one));
  };
  visit('property-catalogue', ROOT);
  return manifests;
}

/** The archive of an installed package, as a registry has it: all below one folder. */
function pack(name: string): Buffer {
  const args = ['-C', join(ROOT, 'node_modules', name), '--transform', 's,^\\.,package,', '-cf', '-', '.'];
  return execFileSync('bash', ['-c', 'tar "$@" | gzip -1', 'tar', ...args], { maxBuffer: 1e9 });
}
