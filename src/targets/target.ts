import type { Configuration } from '../contract/configuration.ts';
import type { Problem, ProblemName } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';
import type { TargetName } from '../contract/target-names.ts';

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

/** A serving platform: how to answer every request from nothing but `dist/public`. */
export type Target = {
  /** Name in the configuration, and of the folder below `dist/edge`. */
  readonly name: TargetName;
  /** Name for readers. */
  readonly title: string;
  /** The files that make the platform answer; pure, and the same for the same input. */
  readonly generate: (input: TargetInput) => TargetResult;
};
