import type { Configuration } from '../contract/configuration.ts';
import type { Problem, ProblemName } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';

export type ScopeTotal = {
  /** Such as `_catalogue/pages/IE/-`. */
  readonly folder: string;
  readonly total: number;
};

export type TargetInput = {
  readonly configuration: Configuration;
  readonly settings: RouteSettings;
  readonly problems: ReadonlyMap<ProblemName, Problem>;
  /** Those with entries, in any order; may be iterated repeatedly. */
  readonly scopes: Iterable<ScopeTotal>;
};

export type TargetFile = {
  /** Path below the target's folder, with `/`. */
  readonly path: string;
} & ({ readonly content: string } | { readonly link: string });

type TargetRefusalCode =
  | 'target-code-size'
  | 'target-store-size'
  | 'target-api-keys'
  | 'target-layout'
  | 'target-cache-control';

/** None of a refused target's files are written. */
export type TargetRefusal = {
  readonly code: TargetRefusalCode;
  readonly message: string;
};

export type TargetResult =
  | { readonly files: readonly TargetFile[]; readonly refusal?: undefined }
  | { readonly refusal: TargetRefusal; readonly files?: undefined };

export type TargetCode = {
  /** Module whose exports the platform calls, below `src/targets`. */
  readonly entry: string;
  /** The platform supports ES2022; otherwise the code is ES2017, as njs accepts it. @default false */
  readonly isModern?: boolean;
  /** Can cut pages out of the chunks of the packed layout. @default false */
  readonly cutsPages?: boolean;
  /** Serves previews, which are packed whatever the layout of the live release. @default false */
  readonly servesPreviews?: boolean;
  /** Serves only lists without API keys. @default false */
  readonly isOpen?: boolean;
};

type TargetAbout = {
  readonly use: string;
  readonly runs: string;
  readonly needs?: string;
};

export type Target = {
  readonly title: string;
  readonly about: TargetAbout;
  /** Bundles by name, as `targetCode` takes it. @default {} */
  readonly code?: Readonly<Record<string, TargetCode>>;
  /** A pure function of its input. */
  readonly generate: (input: TargetInput) => TargetResult;
};
