import type { ImportCode } from '../errors/codes.ts';

export type ImportFinding = {
  /** A code from {@link IMPORT_FINDINGS}, or the code of a diagnostic. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Several names are joined with ", ". Empty if the finding concerns the whole candidate or source. */
  readonly field: string;
  readonly message: string;
  readonly help: string;
  /** Sentence such as "It is left out.", which follows the message unless the file keeps its earlier value. */
  readonly lossSentence?: string;
  /** Index of the entry that is left out of a list. */
  readonly entry?: number;
  /** Whether the existing file keeps its value because the source's value was left out. */
  readonly isKept?: boolean;
};

export function errorFinding(code: ImportCode, message: string, help = ''): ImportFinding {
  return { code, severity: 'error', field: '', message, help };
}

export function warningFinding(code: ImportCode, message: string, help = '', field = ''): ImportFinding {
  return { code, severity: 'warning', field, message, help };
}

/** A correction that `check --fix` would make too, or an e-mail domain that became ASCII. `from`: the source's text. */
export type ImportRepair = { readonly field: string; readonly from: string; readonly to: string };

export type RepairCount = {
  readonly field: string;
  readonly count: number;
  /** Number of repairs that are new since the last import. A tally has examples of these only. @default all */
  readonly fresh?: number;
  /** Distinct repairs, the most frequent first. `at`: where the repair first occurs. */
  readonly examples: readonly RepairExample[];
};

export type RepairExample = Omit<ImportRepair, 'field'> & { readonly at: string; readonly count: number };
