import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Finding, ValuePath } from './api.ts';
import { controlId, findingsAt } from './findings.ts';
import type { PropertyState } from './property-state.ts';
import type { FormChange } from './undo-history.ts';

/** Turns the text of a control into a value. Returns a message if that fails. */
export type InputFinisher = () => string | undefined | Promise<string | undefined>;

export type Form = Pick<
  PropertyState,
  'values' | 'texts' | 'edit' | 'type' | 'arrange' | 'keysOf' | 'setFailure'
> & {
  /** May be newer than the rendered state. */
  readonly latestState: () => PropertyState;
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
  readonly inputFinishers: Map<string, { readonly path: ValuePath; readonly finishInput: InputFinisher }>;
  readonly finishInput: (id: string) => void;
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
export function useUnfinishedInput(
  path: ValuePath,
  finishInput: (text: string) => ReturnType<InputFinisher>,
) {
  const { texts, latestState, type, finishInput: settleControl } = useForm();
  const id = controlId(path);
  useInputFinisher(path, () => {
    const text = latestState().texts[id];
    return text === undefined ? undefined : finishInput(text);
  });
  return {
    text: texts[id],
    type: (text: string | undefined, ...changes: readonly FormChange[]) => type(id, text, ...changes),
    finishInput: () => settleControl(id),
  };
}

export function useInputFinisher(path: ValuePath, finishInput: InputFinisher): void {
  const { inputFinishers } = useForm();
  const id = controlId(path);
  const latest = useRef(finishInput);
  latest.current = finishInput;
  useEffect(() => {
    inputFinishers.set(id, { path, finishInput: () => latest.current() });
    return () => void inputFinishers.delete(id);
  }, [id]);
}
