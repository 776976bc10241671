import { join, resolve } from 'node:path';
import { declaredTerms } from '../contract/terms.ts';
import { readConfiguration, readTerms } from '../source/configuration-file.ts';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { checkPropertyFile } from '../source/property-file.ts';
import { scanContent } from '../source/scan-content.ts';
import { readSourceText, replaceFile } from './read-and-replace.ts';
import { type RepairedText, repairText } from './repair.ts';

export type RepairOptions = {
  readonly content?: string;
  readonly isWanted?: ((file: string) => boolean) | undefined;
};

export type RepairedFile = Omit<RepairedText, 'text'> & { readonly file: string };

/** Skips unreadable files. @throws UsageError for a missing folder; file system errors if a file cannot be written */
export function repairContent(options: RepairOptions = {}): RepairedFile[] {
  const content = resolve(options.content ?? 'content');
  const isWanted = options.isWanted ?? (() => true);
  const { usable } = readConfiguration(content);
  const repaired: RepairedFile[] = [];
  for (const file of scanContent(content, usable).files) {
    if (!isWanted(file)) continue;
    const source = readSourceText(content, file);
    if ('code' in source) continue;
    const result = repairText(source.text, declaredTerms(usable));
    if (!result) continue;
    const { text, ...repairs } = result;
    if (text !== source.text) replaceFile(join(content, file), source.mark + text);
    repaired.push({ file, ...repairs });
  }
  return repaired;
}

/** `count`: findings that {@link repairContent} would repair. `isAll`: whether all files were checked. */
export type RepairableCount = { readonly count: number; readonly isAll: boolean };

/** Maximum number of files to examine, since examining a file takes as long as checking it. */
const MOST_FILES = 1000;

export function countRepairable(content: string, findings: Iterable<Diagnostic>): RepairableCount {
  const files = new Set<string>();
  for (const { file } of findings)
    if (files.size <= MOST_FILES) files.add(file);
    else break;
  if (files.size === 0) return { count: 0, isAll: true };
  const terms = readTerms(content);
  let count = 0;
  for (const file of [...files].slice(0, MOST_FILES)) {
    if (file === CONFIGURATION_FILE) continue;
    const source = readSourceText(content, file);
    const repaired = 'code' in source ? undefined : repairText(source.text, terms);
    if (!repaired || 'code' in source) continue;
    const [before, after] = [source.text, repaired.text].map(
      (text) => checkPropertyFile(Buffer.from(source.mark + text), file, terms).diagnostics.length,
    );
    count += Math.max(0, before! - after!);
  }
  return { count, isAll: files.size <= MOST_FILES };
}
