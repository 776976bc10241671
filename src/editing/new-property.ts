import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, posix, relative, resolve, sep } from 'node:path';
import { check } from '../compile/check.ts';
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readTerms } from '../source/configuration-file.ts';
import { CONFIGURATION_FILE, isInside } from '../source/content-path.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { freeFileName } from './file-name.ts';
import type { PropertyAnswers } from './new-property-answers.ts';
import { freePhotoPath, photoPathsIn } from './photo-path.ts';
import { newPropertyText } from './property-text.ts';
import { schemaLine } from './schema-file.ts';

export type PlannedProperty = {
  readonly path: string;
  readonly text: string;
  readonly copies: readonly { readonly from: string; readonly to: string }[];
};

export function planProperty(content: string, answers: PropertyAnswers): PlannedProperty {
  const root = resolve(content);
  const id = randomUUID();
  const isTaken = (path: string) =>
    existsSync(join(root, path)) || existsSync(join(root, path.replace(/yaml$/, 'yml')));
  const { path, slug } = freeFileName({ id, ...answers }, isTaken);
  const folder = posix.dirname(path);
  const copies: { from: string; to: string }[] = [];
  const { photos, ...values } = answers;
  const photo = photos.map(({ path: file, description }) => {
    const from = resolve(file);
    if (!existsSync(from))
      throw new UsageError('no-such-photo', `There is no photo ${file}. Check the path.`);
    const isThere = isInside(root, from);
    const to = isThere
      ? relative(root, from).split(sep).join('/')
      : photoPath(root, `photos/${answers.country.toLowerCase()}/${slug}`, from, copies);
    if (!isThere) copies.push({ from, to });
    return { file: posix.relative(folder, to), ...(description && { description }) };
  });
  const text = newPropertyText({ id, ...values, photo }, schemaLine(path), readTerms(root));
  return { path, text, copies };
}

function photoPath(root: string, folder: string, from: string, copies: PlannedProperty['copies']): string {
  const isTaken = (path: string) => existsSync(join(root, path)) || copies.some(({ to }) => to === path);
  return freePhotoPath(folder, from, extname(from).toLowerCase(), isTaken);
}

export async function checkPlannedProperty(
  content: string,
  planned: PlannedProperty,
): Promise<readonly Diagnostic[]> {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-new-'));
  try {
    const root = resolve(content);
    if (existsSync(join(root, CONFIGURATION_FILE))) {
      cpSync(join(root, CONFIGURATION_FILE), join(folder, CONFIGURATION_FILE));
    }
    for (const photo of new Set(photoPathsIn(planned.path, planned.text))) {
      const from = join(root, photo);
      if (existsSync(from)) copyInto(folder, { from, to: photo });
    }
    writePlannedProperty(folder, planned);
    const { diagnostics } = await check({ content: folder, out: join(folder, '.dist'), jobs: 1 });
    return diagnostics;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes all files or none. @throws file system errors, after removing what was written */
export function writePlannedProperty(content: string, { path, text, copies }: PlannedProperty): void {
  const written: string[] = [];
  try {
    for (const copy of copies) written.push(copyInto(content, copy));
    const file = join(content, path);
    mkdirSync(dirname(file), { recursive: true });
    writeAtomically(file, text, { isNew: true });
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    throw error;
  }
}

function copyInto(content: string, { from, to }: { from: string; to: string }): string {
  const file = join(content, to);
  mkdirSync(dirname(file), { recursive: true });
  try {
    copyFileSync(from, file, constants.COPYFILE_EXCL);
  } catch (error) {
    // A full disk leaves a part of the file. EEXIST means that someone else's file is there, which stays.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
    throw error;
  }
  return file;
}
