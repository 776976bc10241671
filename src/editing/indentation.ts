/** Tabs where only spaces can indent. */
import { parseWithinBounds } from '../source/bounded-yaml.ts';
import { fieldSections } from '../source/section.ts';
import { findBreaches } from '../source/yaml-errors.ts';

/** The indentation of one line, before and after. */
type Indentation = { readonly line: number; readonly from: string; readonly to: string };

/** A text with other indentations. `line`: from 1. */
export type Indented = { readonly text: string; readonly changes: readonly Indentation[] };

/**
 * How many tabs are replaced, and how much is read for it, before the repair gives up. Each tab is found by reading its
 * field again: only without the tabs above is it certain that it indents. A property has a few hundred tokens (words,
 * marks and line ends) and a few thousand characters.
 */
const BUDGET = { lines: 50, tokens: 20_000, characters: 500_000 };

/**
 * Replaces each tab by two spaces where a tab breaks the rules of YAML. Each field is mended alone, so that a long file
 * takes no longer for each of its tabs.
 *
 * @returns undefined when there is no such tab, or there are too many.
 */
export function withoutTabs(text: string): Indented | undefined {
  const changes: Indentation[] = [];
  const parts: string[] = [];
  const budget = { ...BUDGET };
  let line = 1;
  for (const { start, end } of fieldSections(text)) {
    const part = text.slice(start, end);
    const mended = part.includes('\t') ? withoutTabsAlone(part, budget) : { text: part, changes: [] };
    if (!mended) return undefined;
    parts.push(mended.text);
    changes.push(...mended.changes.map((change) => ({ ...change, line: line + change.line - 1 })));
    line += lineEnds(part);
  }
  return changes.length === 0 ? undefined : { text: parts.join(''), changes };
}

type Budget = { lines: number; tokens: number; characters: number };

/** Replaces the tabs of one field; undefined when that goes beyond the budget. */
function withoutTabsAlone(part: string, budget: Budget): Indented | undefined {
  const changes: Indentation[] = [];
  let text = part;
  for (;;) {
    const { document, excess, tokens } = parseWithinBounds(text, budget.tokens);
    budget.tokens -= tokens;
    budget.characters -= text.length;
    if (excess || budget.characters < 0) return undefined;
    const start = tabbedLine(text, findBreaches(document, text));
    if (start === undefined) return { text, changes };
    if (budget.lines-- === 0) return undefined;
    const [from = ''] = /^[ \t]*/.exec(text.slice(start)) ?? [];
    const to = from.replaceAll('\t', '  ');
    changes.push({ line: lineEnds(text.slice(0, start)) + 1, from, to });
    text = text.slice(0, start) + to + text.slice(start + from.length);
  }
}

/** Where the first line starts that breaks a rule and is indented with a tab. */
function tabbedLine(text: string, breaches: ReturnType<typeof findBreaches>): number | undefined {
  for (const { range } of breaches) {
    const start = text.slice(0, range[0]).lastIndexOf('\n') + 1;
    if (/^ *\t/.test(text.slice(start))) return start;
  }
  return undefined;
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1;
}
