import { createSpans } from '../source/diagnostic.ts';

const REASONS = {
  'syntax-error': 'The file has an error of YAML. Fix it in a text editor first.',
  'merge-conflict':
    'A merge left two versions of lines in the file. Keep one of them in a text editor, and delete the lines that start with <<<<<<<, ======= and >>>>>>>.',
  'several-documents': 'The file holds several documents. Keep one property in each file.',
  'duplicate-key': 'A field occurs twice in the file. Remove one of them in a text editor first.',
  'not-a-property': 'The file is not a list of `field: value` lines.',
  'flow-mapping': 'The file is written between braces. Run "catalogue format" on it first.',
  'odd-flow-mapping':
    'The file is written between braces. Write it as "field: value" lines in a text editor first.',
  anchor:
    'The value has an anchor (&) or an alias (*), so another value depends on it. Change it in a text editor.',
  tag: 'The value has a tag (!). Change it in a text editor.',
  'merge-key': 'The value is next to a merge key (<<). Change it in a text editor.',
  'explicit-key': 'The field has a key of several lines (?). Change it in a text editor.',
  'too-long': 'The file would be too long to be read: make two properties of it, or shorten its lists.',
  unformatted: 'The lines of the file are arranged in an unusual way. Run "catalogue format" on it first.',
  unwritable: 'The change cannot be written without a change of something else. Make it in a text editor.',
} as const;

export type RefusalReason = keyof typeof REASONS;

export type Refusal = {
  readonly refused: RefusalReason;
  readonly line: number;
  readonly message: string;
};

export class RefusedEdit extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly offset: number,
  ) {
    super(reason);
  }
}

export function refusalAt(reason: RefusalReason, text: string, offset: number): Refusal {
  return { refused: reason, line: createSpans(text)(offset, offset).line, message: REASONS[reason] };
}
