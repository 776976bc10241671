/** What was measured on, for the head of a table. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const ROOT = new URL('../../', import.meta.url);

/** Lines that say when, on what, and with which versions. `folder`: where the catalogues lie. */
export function describeMachine(folder: string, packages: readonly string[]): string[] {
  const processors = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const require = createRequire(import.meta.url);
  const versions = packages.map((name) => `${name} ${versionOf(require, name)}`);
  return [
    `- ${new Date().toISOString().slice(0, 10)}: ${[`property-catalogue ${ownVersion()}`, `Node ${process.versions.node}`, ...versions].join(', ')}; load of the machine at the start: ${loadavg()[0]!.toFixed(2)}`,
    `- ${processors[0]?.model.trim() ?? 'Unknown processor'}, ${processors.length} cores, ${memory} GiB of memory; ${type()} ${release()}; files in ${folder} (${fileSystemOf(folder)})`,
  ];
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version;
}

/** A package's version, also when it does not export its package.json. */
function versionOf(require: NodeJS.Require, name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')).version;
    } catch {
      // Perhaps in the next folder.
    }
  }
  return 'unknown';
}

function fileSystemOf(folder: string): string {
  try {
    const out = execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8' });
    return out.trim().split('\n').at(-1) ?? 'unknown file system';
  } catch {
    return 'unknown file system';
  }
}
