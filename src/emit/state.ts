/**
 * What a build leaves for the next one, in one file: which files it read, what they said, and what it wrote. The
 * file is checked when it is read; a damaged one, or one of another version, counts as none.
 *
 * Format: a line of JSON (the header), then three sections whose lengths the header tells: the stamps (text, so that
 * "nothing changed" is one comparison), the diagnostics (JSON) and the rest (JSON).
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Diagnostic } from '../source/diagnostic.ts';

/** What is known without reading the sections. */
export type StateSummary = {
  /** Digest of all that decides the output besides the content: configuration, options, versions. */
  readonly inputs: string;
  /** Commit of the build's identity, which the manifest carries. */
  readonly commit: string | null;
  /** Digest of the manifest. */
  readonly manifest: string;
  /** Numbers for the summary of a build that had nothing to do. */
  readonly counts: Readonly<Record<string, number>>;
  /** Paths of the files that were left out because of errors. */
  readonly leftOut: readonly string[];
};

/** A state file, checked; sections are parsed when they are asked for. */
export type State<Rest> = {
  readonly summary: StateSummary;
  readonly stamps: string;
  readonly diagnostics: () => Diagnostic[];
  readonly rest: () => Rest;
};

const FORMAT = 'property-catalogue state 1';

type Header = { format: string; digest: string; summary: StateSummary; lengths: [number, number, number] };

/** Reads a state; undefined when there is none that can be trusted. */
export function readState<Rest>(path: string): State<Rest> | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  try {
    const end = bytes.indexOf(0x0a);
    const header = JSON.parse(bytes.toString('utf8', 0, end)) as Header;
    const body = bytes.subarray(end + 1);
    if (header.format !== FORMAT || header.digest !== digest(header.summary, header.lengths, body))
      return undefined;
    const [stamps, diagnostics] = header.lengths;
    return {
      summary: header.summary,
      stamps: body.toString('utf8', 0, stamps),
      diagnostics: () => JSON.parse(body.toString('utf8', stamps, stamps + diagnostics)),
      rest: () => JSON.parse(body.toString('utf8', stamps + diagnostics)),
    };
  } catch {
    return undefined;
  }
}

/** Writes a state, whole or not at all. */
export function writeState<Rest>(
  path: string,
  summary: StateSummary,
  stamps: string,
  diagnostics: readonly Diagnostic[],
  rest: Rest,
): void {
  const sections = [stamps, JSON.stringify(diagnostics), JSON.stringify(rest)].map((text) =>
    Buffer.from(text),
  );
  const body = Buffer.concat(sections);
  const lengths = sections.map((section) => section.length) as Header['lengths'];
  const header: Header = { format: FORMAT, digest: digest(summary, lengths, body), summary, lengths };
  const temporary = `${path}.new`;
  writeFileSync(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
  renameSync(temporary, path);
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}

function digest(summary: StateSummary, lengths: Header['lengths'], body: Buffer): string {
  return createHash('sha256')
    .update(JSON.stringify([summary, lengths]))
    .update(body)
    .digest('hex');
}
