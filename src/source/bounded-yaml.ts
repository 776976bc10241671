/** Parses YAML within bounds, so that no file can exhaust the stack or take minutes. */
import { Composer, Document, Lexer, Parser } from 'yaml';

/** How deep lists and mappings may nest: several times deeper than in any file of a catalogue. */
export const MAX_DEPTH = 20;

/** How many words, marks and line ends a file may have: thousands of lines, and yet parsed in a tenth of a second. */
export const MAX_TOKENS = 20_000;

/** A bound that a file goes beyond, and the offset at which it does. */
type Excess = {
  readonly code: 'nested-too-deep' | 'too-many-tokens';
  readonly limit: number;
  readonly offset: number;
};

/** A parsed text. */
export type Parsed = {
  /** The first document; an empty one when a bound was met. */
  readonly document: Document;
  /** The second document, when there are several. */
  readonly second: Document | undefined;
  readonly excess: Excess | undefined;
  /** How many words, marks and line ends were read. */
  readonly tokens: number;
};

/**
 * Parses the first document of a text. Never throws for bad input.
 *
 * @param limit how many tokens it may have.
 */
export function parseWithinBounds(text: string, limit: number = MAX_TOKENS): Parsed {
  let excess: Excess | undefined;
  let tokens = 0;
  // The composer recurses, and a stack that overflows inside a regular expression ends the process: it must never
  // see what is nested too deep.
  function* boundedTokens() {
    const parser = new Parser();
    for (const lexeme of new Lexer().lex(text)) {
      const { offset } = parser;
      if (++tokens > limit) excess = { code: 'too-many-tokens', limit, offset };
      else yield* parser.next(lexeme);
      if (parser.stack.length > MAX_DEPTH) excess = { code: 'nested-too-deep', limit: MAX_DEPTH, offset };
      if (excess) return;
    }
    yield* parser.end();
  }
  const composer = new Composer({
    schema: 'failsafe',
    stringKeys: true,
    uniqueKeys: false,
    keepSourceTokens: true,
  });
  const [document, second] = withoutTraces(() => {
    const [first, next] = composer.compose(boundedTokens(), true, text.length);
    return [first, next];
  });
  return { document: (!excess && document) || new Document(), second, excess, tokens };
}

/** Runs a function whose errors need no stack trace: of ten thousand problems, those take longer than the parsing. */
function withoutTraces<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
