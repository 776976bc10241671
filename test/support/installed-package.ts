import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './clone.ts';
import { sharedFolder, temporaryFolder } from './temporary.ts';

export type PackedPackage = {
  archive: string;
  files: string[];
  /** In bytes. */
  unpackedSize: number;
};

export async function packPackage(cwd = ROOT): Promise<PackedPackage> {
  const folder = await sharedFolder(`packed-${basename(cwd)}`, (folder) => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    writeFileSync(join(folder, 'packed.json'), execFileSync('npm', args, { cwd, stdio: [...stdio] }));
  });
  const [packed] = Object.values(JSON.parse(readFileSync(join(folder, 'packed.json'), 'utf8'))) as [
    { filename: string; files: { path: string }[]; unpackedSize: number },
  ];
  return {
    archive: join(folder, packed.filename),
    files: packed.files.map(({ path }) => path),
    unpackedSize: packed.unpackedSize,
  };
}

export async function installPackage(): Promise<PackedPackage & { folder: string }> {
  const packed = await packPackage();
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules/property-catalogue');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', packed.archive, '-C', installed, '--strip-components', '1']);
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  return { folder, ...packed };
}
