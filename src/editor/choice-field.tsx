/** A field whose values are chosen by name. */
import { useEffect, useState } from 'preact/hooks';
import { Combobox } from '../explorer/combobox.tsx';
import type { ValuePath } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { type Choice, choicesFor, matchChoice } from './choices.ts';
import { FieldFrame, labelText } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { textAt } from './values.ts';

/** Maximum number of choices shown at once. */
const MOST = 40;

type ChoiceFieldProps = {
  readonly path: ValuePath;
  readonly info: FieldInfo;
  readonly choices: readonly Choice[];
  /** Whether the value is shown beside its name, as for codes. */
  readonly hasCodes?: boolean;
  /** Whether other values are allowed. */
  readonly isOpen?: boolean;
  /** Writes the value, as one edit. */
  readonly write: (value: string) => void;
  readonly className?: string;
};

/**
 * Renders the field. Typed text becomes the value that it stands for; unknown text is kept, and the check reports it.
 */
export function ChoiceField({
  path,
  info,
  choices,
  hasCodes,
  isOpen,
  write,
  className = '',
}: ChoiceFieldProps) {
  const { values } = useForm();
  const { attributes } = useFindings(path);
  const value = textAt(values, path);
  const name = choices.find((choice) => choice.value === value)?.label ?? value;
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped((before) => (before === value ? before : undefined)), [value]);
  const take = (next: string) => {
    setTyped(undefined);
    if (next !== value) write(next);
  };
  const settle = () => {
    if (typed === undefined) return;
    const text = typed.trim();
    take(
      isOpen && !choices.some(({ label }) => label === text)
        ? text
        : (matchChoice(choices, text)?.value ?? text),
    );
  };
  return (
    <FieldFrame path={path} help={info.help} className={className}>
      <Combobox
        label={labelText(info)}
        listLabel={info.label}
        placeholder={
          info.example &&
          `Such as ${choices.find((one) => one.value === info.example)?.label ?? info.example}`
        }
        text={typed ?? name}
        setText={(text) => {
          setTyped(text);
          // In an open field, typed text is the value right away.
          if (isOpen) write(text);
        }}
        suggest={() =>
          choicesFor(choices, typed ?? '', MOST).map((choice) => ({
            key: choice.value,
            text: choice.label,
            note: hasCodes ? choice.value : '',
            choose: () => take(choice.value),
          }))
        }
        input={attributes}
        onEnter={settle}
        onLeave={settle}
      />
    </FieldFrame>
  );
}
