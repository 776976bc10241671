import { useRef } from 'preact/hooks';
import { FieldFrame, type FieldProps, labelText, useWrite } from './field.tsx';
import { useFindings, useForm, useInputFinisher } from './form-context.ts';
import { textAt } from './form-values.ts';

/** Loads the formatter on the first focus: its numbering plans are as large as the rest of the form. */
export function PhoneField({ path, info }: FieldProps) {
  const { values, latestState } = useForm();
  const write = useWrite(path, info.required);
  const { attributes } = useFindings(path);
  const tools = useRef<typeof import('./phone.ts')>(undefined);
  const known = useRef(textAt(values, path));
  const load = async () => {
    tools.current = await import('./phone.ts');
    return tools.current;
  };
  // Formats the number here too: it may have been typed before the formatter was loaded.
  const finishInput = async () => {
    const number = textAt(latestState().values, path);
    if (number === known.current) return undefined;
    const whole = (await load()).toInternationalFormat(number, textAt(latestState().values, ['country']));
    if (whole && textAt(latestState().values, path) === number && whole !== number) write(whole);
    return undefined;
  };
  useInputFinisher(path, finishInput);
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
          onFocus={() => void load()}
          onInput={({ currentTarget: { value, selectionStart } }) => {
            // Formatting while the cursor is inside the number would move the cursor.
            const isAtEnd = selectionStart === value.length && value.length > textAt(values, path).length;
            write((isAtEnd && tools.current?.formatWhileTyping(value)) || value);
          }}
          onBlur={() => void finishInput()}
        />
      </div>
    </FieldFrame>
  );
}
