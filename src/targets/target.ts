import type { Configuration } from '../contract/configuration.ts';
import type { Problem, ProblemName } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';

/** A scope that has entries, and how many. */
export type ScopeTotal = {
  /** Key of the scope's folder, such as `_catalogue/pages/IE/-`. */
  readonly folder: string;
  /** The scope's `total_entries`. */
  readonly total: number;
};

/** What a target is generated from: nothing of a single property. */
export type TargetInput = {
  readonly configuration: Configuration;
  /** What the router must know, from the configuration. */
  readonly settings: RouteSettings;
  /** Every problem document, by name. */
  readonly problems: ReadonlyMap<ProblemName, Problem>;
  /** Every scope that has entries, in any order; iterated as often as a target needs. */
  readonly scopes: Iterable<ScopeTotal>;
};

/** A file of `dist/edge/<target>/`, or a symbolic link. */
export type TargetFile = {
  /** Path below the folder of the target, with `/`. */
  readonly path: string;
} & ({ readonly content: string } | { readonly link: string });

/** Permanent code of a cause why a target cannot be generated. */
type TargetRefusalCode =
  | 'target-code-size'
  | 'target-store-size'
  | 'target-api-keys'
  | 'target-layout'
  | 'target-cache-control';

/** Why a target cannot be generated; nothing of it is written then. */
export type TargetRefusal = {
  readonly code: TargetRefusalCode;
  /** What is wrong, with the numbers, and what to do instead. */
  readonly message: string;
};

/** What {@link Target.generate} results in: the files, or the refusal. */
export type TargetResult =
  | { readonly files: readonly TargetFile[]; readonly refusal?: undefined }
  | { readonly refusal: TargetRefusal; readonly files?: undefined };

/** JavaScript that runs on a platform, bundled by the compile step. */
export type TargetCode = {
  /** The module whose exports the platform calls, below `src/targets`. */
  readonly entry: string;
  /** Whether the platform knows ES2022; without it the code is ES2017, in the form that njs takes. @default false */
  readonly isModern?: boolean;
  /** Whether it can cut pages out of the chunks of the packed layout. @default false */
  readonly cutsPages?: boolean;
  /** Whether it serves open lists alone. @default false */
  readonly isOpen?: boolean;
};

/** What the table of `docs/targets.md` says of a target; whether it checks keys, `generate` shows. */
type TargetAbout = {
  /** For whom it is. */
  readonly use: string;
  /** What runs there. */
  readonly runs: string;
  /** What it needs besides the files. @default nothing */
  readonly needs?: string;
};

/** A serving platform: how to answer every request from nothing but `dist/public`. */
export type Target = {
  /** Name for readers. */
  readonly title: string;
  readonly about: TargetAbout;
  /** Its bundles by name, as `targetCode` takes it. @default {} */
  readonly code?: Readonly<Record<string, TargetCode>>;
  /** The files that make the platform answer; pure, and the same for the same input. */
  readonly generate: (input: TargetInput) => TargetResult;
};
