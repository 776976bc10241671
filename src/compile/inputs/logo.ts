/** The logo is an image in the content folder, named in the configuration. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { EXPLORER_FOLDER } from '../../contract/object-keys.ts';
import { fileErrorReason } from '../../errors/file-error.ts';
import { recogniseFormat } from '../../media/format.ts';
import { digestOf } from '../../release/digest.ts';
import { CONFIGURATION_FILE, isInside } from '../../source/content-path.ts';
import { createDiagnostic, type Diagnostic } from '../../source/diagnostic.ts';

/** In bytes. Small, since every visitor of the explorer loads the logo. */
const MAX_BYTES = 200_000;

/** File extensions of formats that all browsers show. Not SVG: its scripts would run with the catalogue's rights. */
const EXTENSIONS: Readonly<Record<string, string>> = { PNG: 'png', JPEG: 'jpg', WebP: 'webp', AVIF: 'avif' };

/** A quick test for files that were cut off. */
const IS_WHOLE: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  PNG: (bytes) => bytes.includes('IEND'),
  JPEG: (bytes) => bytes.includes('\xff\xd9', 'latin1'),
  WebP: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
  AVIF: (bytes) => bytes.includes('mdat'),
};

export type ConfigurationWithLogo = {
  readonly configuration: Configuration;
  readonly diagnostics: readonly Diagnostic[];
};

/** Checks the configured logo and adds its key to the configuration. */
export function withLogo(content: string, configuration: Configuration): ConfigurationWithLogo {
  const { logo } = configuration;
  if (!logo) return { configuration, diagnostics: [] };
  const found = findLogo(content, logo.file);
  if ('key' in found)
    return { configuration: { ...configuration, logo: { ...logo, key: found.key } }, diagnostics: [] };
  const args = { path: logo.file, ...found };
  return { configuration, diagnostics: [createDiagnostic('logo-unusable', CONFIGURATION_FILE, null, args)] };
}

export function isSameLogo(content: string, { logo }: Configuration): boolean {
  if (!logo) return true;
  const found = findLogo(content, logo.file);
  return 'key' in found && found.key === logo.key;
}

/** @throws file system errors */
export function readLogo(content: string, { file }: NonNullable<Configuration['logo']>): Buffer {
  return readFileSync(join(content, file));
}

type UnusableLogo = { readonly reason: string; readonly format?: string };

function findLogo(content: string, file: string): { readonly key: string } | UnusableLogo {
  const path = join(content, file);
  try {
    if (!isInside(realpathSync(content), realpathSync(path)))
      return { reason: 'it is outside the content folder' };
    const { size } = statSync(path);
    if (size > MAX_BYTES) return { reason: `it has ${size} bytes, and ${MAX_BYTES} are the most` };
    const bytes = readFileSync(path);
    const format = recogniseFormat(bytes.subarray(0, 4096));
    const extension = EXTENSIONS[format];
    if (!extension)
      return {
        format,
        reason: `its format (${['unknown', 'text'].includes(format) ? extname(file) || 'unknown' : format}) is not one of ${Object.keys(EXTENSIONS).join(', ')}`,
      };
    if (!IS_WHOLE[format]!(bytes)) return { reason: 'it ends too early', format: 'part' };
    return { key: `${EXPLORER_FOLDER}/logo-${digestOf(bytes).slice(0, 8)}.${extension}` };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { reason: code === 'ENOENT' ? 'there is no such file' : fileErrorReason(error) };
  }
}
