/** Prints the section of CHANGELOG.md for the version in package.json. */
import { readFileSync } from 'node:fs';
import { isMain } from './command-line.ts';

/** @throws Error when the section is missing or empty */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  const notes = section?.replace(/^.*\n/, '').trim();
  if (!notes) throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${notes}\n`;
}

if (isMain(import.meta.url)) {
  const root = new URL('../', import.meta.url);
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  process.stdout.write(releaseNotes(readFileSync(new URL('CHANGELOG.md', root), 'utf8'), version));
}
