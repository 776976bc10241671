/** Context that the fields of a form share. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Finding, ValuePath } from './api.ts';
import { controlId, findingsAt } from './findings.ts';
import type { PropertyState } from './property-state.ts';

export type Form = Pick<PropertyState, 'values' | 'edit' | 'arrange' | 'keysOf'> & {
  readonly findings: readonly Finding[];
  /** Whether findings are hidden for fields not yet visited, as in a new property. */
  readonly hidesUnvisited: boolean;
  /** Fields that the user visited and left. */
  readonly left: ReadonlySet<string>;
  readonly leave: (field: string) => void;
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
