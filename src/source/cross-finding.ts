/** A finding that concerns several files. */
import type { DiagnosticArgs, DiagnosticCode } from './codes.ts';

/** What the checks need of a property, as far as it is sound. */
export type PlacedFile = {
  readonly path: string;
  readonly id: string | undefined;
  readonly country: string | undefined;
  readonly city: string | undefined;
};

/** A finding, and the field that it is about. */
export type CrossFinding = {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly field: 'id' | 'city';
  readonly args: DiagnosticArgs;
};
