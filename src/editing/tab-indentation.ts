import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { findYamlErrors } from '../source/yaml-errors.ts';

type Indentation = { readonly line: number; readonly from: string; readonly to: string };

export type IndentedText = { readonly text: string; readonly changes: readonly Indentation[] };

/** Limits the work: after each replaced tab, its field is parsed again to find the next tab in indentation. */
const BUDGET = { lines: 50, tokens: 20_000, characters: 500_000 };

/**
 * Replaces each tab in indentation with two spaces. Works field by field, so that the time for a tab does not grow
 * with the file. Undefined if no indentation has a tab, or if {@link BUDGET} is used up.
 */
export function withoutTabIndentation(text: string): IndentedText | undefined {
  const changes: Indentation[] = [];
  const parts: string[] = [];
  const budget = { ...BUDGET };
  let line = 1;
  for (const part of text.split(FIELD)) {
    const fixed = part.includes('\t') ? withoutTabsAlone(part, budget) : { text: part, changes: [] };
    if (!fixed) return undefined;
    parts.push(fixed.text);
    changes.push(...fixed.changes.map((change) => ({ ...change, line: line + change.line - 1 })));
    line += lineEnds(part);
  }
  return changes.length === 0 ? undefined : { text: parts.join(''), changes };
}

/**
 * Matches where a top-level field starts: before a name in the first column. A field's value has no such line (YAML
 * 1.2.2, 8.2.2), so splitting there never cuts a field in two.
 */
const FIELD = /^(?=["']?[A-Za-z_][\w-]*["']?[ \t]*:(?:[ \t\r\n]|$))/m;

type Budget = { lines: number; tokens: number; characters: number };

function withoutTabsAlone(part: string, budget: Budget): IndentedText | undefined {
  const changes: Indentation[] = [];
  let text = part;
  for (;;) {
    const { document, excess, tokens } = parseWithinBounds(text, budget.tokens);
    budget.tokens -= tokens;
    budget.characters -= text.length;
    if (excess || budget.characters < 0) return undefined;
    const start = tabbedLine(text, findYamlErrors(document, text));
    if (start === undefined) return { text, changes };
    if (budget.lines-- === 0) return undefined;
    const [from = ''] = /^[ \t]*/.exec(text.slice(start)) ?? [];
    const to = from.replaceAll('\t', '  ');
    changes.push({ line: lineEnds(text.slice(0, start)) + 1, from, to });
    text = text.slice(0, start) + to + text.slice(start + from.length);
  }
}

function tabbedLine(text: string, breaches: ReturnType<typeof findYamlErrors>): number | undefined {
  for (const { range } of breaches) {
    const start = text.slice(0, range[0]).lastIndexOf('\n') + 1;
    if (/^ *\t/.test(text.slice(start))) return start;
  }
  return undefined;
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}
