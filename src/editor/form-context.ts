/** What the fields of a form have at hand. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Finding, ValuePath } from './api.ts';
import { controlId, findingsAt } from './findings.ts';
import type { PropertyState } from './property-state.ts';

/** A form. */
export type Form = Pick<PropertyState, 'values' | 'edit' | 'arrange' | 'keysOf'> & {
  readonly findings: readonly Finding[];
  /** Whether nothing is said of fields that were not come to yet: they are empty since they are new. */
  readonly isPatient: boolean;
  /** Fields that were left. */
  readonly left: ReadonlySet<string>;
  readonly leave: (field: string) => void;
};

export const FormContext = createContext<Form | undefined>(undefined);

/** The form. */
export function useForm(): Form {
  return useContext(FormContext)!;
}

/** What a control knows of the texts beside it: for `aria-` attributes. */
export function useFindings(path: ValuePath, isWhole = false) {
  const { findings, isPatient, left } = useForm();
  const id = controlId(path);
  const own = isPatient && !left.has(String(path[0])) ? [] : findingsAt(findings, path, isWhole);
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
