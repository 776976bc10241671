/** The package as a user installs it: packed, and unpacked in another folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './clone.ts';
import { temporaryFolder } from './temporary.ts';

export type InstalledPackage = {
  /** A folder of a project that has the package in `node_modules`, with its dependencies. */
  folder: string;
  tarball: Buffer;
  /** Paths of the files in the package. */
  files: string[];
  /** Bytes of all of them. */
  unpackedSize: number;
};

/** Packs the compiled package, and unpacks it in a new temporary folder. Links its dependencies, without downloads. */
export function installPackage(): InstalledPackage {
  const folder = temporaryFolder();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = Object.values(
    JSON.parse(
      execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ),
  ) as [{ filename: string; files: { path: string }[]; unpackedSize: number }];
  const installed = join(folder, 'node_modules/property-catalogue');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', join(folder, packed.filename), '-C', installed, '--strip-components', '1']);
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return {
    folder,
    tarball: readFileSync(join(folder, packed.filename)),
    files: packed.files.map(({ path }) => path),
    unpackedSize: packed.unpackedSize,
  };
}
