/** Reads the TypeScript of the project as far as its structure goes: imports, and the length of files and functions. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import fastGlob from 'fast-glob';
import { type Comment, type Node, type Program, parseSync, Visitor } from 'oxc-parser';

/** A function, of any form. */
export type LongFunction = { readonly name: string; readonly line: number; readonly lines: number };

/** A file. */
export type Module = {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly lines: number;
  /** Files of the project that it imports, types included. */
  readonly imports: readonly string[];
  /** Functions without a reason for their length. */
  readonly functions: readonly LongFunction[];
  /** True with a reason in the comment at its head. */
  readonly isExplained: boolean;
};

/** Stands in a comment before what is long, and in the head of a long file, followed by the reason. */
const REASON = /\bLong: \S/;

/** Every module below the given folders of the project at `root`, in the order of their paths. */
export function readModules(root: string, folders: readonly string[]): Module[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const ignore = ['**/*.d.ts', '**/fixtures/**'];
  const paths = fastGlob.sync(patterns, { cwd: root, ignore }).sort();
  return paths.map((path) => readModule(path, readFileSync(join(root, path), 'utf8'), root));
}

/** @param text what stands in the file at `path`. */
export function readModule(path: string, text: string, root: string): Module {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const lineOf = lineFinder(text);
  const explained = new Set(
    comments.filter(({ value }) => REASON.test(value)).map(({ end }) => lineOf(end) + 1),
  );
  const functions: LongFunction[] = [];
  const requests = new Set<string>();
  const add = (name: string, { start, end }: Pick<Node, 'start' | 'end'>) => {
    const line = lineOf(start);
    if (!explained.has(line)) functions.push({ name, line, lines: lineOf(end) - line + 1 });
  };
  const request = (source: { value?: unknown } | null | undefined) => {
    if (typeof source?.value === 'string') requests.add(source.value);
  };
  new Visitor({
    ImportDeclaration: ({ source }) => request(source),
    ExportNamedDeclaration: ({ source }) => request(source),
    ExportAllDeclaration: ({ source }) => request(source),
    ImportExpression: ({ source }) => request('value' in source ? source : undefined),
    TSImportType: ({ source }) => request(source),
    FunctionDeclaration: (node) => add(node.id?.name ?? 'a function', node),
    FunctionExpression: (node) => add(node.id?.name ?? 'a method', node),
    ArrowFunctionExpression: (node) => add('an arrow function', node),
  }).visit(program as Program);
  return {
    path,
    lines: lineOf(text.length - 1),
    imports: [...requests].flatMap((specifier) => resolved(specifier, path, root)),
    functions,
    isExplained: isHeadExplained(comments, program),
  };
}

function isHeadExplained(comments: readonly Comment[], { body }: Program): boolean {
  const first = body[0]?.start ?? 0;
  return comments.some(({ value, end }) => end <= first && REASON.test(value));
}

/** The file of the project behind a specifier; none for packages and for what other tools resolve. */
function resolved(specifier: string, from: string, root: string): string[] {
  if (!specifier.startsWith('.')) return [];
  const path = posix.join(posix.dirname(from), specifier);
  return /\.tsx?$/.test(path) && existsSync(join(root, path)) ? [path] : [];
}

/** Finds the line of an offset, from 1. */
function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
