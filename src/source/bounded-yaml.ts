import { Composer, Document, Lexer, Parser } from 'yaml';

/** Maximum nesting of lists and mappings: several times more than any catalogue file has. */
export const MAX_DEPTH = 20;

/** Maximum number of tokens in a file: thousands of lines, which take a tenth of a second to parse. */
export const MAX_TOKENS = 20_000;

type Excess = {
  readonly code: 'nested-too-deep' | 'too-many-tokens';
  readonly limit: number;
  readonly offset: number;
};

export type ParsedYaml = {
  /** Empty if a limit was exceeded. */
  readonly document: Document;
  readonly second: Document | undefined;
  readonly excess: Excess | undefined;
  readonly tokens: number;
};

/** Is safe for any text: does not throw, overflow the stack or take minutes. `limit`: maximum number of tokens. */
export function parseWithinBounds(text: string, limit: number = MAX_TOKENS): ParsedYaml {
  let excess: Excess | undefined;
  let tokens = 0;
  // The depth is limited before composing, since the composer is recursive. If the stack ran out inside a
  // regular expression, the process would end without an error that could be caught.
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
    // Known tags such as `!!binary` and `!!set` would give values that are not texts.
    resolveKnownTags: false,
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

/** The stack traces of ten thousand errors would take longer than parsing. */
function withoutTraces<Result>(run: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
