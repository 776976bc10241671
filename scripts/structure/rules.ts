/** The rules of the structure: each names what breaks it, one line for each. */
import type { Module } from './modules.ts';
import { roomOf } from './rooms.ts';

const SOURCE = 'src/';
/** Generated or typed-in tables: their length says nothing. */
const TABLES = /\/tables\//;
const MAX_FILE = 350;
const MAX_FUNCTION = 60;

/** Imports from a later room, and imports of `src/` from outside of it: `from -> to`. */
export function upwardImports(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path, imports }) =>
    path.startsWith(SOURCE) ? imports.filter((to) => isUpward(path, to)).map((to) => `${path} -> ${to}`) : [],
  );
}

function isUpward(from: string, to: string): boolean {
  if (!to.startsWith(SOURCE)) return true;
  return roomOf(to.slice(SOURCE.length)) > roomOf(from.slice(SOURCE.length));
}

/** Sets of files that import each other in a circle. */
export function cycles(modules: readonly Module[]): string[][] {
  return circles(new Map(modules.map(({ path, imports }) => [path, imports])));
}

/** Files and functions that are too long and give no reason. */
export function tooLong(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => !TABLES.test(path))
    .flatMap(({ path, lines, functions, isExplained }) => [
      ...(lines > MAX_FILE && !isExplained ? [`${path} has ${lines} lines, more than ${MAX_FILE}`] : []),
      ...functions
        .filter((one) => one.lines > MAX_FUNCTION)
        .map(
          ({ name, line, lines }) => `${path}:${line} ${name} has ${lines} lines, more than ${MAX_FUNCTION}`,
        ),
    ]);
}

/** The strongly connected components of a graph with more than one member (Tarjan, 1972). */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const known = order.get(node);
    if (known !== undefined) return stack.includes(node) ? known : Number.POSITIVE_INFINITY;
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    stack.push(node);
    for (const next of edges.get(node) ?? []) lowest.set(node, Math.min(lowest.get(node)!, visit(next)));
    if (lowest.get(node) === order.get(node)) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) found.push(members.sort());
    }
    return lowest.get(node)!;
  };
  for (const node of edges.keys()) visit(node);
  return found;
}
