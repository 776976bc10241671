import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Finding, ValuePath } from './api.ts';
import { controlId, findingsAt } from './findings.ts';
import type { PropertyState } from './property-state.ts';
import type { FormChange } from './undo-history.ts';

/** Turns the text of a control into a value. Returns a problem if that fails. */
export type SettleControl = () => string | undefined | Promise<string | undefined>;

export type Form = Pick<
  PropertyState,
  'values' | 'texts' | 'edit' | 'type' | 'arrange' | 'keysOf' | 'refuse'
> & {
  /** May be newer than the rendered state. */
  readonly now: () => PropertyState;
  readonly findings: readonly Finding[];
  /** Hides findings of fields that were not visited yet. Used for a new property. */
  readonly hidesUnvisited: boolean;
  readonly language: string;
  readonly setLanguage: (language: string) => void;
  /** Hides findings of a new control until it loses the focus, or until the next save. */
  readonly hideFindingsOf: (id: string) => void;
  readonly visited: ReadonlySet<string>;
  readonly leave: (field: string, id?: string) => void;
  /** Controls whose text may not be a value yet, by control id. */
  readonly settlers: Map<string, { readonly path: ValuePath; readonly settle: SettleControl }>;
  readonly settle: (id: string) => void;
  /** Continues a save that waits for the user's answer to a control's question. */
  readonly resume: () => void;
};

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  return useContext(FormContext)!;
}

export function useFindings(path: ValuePath, isWhole = false) {
  const { findings, hidesUnvisited, visited } = useForm();
  const id = controlId(path);
  const own = hidesUnvisited && !visited.has(String(path[0])) ? [] : findingsAt(findings, path, isWhole);
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

/** For a control whose text may be incomplete, such as half of a name. */
export function useUnfinished(path: ValuePath, settle: (text: string) => ReturnType<SettleControl>) {
  const { texts, now, type, settle: settleControl } = useForm();
  const id = controlId(path);
  useSettle(path, () => {
    const text = now().texts[id];
    return text === undefined ? undefined : settle(text);
  });
  return {
    text: texts[id],
    type: (text: string | undefined, ...changes: readonly FormChange[]) => type(id, text, ...changes),
    settle: () => settleControl(id),
  };
}

export function useSettle(path: ValuePath, settle: SettleControl): void {
  const { settlers } = useForm();
  const id = controlId(path);
  const latest = useRef(settle);
  latest.current = settle;
  useEffect(() => {
    settlers.set(id, { path, settle: () => latest.current() });
    return () => void settlers.delete(id);
  }, [id]);
}
