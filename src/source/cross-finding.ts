/** A finding about several files. */
import type { DiagnosticArgs, DiagnosticCode } from './codes.ts';

/** A property's valid fields that the cross-file checks need. */
export type PlacedFile = {
  readonly path: string;
  readonly id: string | undefined;
  readonly country: string | undefined;
  readonly city: string | undefined;
};

/** A finding, with the file and field it concerns. */
export type CrossFinding = {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly field: 'id' | 'city';
  readonly args: DiagnosticArgs;
};
