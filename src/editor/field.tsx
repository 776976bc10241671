import type { ComponentChildren } from 'preact';
import { foldToLetters } from '../contract/unicode.ts';
import { Button } from '../explorer/button.tsx';
import { CheckIcon } from '../explorer/icons.tsx';
import type { Finding, ValuePath } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { focusFirst } from './findings.ts';
import { useFindings, useForm } from './form-context.ts';
import { textAt } from './form-values.ts';
import { WarningIcon } from './icons.tsx';
import { languageAt } from './translations.ts';
import type { FormChange } from './undo-history.ts';

type FindingListProps = {
  /**
   * Id of the control that the findings are about. If unset, the list adds a button "Show the field" to each finding
   * about a field, unless the finding has a fix.
   */
  readonly id?: string;
  readonly findings: readonly Finding[];
  readonly className?: string;
};

export function FindingList({ id, findings, className = '' }: FindingListProps) {
  const { edit, setLanguage } = useForm();
  const show = (finding: Finding) => {
    setLanguage(languageAt(finding.field));
    setTimeout(() => focusFirst([finding]));
  };
  return (
    <ul class={`findings stack tight ${className}`} id={id && `${id}-findings`}>
      {findings.map((finding) => {
        const { code, severity, message, help, field, line, fix } = finding;
        return (
          <li key={code + line + message} class={severity}>
            <WarningIcon />
            <span>
              <span class="unseen">{severity}: </span>
              {message} {help && <span class="quiet">{help}</span>}
            </span>
            {fix && (
              <Button look="small" onClick={() => edit(...fix.changes)}>
                <CheckIcon />
                {fix.label}
              </Button>
            )}
            {!id && field && !fix && (
              <Button look="small" onClick={() => show(finding)}>
                Show the field
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type AroundProps = {
  readonly path: ValuePath;
  readonly help?: string;
  readonly isWhole?: boolean;
  readonly className?: string;
  readonly children: ComponentChildren;
};

export function FieldFrame({ path, help = '', isWhole = false, className = '', children }: AroundProps) {
  const { id, findings } = useFindings(path, isWhole);
  const { leave } = useForm();
  return (
    <div
      class={`control stack tight ${className}${findings.length > 0 ? ` has-${worst(findings)}` : ''}`}
      onBlurCapture={() => leave(String(path[0]), id)}
    >
      {children}
      <p class="quiet help" id={`${id}-help`}>
        {help}
      </p>
      <FindingList id={id} findings={findings} />
    </div>
  );
}

function worst(findings: readonly Finding[]): Finding['severity'] {
  return findings.some(({ severity }) => severity === 'error') ? 'error' : 'warning';
}

export type FieldProps = {
  readonly path: ValuePath;
  readonly info: Pick<FieldInfo, 'name' | 'label' | 'help' | 'example' | 'kind' | 'required'> &
    Partial<Pick<FieldInfo, 'unit'>>;
  readonly className?: string;
};

export function labelText({ name, label, required, unit }: LabelledInfo): string {
  const measured = unit ? `${label} in ${unit}` : label;
  return required ? measured : `${measured} (${ADVISED.includes(name) ? 'recommended' : 'optional'})`;
}

type LabelledInfo = Pick<FieldInfo, 'name' | 'label' | 'required'> & { readonly unit?: string };

const ADVISED: readonly string[] = ['email', 'phone'];

/** Empty if the help would only repeat the label. */
export function fieldHelp({ label, help }: Pick<FieldInfo, 'label' | 'help'>): string {
  return foldToLetters(help) === foldToLetters(label) ? '' : help;
}

type TextInputProps = FieldProps & {
  readonly lang?: string;
  readonly isRemovable?: boolean;
};

export function TextInput({ path, info, className = '', lang, isRemovable = false }: TextInputProps) {
  const { values } = useForm();
  const write = useWrite(path, info.required && !isRemovable);
  const { attributes } = useFindings(path);
  const text = textAt(values, path);
  const control = {
    ...attributes,
    ...(info.kind === 'text' || info.kind === 'lines' ? { lang, dir: 'auto' as const } : {}),
    placeholder: info.example && `Such as ${info.example}`,
    value: text,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      write(event.currentTarget.value),
  };
  return (
    <FieldFrame path={path} help={fieldHelp(info)} className={className}>
      <div class="field">
        <label for={attributes.id}>{labelText(info)}</label>
        {info.kind === 'lines' ? (
          <textarea {...control} rows={Math.min(Math.max(text.split('\n').length + 1, 2), 12)} />
        ) : (
          <input
            {...control}
            type="text"
            inputMode={INPUT_MODES[info.name] ?? INPUT_MODES[info.kind]}
            autocomplete="off"
          />
        )}
      </div>
    </FieldFrame>
  );
}

const INPUT_MODES: Readonly<Record<string, 'email' | 'numeric' | 'decimal' | 'url' | undefined>> = {
  email: 'email',
  integer: 'numeric',
  decimal: 'decimal',
  link: 'url',
};

/** Empty text removes an optional field. */
export function useWrite(path: ValuePath, isRequired: boolean): (text: string) => void {
  const { edit } = useForm();
  return (text) => edit(textChangeAt(path, text, isRequired));
}

export function textChangeAt(path: ValuePath, text: string, isRequired: boolean): FormChange {
  return { path, value: text === '' && !isRequired ? null : text };
}
