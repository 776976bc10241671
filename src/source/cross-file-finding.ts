import type { DiagnosticArgs, DiagnosticCode } from './diagnostic-codes.ts';

export type CrossFileInput = {
  readonly path: string;
  readonly id: string | undefined;
  readonly country: string | undefined;
  readonly city: string | undefined;
};

export type CrossFileFinding = {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly field: 'id' | 'city';
  readonly args: DiagnosticArgs;
};
