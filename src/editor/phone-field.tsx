/** A phone number, formatted as it is typed. */
import { useRef } from 'preact/hooks';
import { Around, type FieldProps, labelText, useWrite } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { textAt } from './values.ts';

/** The field. What formats comes with the first focus: numbers of the world take as much room as the whole form. */
export function PhoneField({ path, info }: FieldProps) {
  const { values } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const tools = useRef<typeof import('./phone.ts')>(undefined);
  const country = textAt(values, ['country']);
  return (
    <Around path={path} help={info.help}>
      <div class="field">
        <label for={attributes.id}>{labelText(info)}</label>
        <input
          {...attributes}
          type="tel"
          autocomplete="off"
          placeholder={`Such as ${info.example}`}
          value={textAt(values, path)}
          onFocus={() => {
            import('./phone.ts').then((loaded) => {
              tools.current = loaded;
            });
          }}
          onInput={({ currentTarget: { value, selectionStart } }) => {
            // In the middle of a number, the cursor would be moved.
            const isAtEnd = selectionStart === value.length && value.length > textAt(values, path).length;
            write((isAtEnd && tools.current?.asTyped(value)) || value);
          }}
          onBlur={({ currentTarget: { value } }) => {
            const whole = tools.current?.international(value, country);
            if (whole && whole !== value) write(whole);
          }}
        />
      </div>
    </Around>
  );
}
