/** When a property is shown: a draft, and its first and last day. */
import type { TargetedInputEvent } from 'preact';
import { Around, type FieldProps, labelText, useWrite } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { textAt } from './values.ts';

/** A field that is true or false. False is left out of the file. */
export function YesField({ path, info }: FieldProps) {
  const { values, edit } = useForm();
  const { attributes } = useFindings(path);
  return (
    <Around path={path} help={info.help} className="wide">
      <label class="check">
        <input
          {...attributes}
          type="checkbox"
          checked={textAt(values, path) === 'true'}
          onChange={(event) => edit({ path, value: event.currentTarget.checked ? 'true' : null })}
        />
        {info.label}
      </label>
    </Around>
  );
}

/** A date; a time with its offset is text. */
export function TimeField({ path, info }: FieldProps) {
  const { values } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const text = textAt(values, path);
  const control = {
    ...attributes,
    value: text,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => write(event.currentTarget.value),
  };
  const isDate = text === '' || /^\d{4}-\d\d-\d\d$/.test(text);
  return (
    <Around path={path} help={info.help}>
      <div class="field">
        <label for={attributes.id}>{labelText(info)}</label>
        {isDate ? <input {...control} type="date" /> : <input {...control} type="text" />}
      </div>
    </Around>
  );
}
