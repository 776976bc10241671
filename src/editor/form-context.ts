/** Context that the fields of a form share. */
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Finding, ValuePath } from './api.ts';
import { controlId, findingsAt } from './findings.ts';
import type { PropertyState } from './property-state.ts';
import type { Change } from './snapshots.ts';

/** Makes a value of the text in a control. Returns a problem when the text means none. */
export type Settle = () => string | undefined | Promise<string | undefined>;

export type Form = Pick<
  PropertyState,
  'values' | 'texts' | 'edit' | 'type' | 'arrange' | 'keysOf' | 'refuse'
> & {
  /** Returns the present state, which may be newer than what is rendered. */
  readonly now: () => PropertyState;
  readonly findings: readonly Finding[];
  /** Whether findings are hidden for fields not yet visited, as in a new property. */
  readonly hidesUnvisited: boolean;
  /** Language whose texts are shown next to those of the default one; empty for only the default one. */
  readonly language: string;
  readonly setLanguage: (language: string) => void;
  /** Hides the findings of a new control until it is left, or the property saved. */
  readonly spare: (id: string) => void;
  readonly left: ReadonlySet<string>;
  readonly leave: (field: string, id?: string) => void;
  /** The controls whose text may be no value yet, by their ids. */
  readonly settlers: Map<string, { readonly path: ValuePath; readonly settle: Settle }>;
  /** Settles one control, when it is left. */
  readonly settle: (id: string) => void;
  /** Called after a question of a control was answered: saves, if a save waits for that. */
  readonly resume: () => void;
};

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  return useContext(FormContext)!;
}

/** Returns a value's findings, and the `aria-` attributes that link its control to its texts. */
export function useFindings(path: ValuePath, isWhole = false) {
  const { findings, hidesUnvisited, left } = useForm();
  const id = controlId(path);
  const own = hidesUnvisited && !left.has(String(path[0])) ? [] : findingsAt(findings, path, isWhole);
  return {
    id,
    findings: own,
    attributes: {
      id,
      'aria-describedby': `${id}-help ${id}-findings`,
      'aria-invalid': own.some(({ severity }) => severity === 'error'),
    },
  };
}

/** State of a control whose text is not a value yet, and functions that type into it and settle it. */
export function useUnfinished(path: ValuePath, settle: (text: string) => ReturnType<Settle>) {
  const { texts, now, type, settle: settleControl } = useForm();
  const id = controlId(path);
  useSettle(path, () => {
    const text = now().texts[id];
    return text === undefined ? undefined : settle(text);
  });
  return {
    text: texts[id],
    type: (text: string | undefined, ...changes: readonly Change[]) => type(id, text, ...changes),
    settle: () => settleControl(id),
  };
}

/** Registers a control that has to be settled before a save. */
export function useSettle(path: ValuePath, settle: Settle): void {
  const { settlers } = useForm();
  const id = controlId(path);
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    settlers.set(id, { path, settle: () => latest.current() });
    return () => void settlers.delete(id);
  }, [id]);
}
