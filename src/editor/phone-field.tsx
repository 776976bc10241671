/** A phone-number field that formats while typing. */
import { useRef } from 'preact/hooks';
import { FieldFrame, type FieldProps, labelText, useWrite } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { textAt } from './values.ts';

/**
 * Renders the field. The formatter loads on the first focus, because its data of all countries are as large as the rest
 * of the form.
 */
export function PhoneField({ path, info }: FieldProps) {
  const { values } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const tools = useRef<typeof import('./phone.ts')>(undefined);
  const country = textAt(values, ['country']);
  return (
    <FieldFrame path={path} help={info.help}>
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
            // Formatting in the middle of a number would move the cursor.
            const isAtEnd = selectionStart === value.length && value.length > textAt(values, path).length;
            write((isAtEnd && tools.current?.asTyped(value)) || value);
          }}
          onBlur={({ currentTarget: { value } }) => {
            const whole = tools.current?.international(value, country);
            if (whole && whole !== value) write(whole);
          }}
        />
      </div>
    </FieldFrame>
  );
}
