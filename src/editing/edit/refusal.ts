/** Why a file is not edited: it has something that the change would break. */

/** Each reason, with what to do. */
const REASONS = {
  'syntax-error': 'The file has an error of YAML. Mend it in a text editor first.',
  'several-documents': 'The file holds several documents. Keep one property in each file.',
  'duplicate-key': 'A field stands twice in the file. Remove one of them in a text editor first.',
  'not-a-property': 'The file is no list of fields with values.',
  anchor:
    'The value has an anchor (&) or an alias (*), so another value depends on it. Change it in a text editor.',
  tag: 'The value has a tag (!). Change it in a text editor.',
  'merge-key': 'The value stands beside a merge key (<<). Change it in a text editor.',
  'explicit-key': 'The field has a key of several lines (?). Change it in a text editor.',
  'no-such-value': 'The file has no such value any more. Load it again.',
  'wrong-kind': 'The file has a value of another kind here. Change it in a text editor.',
  'name-taken': 'The file has a field of that name already.',
  unwritable: 'The change cannot be written without a change of something else. Make it in a text editor.',
} as const;

/** Permanent name of a reason. */
export type RefusalReason = keyof typeof REASONS;

/** A file that stays as it is. */
export type Refusal = {
  readonly refused: RefusalReason;
  /** The line of what is in the way, from 1. */
  readonly line: number;
  /** What is in the way, and what to do. */
  readonly message: string;
};

/** Thrown within the engine, and caught at its edge: a change is made whole or not at all. */
export class RefusedEdit extends Error {
  constructor(
    readonly reason: RefusalReason,
    /** Offset in the text of what is in the way. */
    readonly offset: number,
  ) {
    super(reason);
  }
}

/** The refusal as data. */
export function editRefusal(reason: RefusalReason, line: number): Refusal {
  return { refused: reason, line, message: REASONS[reason] };
}
