import { type Document, isCollection, isScalar, visit } from 'yaml';
import type { DiagnosticArgs } from './diagnostic-codes.ts';
import { isIgnoredTag, NULL_TAG } from './yaml-tag.ts';

export type TextRange = readonly [start: number, end: number];

export type YamlError = { readonly args: DiagnosticArgs; readonly range: TextRange };

/** Maximum number of reported syntax errors per file: later ones mostly follow from the first. */
export const MAX_YAML_ERRORS = 20;
/** Maximum number of examined parser errors: one line may have tens of thousands. */
const MAX_EXAMINED = 100;

export function findYamlErrors(document: Document, text: string): YamlError[] {
  // The parser warns of a flow list whose bracket closes in the first column, as in JSON. Such a list is unambiguous.
  const problems: Problem[] = [
    ...document.errors,
    ...document.warnings.filter(({ code }) => code !== 'BAD_INDENT'),
  ].filter((problem) => !isStandardTag(problem));
  const conflict = problems.length > 0 ? CONFLICT_MARK.exec(text) : null;
  if (conflict) {
    const { index } = conflict;
    return [{ args: CONFLICT, range: [index, index + conflict[0].length] }];
  }
  const breaches = new Map<number, YamlError>();
  const seen = new Set<number>();
  const openers = createOpeners(document, text);
  for (const problem of problems) {
    if (seen.has(problem.pos[0])) continue;
    if (seen.size === MAX_EXAMINED) break;
    seen.add(problem.pos[0]);
    const range = rangeOf(problem, openers, text);
    const line = lineAt(text, range[0])[0];
    // Drops the errors on later lines, since they follow from the bracket or quote that is not closed.
    if (NOT_CLOSED.test(`${problem.code} ${problem.message}`))
      for (const within of breaches.keys()) if (within > line) breaches.delete(within);
    if (!breaches.has(line) && !followsFrom([...breaches.keys()].at(-1), line, problem, text))
      breaches.set(line, { args: argsOf(problem, range, text), range });
    // A misplaced token causes all errors after it.
    if (breaches.size === MAX_YAML_ERRORS || /in YAML stream/.test(problem.message)) break;
  }
  return [...breaches.values()];
}

function followsFrom(
  earlier: number | undefined,
  line: number,
  { code, message }: Problem,
  text: string,
): boolean {
  if (earlier === undefined || earlier > line || !OUT_OF_PLACE.test(`${code} ${message}`)) return false;
  const [, end] = lineAt(text, earlier);
  const between = text.slice(end, lineAt(text, line)[1]).split('\n').slice(1);
  const indent = indentOf(text.slice(earlier, end));
  return between.length === 1 || between.every((one) => one.trim() === '' || indentOf(one) > indent);
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}

function isStandardTag({ code, message }: Problem): boolean {
  const [, tag = ''] = /^Unresolved tag: (\S+)$/.exec(code === 'TAG_RESOLVE_FAILED' ? message : '') ?? [];
  return isIgnoredTag(tag) || tag === NULL_TAG;
}

type Problem = { readonly code: string; readonly message: string; readonly pos: TextRange };

type Explanation = {
  readonly found: RegExp;
  readonly reason: string;
  readonly advice: string;
};

const OUT_OF_PLACE =
  /^BLOCK_AS_IMPLICIT_KEY|must start at the same column|without - indicator|^MULTILINE_IMPLICIT_KEY|need to be followed by map values/;
const NOT_CLOSED = /^MISSING_CHAR Missing closing|must (?:be sufficiently indented and )?end with a /;
const TAGGED = 'A value that starts with "!" is a tag of YAML, and not a text.';
const TOO_DEEP = 'This line is indented further than the one above it allows.';

const EXPLANATIONS: readonly Explanation[] = [
  {
    found: /Missing closing/,
    reason: 'The quote that opens here is not closed.',
    advice: 'Put the same quote at the end of the value.',
  },
  {
    found: NOT_CLOSED,
    reason: 'The bracket that opens here is not closed.',
    advice: 'Close it, or write one entry a line, each starting with "  - ".',
  },
  {
    found: /^TAB_AS_INDENT|\btabs?\b/i,
    reason: 'A tab is where YAML needs spaces.',
    advice: 'Indent with spaces; a tab is no indentation in YAML.',
  },
  {
    found: /^BLOCK_AS_IMPLICIT_KEY Nested/,
    reason: 'A value without quotes has a colon and a space in it.',
    advice: 'Put quotes around the value.',
  },
  {
    found: /^BLOCK_AS_IMPLICIT_KEY|must start at the same column|without - indicator/,
    reason: 'This line does not fit those above it: its indentation is another, or its dash is missing.',
    advice: 'Give all lines of one list or mapping the same indentation.',
  },
  {
    found: /^KEY_OVER_1024_CHARS/,
    reason: 'The name of this field has more than 1024 characters.',
    advice: 'Shorten it, or put quotes around the line if it is a text.',
  },
  {
    found: /^MULTILINE_IMPLICIT_KEY|need to be followed by map values/,
    reason: 'This line is no "field: value".',
    advice: 'Put a colon and a space behind the name of the field; indent a text that goes on.',
  },
  {
    found: /^UNEXPECTED_TOKEN (?:Block scalar header|Not a YAML token)/,
    reason: 'Behind ">" or "|" the text has to start on the next line.',
    advice: 'Put quotes around the value, or move it to the next line, indented.',
  },
  {
    found: /^TAG_RESOLVE_FAILED|^MULTIPLE_TAGS|^BAD_COLLECTION_TYPE|\btags?\b/i,
    reason: TAGGED,
    advice: 'Put quotes around a value that starts with "!": tags have no meaning here.',
  },
  {
    found: /^BAD_SCALAR_START/,
    reason: 'This sign cannot start a value without quotes.',
    advice: 'Put quotes around the value.',
  },
  {
    found: /^BAD_ALIAS Alias cannot be an empty/,
    reason: 'A "*" has no meaning here: a list entry starts with a dash.',
    advice: 'Write "- " in place of "* ", or put quotes around a value that starts with "*".',
  },
  {
    found: /^(?:BAD_ALIAS|ALIAS_PROPS|MULTIPLE_ANCHORS|BAD_PROP_ORDER)|\banchors?\b/i,
    reason: 'A value that starts with "&" or "*" has a meaning of its own in YAML.',
    advice: 'Put quotes around a value that starts with "&" or "*".',
  },
  {
    found: /^BAD_DQ_ESCAPE/,
    reason: 'In double quotes, a backslash starts a code of YAML, and this one does not exist.',
    advice: `Inside "..." a backslash is written \\\\; inside '...' it stands for itself.`,
  },
  {
    found: /Comments must be separated/,
    reason: 'There is a "#" right behind the value.',
    advice: 'Put a space before "#", or quotes around the value.',
  },
  {
    found: /^BAD_DIRECTIVE|directives-end/,
    reason: 'A line that starts with "%" is a directive of YAML, which needs a line "---" below it.',
    advice: 'Delete the line that starts with "%".',
  },
  { found: /^NON_STRING_KEY/, reason: 'The name of a field is a plain word.', advice: 'Write the name out.' },
  {
    found: /Unexpected flow-(?:seq|map)-end/,
    reason: 'There is no open bracket that this one could close.',
    advice: 'Delete it, or put quotes around the value.',
  },
  {
    found: /^BAD_INDENT/,
    reason: 'The indentation of this line fits no line above it.',
    advice: 'Give the lines of one list or mapping the same indentation.',
  },
  {
    found: /block-seq-ind on same line/,
    reason: 'A list cannot start on the line of its field.',
    advice: 'Start it on the next line, or put quotes around a text that starts with "-".',
  },
  {
    found: /in flow|Missing (?:, or : |, )between|^BLOCK_IN_FLOW|Missing space after : in/,
    reason: 'The entries in these brackets are not separated by one comma each.',
    advice: 'Separate entries by one comma; put quotes around one with a comma, a colon or a bracket in it.',
  },
];

const ANY_REASON = 'Something here is not YAML.';
const ANY_ADVICE = 'Look for a stray character, or put quotes around the value.';

export const CONFLICT_MARK = /^<{7}(?: .*)?$/m;

const CONFLICT: DiagnosticArgs = {
  reason: 'A merge conflict is left in the file.',
  advice: 'Keep one of the two versions, and delete the lines that start with <<<<<<<, ======= and >>>>>>>.',
};

const AFTER_QUOTE: DiagnosticArgs = {
  reason: 'There is text behind the closing quote.',
  advice: `Inside '...' a quote is written ''; inside "..." it is written \\".`,
};

/** Characters that look like a space, where only a space is valid: in indentation, after a dash or a colon. */
const ODD_SPACE = /^[ \t-]*(?:\w+:)?[ \t]*([\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff])/;

function argsOf(problem: Problem, [start]: TextRange, text: string): DiagnosticArgs {
  const [lineStart, lineEnd] = lineAt(text, start);
  const line = text.slice(lineStart, lineEnd);
  const odd = ODD_SPACE.exec(line)?.[1];
  if (odd) {
    const name = `U+${odd.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    return {
      reason: `The line has ${name} in it, which looks like a space but is not one.`,
      advice: ORDINARY,
    };
  }
  if (/at node end/.test(problem.message) && /["'][ \t]*$/.test(text.slice(lineStart, start))) {
    return AFTER_QUOTE;
  }
  const summary = `${problem.code} ${problem.message}`;
  const indented =
    /at node end|^BAD_INDENT/.test(`${problem.code} ${problem.message}`) && indentedFirst(text);
  if (indented) return indented;
  const { reason = ANY_REASON, advice } = EXPLANATIONS.find(({ found }) => found.test(summary)) ?? {
    advice: ANY_ADVICE,
  };
  const [tag] = /^!(?:!|<)\S*(?=[ \t]+\S)/.exec(text.slice(start, lineEnd)) ?? [];
  if (tag && reason === TAGGED) return { reason, advice: `Delete ${tag} in front of the value.` };
  if (isTooDeep(problem, start)) return { reason: TOO_DEEP, advice: 'Indent it like the line above.' };
  if (isNested(problem) && text[start] === '?') return { reason: QUESTION, advice };
  return { reason, advice };
}

function indentedFirst(text: string): DiagnosticArgs | undefined {
  const above = /^(?:[ \t]*(?:#.*)?\r?\n|---[ \t]*\r?\n)*/.exec(text)?.[0] ?? '';
  if (!/^[ \t]+[^\s#]/.test(text.slice(above.length)) || !/^[^\s#-][^:\n]*:/m.test(text.slice(above.length)))
    return undefined;
  const line = above.split('\n').length;
  return {
    reason: `Line ${line} is indented, and the lines below it are not.`,
    advice: `Delete the spaces at the start of line ${line}.`,
  };
}

const QUESTION = 'A value without quotes starts with a question mark and a space.';

const ORDINARY = 'Replace it with an ordinary space.';

/** Finds the likely cause, since the parser often points at the place where it gave up. */
function rangeOf(problem: Problem, openerBefore: Openers, text: string): TextRange {
  const [start, end] = problem.pos;
  const place = Math.min(start, text.length);
  if (NOT_CLOSED.test(`${problem.code} ${problem.message}`)) {
    return toLineEnd(text, openerBefore(place) ?? place);
  }
  if (isNested(problem) && !/:(?:[ \t]|$)/.test(text.slice(place, lineAt(text, place)[1]))) {
    // The colon is on a later line, whose indentation makes it part of the value.
    const colon = /:(?:\s|$)/.exec(text.slice(place));
    return toLineEnd(text, colon ? lineAt(text, place + colon.index)[0] : place);
  }
  return end - start > 1 ? [place, end] : toLineEnd(text, place);
}

function isNested({ code, message }: Problem): boolean {
  return code === 'BLOCK_AS_IMPLICIT_KEY' && message.startsWith('Nested');
}

function isTooDeep(problem: Problem, start: number): boolean {
  return isNested(problem) && start !== problem.pos[0];
}

function toLineEnd(text: string, start: number): TextRange {
  const end = lineAt(text, start)[1];
  const visible = start + text.slice(start, end).search(/\S|$/);
  return visible < end ? [visible, start + text.slice(start, end).trimEnd().length] : [start, start + 1];
}

function lineAt(text: string, offset: number): TextRange {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', offset);
  const end = next < 0 ? text.length : next;
  return [start, text[end - 1] === '\r' && end > start ? end - 1 : end];
}

type Openers = (place: number) => number | undefined;

function createOpeners(document: Document, text: string): Openers {
  let open: TextRange[] | undefined;
  return (place) => {
    open ??= openRanges(document, text);
    let opener: number | undefined;
    for (const [start, end] of open) if (start < place && end <= place) opener = start;
    return opener;
  };
}

function openRanges(document: Document, text: string): TextRange[] {
  const open: TextRange[] = [];
  visit(document, (_key, node) => {
    if (!(isScalar(node) || isCollection(node)) || !node.range) return;
    const [start, end] = node.range;
    const close = CLOSING[text.charAt(start)];
    if (close && !(end > start + 1 && text[end - 1] === close)) open.push([start, end]);
  });
  return open;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']', '{': '}' };
