/** What a session shows: the catalogue as it was last sound, and what is wrong now. */
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../contract/configuration.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Held, isSameRelease } from './held.ts';

/** Something that happened. */
export type SessionEvent =
  /** There is something new to show; the time is that since the change was heard of. */
  | { readonly kind: 'fresh'; readonly milliseconds: number; readonly diagnostics: readonly Diagnostic[] }
  /** The content has errors, or something else is wrong: what was shown before still is. */
  | ({ readonly kind: 'trouble' } & Trouble)
  /** A build of everything that changed has begun. */
  | { readonly kind: 'building' }
  /** The build of another process has to end first. */
  | { readonly kind: 'waiting'; readonly message: string }
  /** Files changed on the disk, and were looked at. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  /** The output is what a build makes of the content. */
  | { readonly kind: 'settled' };

/** What is wrong: errors of the content, or the failure of a build. */
type Trouble = { readonly diagnostics: readonly Diagnostic[]; readonly failure?: unknown };

/** What can be shown. */
type Shown = {
  /** Another number for every release. */
  readonly generation: number;
  readonly configuration: Configuration;
  /** Answers what may be newer than the output; undefined when nothing is. */
  readonly held: Held | undefined;
};

export type SessionView = {
  /** Undefined until there is a catalogue. */
  readonly shown: () => Shown | undefined;
  /** Undefined while nothing is wrong. */
  readonly trouble: () => Trouble | undefined;
  /** Everything that was found in the content when it was last read, warnings as well. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Shows what is new since `started`. */
  readonly show: (
    next: Omit<Shown, 'generation'>,
    diagnostics: readonly Diagnostic[],
    started: number,
  ) => void;
  /** Reports what is wrong; what is shown stays. */
  readonly report: (trouble: Trouble) => void;
};

/** @param first the catalogue of an earlier build, if there was one. */
export function createView(
  first: Configuration | undefined,
  listener: (event: SessionEvent) => void,
): SessionView {
  let shown: Shown | undefined = first && { generation: 0, configuration: first, held: undefined };
  let trouble: Trouble | undefined;
  let diagnostics: readonly Diagnostic[] = [];
  return {
    shown: () => shown,
    trouble: () => trouble,
    diagnostics: () => diagnostics,
    show(next, found, started) {
      trouble = undefined;
      diagnostics = found;
      const generation = (shown?.generation ?? 0) + (isSame(shown, next) ? 0 : 1);
      shown = { ...next, generation };
      listener({ kind: 'fresh', milliseconds: performance.now() - started, diagnostics });
    },
    report(found) {
      trouble = found;
      if (found.failure === undefined) diagnostics = found.diagnostics;
      listener({ kind: 'trouble', ...found });
    },
  };
}

/** Whether pages that show the one need not load the other. */
function isSame(shown: Shown | undefined, next: Omit<Shown, 'generation'>): boolean {
  return (
    shown?.held !== undefined &&
    next.held !== undefined &&
    isDeepStrictEqual(shown.configuration, next.configuration) &&
    isSameRelease(next.held, shown.held)
  );
}
