import type { TargetedInputEvent } from 'preact';
import type { FieldInfo } from './catalogue-info.ts';
import { ChoiceField } from './choice-field.tsx';
import { type Choice, fieldChoices } from './choices.ts';
import { useEditor } from './editing-context.ts';
import {
  FieldFrame,
  type FieldProps,
  fieldHelp,
  labelText,
  TextInput,
  textChangeAt,
  useWrite,
} from './field.tsx';
import { useFindings, useForm, useUnfinishedInput } from './form-context.ts';
import { textAt } from './form-values.ts';

type FieldByKindProps = FieldProps & { readonly info: FieldInfo };

export function FieldByKind({ path, info, className = '' }: FieldByKindProps) {
  const { catalogue } = useEditor();
  if (info.choices) return <SelectField path={path} info={info} choices={fieldChoices(info, catalogue)} />;
  if (info.kind === 'boolean' && info.isDeclared)
    return <SelectField path={path} info={info} choices={ANSWERS} />;
  if (info.kind === 'boolean') return <YesField path={path} info={info} />;
  if (info.kind === 'instant' || info.kind === 'date') return <TimeField path={path} info={info} />;
  if (info.kind === 'time')
    return (
      <ChoiceField
        path={path}
        info={info}
        choices={HOURS}
        isOpen
        changesFor={(value) => [textChangeAt(path, value, info.required)]}
      />
    );
  if (!info.vocabulary && !info.values) return <TextInput path={path} info={info} className={className} />;
  return (
    <ChoiceField
      path={path}
      info={info}
      choices={fieldChoices(info, catalogue)}
      isOpen={info.vocabulary !== null && catalogue.isOpen[info.vocabulary]}
      changesFor={(value) => [textChangeAt(path, value, info.required)]}
    />
  );
}

/** Choices of a select. A checkbox is not enough: a yes/no field that the settings declare can also have no answer. */
const ANSWERS: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** Starts at noon, since guests arrive in the afternoon. */
const HOURS: readonly Choice[] = Array.from({ length: 25 }, (_, place) => {
  const hour = (place + 12) % 25;
  const value = `${String(hour).padStart(2, '0')}:00`;
  return { value, label: value, synonyms: [`${hour}`] };
});

/** A value that is not among the choices stays until the user chooses one. */
function SelectField({ path, info, choices }: FieldProps & { readonly choices: readonly Choice[] }) {
  const { values } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const text = textAt(values, path);
  const isKnown = text === '' || choices.some(({ value }) => value === text);
  return (
    <FieldFrame path={path} help={fieldHelp(info)}>
      <div class="field">
        <label for={attributes.id}>{labelText(info)}</label>
        <select {...attributes} value={text} onChange={({ currentTarget: { value } }) => write(value)}>
          <option value="">Not given</option>
          {!isKnown && <option value={text}>{text}</option>}
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
}

/** False is left out of the file, unless the field is required. */
function YesField({ path, info }: FieldProps) {
  const { values, edit } = useForm();
  const { attributes } = useFindings(path);
  return (
    <FieldFrame path={path} help={fieldHelp(info)} className="wide">
      <label class="check beside">
        <input
          {...attributes}
          type="checkbox"
          checked={textAt(values, path) === 'true'}
          onChange={({ currentTarget: { checked } }) =>
            edit({ path, value: checked ? 'true' : info.required ? 'false' : null })
          }
        />
        {info.label}
      </label>
    </FieldFrame>
  );
}

function TimeField({ path, info }: FieldProps) {
  const { values } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const text = textAt(values, path);
  const isHalf = () => document.querySelector<HTMLInputElement>(`#${attributes.id}`)!.validity.badInput;
  const {
    text: half,
    type,
    finishInput,
  } = useUnfinishedInput(path, () => {
    if (isHalf()) return 'Complete the date, or empty the field.';
    type(undefined);
    return undefined;
  });
  const control = {
    ...attributes,
    value: text,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => write(event.currentTarget.value),
    onKeyUp: () => isHalf() !== (half !== undefined) && type(isHalf() ? 'Half a date' : undefined),
    onBlur: finishInput,
  };
  const isDate = text === '' || /^\d{4}-\d\d-\d\d$/.test(text);
  return (
    <FieldFrame path={path} help={fieldHelp(info)}>
      <div class="field">
        <label for={attributes.id}>{labelText(info)}</label>
        {isDate ? <input {...control} type="date" /> : <input {...control} type="text" />}
      </div>
    </FieldFrame>
  );
}
