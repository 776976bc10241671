import type { Terms } from '../contract/terms.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Confirm } from './earlier-table.ts';
import type { ImportOptions, ImportResult } from './files/import.ts';
import type { UnusedColumn } from './mapping/declared-columns.ts';
import type { GapAdvice } from './mapping/gaps.ts';
import type { Proposal } from './mapping/mapping.ts';
import type { ProposalDescription } from './mapping/mapping-text.ts';
import type { PickColumns } from './questions/pick-unused-columns.ts';
import type { Profile } from './table/profile.ts';
import type { SourceNote } from './table/row.ts';

export type SourceOptions = Pick<
  ImportOptions,
  'content' | 'force' | 'photos' | 'strict' | 'gone' | 'allowShrink' | 'keepOutcomes' | 'photoRules'
> & {
  /** Mapping file of a table. @default the path from `mappingPath`; without a file there, a mapping is proposed */
  readonly mapping?: string;
  /** Lets the user edit a proposal; undefined if the user cancels. @default writes the proposal and imports nothing */
  readonly ask?: (...shown: [Proposal, Profile, name: string, Terms]) => Promise<Proposal | undefined>;
  /** Describes a table without a mapping, and its private columns, before `ask` shows a proposal. @default nothing */
  readonly introduce?: (name: string, profile: Profile) => void;
  /** Asks which unused columns to publish. @default none */
  readonly pick?: PickColumns;
  /** @default the first sheet with a table */
  readonly askSheet?: (name: string, sheets: readonly string[]) => Promise<string | undefined>;
  /** Asks yes or no. @default no; but throws `next-export` if the table looks like a later export of an imported one */
  readonly confirm?: Confirm;
  readonly keepPrivate?: boolean;
  /** Whether to declare in catalogue.yaml the known fields that unused columns match. @default false */
  readonly declare?: boolean;
  /** Number of concurrent requests to a service. @default adapts to the service */
  readonly concurrency?: number | undefined;
  readonly apiKey?: string | undefined;
  /** `done` counts profiled rows, then starts again and counts imported candidates. `total`: undefined if unknown. */
  readonly listener?: (done: number, total?: number) => void;
};

export type SourceResult = {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly SourceNote[];
  /** Required fields without a value in some rows: what becomes of these rows, and how to change that. @default none */
  readonly gaps?: readonly GapAdvice[];
  readonly unused: readonly UnusedColumn[];
  /** Named columns that are empty in every row. @default none */
  readonly empty?: readonly string[];
  /**
   * Suggested lines for the mapping, by field. In a line, the user fills in what unknown words mean; the line for `id`
   * makes ids from a column. @default none
   */
  readonly wordLines?: Readonly<Record<string, string>>;
  readonly declared?: readonly string[];
  readonly mapping?: string;
  /** Why rows become drafts, such as "Status is paused"; empty if the mapping does not map `draft`. */
  readonly hidden?: string;
  /** If all properties are hidden: words of their status that may mean either. @default none */
  readonly hidingWords?: readonly string[];
  /** Number of rows that were skipped, such as rows of totals. @default 0 */
  readonly passedOver?: number;
  readonly proposed?: ProposalDescription;
  readonly result?: ImportResult;
};
