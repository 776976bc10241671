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
  /**
   * The list of all properties, even if it is empty, and each list of a country or city that has entries. In any order;
   * can be iterated repeatedly.
   */
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

export type TargetRefusal = {
  readonly code: TargetRefusalCode;
  readonly message: string;
};

export type TargetResult =
  | { readonly files: readonly TargetFile[]; readonly refusal?: undefined }
  | { readonly refusal: TargetRefusal; readonly files?: undefined };

export type TargetProgram = {
  /** Module below `src/targets` whose exports the platform calls. */
  readonly entry: string;
  /** Whether the code is ES2022. Otherwise it is ES2017, the newest that njs accepts. @default false */
  readonly isModern?: boolean;
  /** Whether the code can serve the packed layout. @default false */
  readonly cutsPages?: boolean;
  /** Whether the code serves previews, which are packed even if the live release is not. @default false */
  readonly servesPreviews?: boolean;
  /** Whether the code serves only catalogues without API keys. @default false */
  readonly onlyWithoutApiKeys?: boolean;
};

type TargetAbout = {
  readonly use: string;
  readonly runs: string;
  readonly needs?: string;
};

export type Target = {
  readonly title: string;
  readonly about: TargetAbout;
  /** Bundles by name, as for `targetCode`. @default {} */
  readonly code?: Readonly<Record<string, TargetProgram>>;
  /** A pure function of its input. */
  readonly generate: (input: TargetInput) => TargetResult;
};
