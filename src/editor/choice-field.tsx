import { Combobox } from '../explorer/combobox.tsx';
import type { ValuePath } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { type Choice, matchChoice, matchingChoices } from './choices.ts';
import { FieldFrame, fieldHelp, labelText } from './field.tsx';
import { useFindings, useForm, useUnfinishedInput } from './form-context.ts';
import { textAt } from './form-values.ts';
import type { FormChange } from './undo-history.ts';

const MAX_MATCHES = 40;

type ChoiceFieldProps = {
  readonly path: ValuePath;
  readonly info: FieldInfo;
  readonly choices: readonly Choice[];
  readonly isOpen?: boolean;
  readonly changesFor: (value: string) => readonly FormChange[];
  readonly className?: string;
};

/** On Enter, on blur and before a save, replaces typed text with the choice it matches. Text without a match stays. */
export function ChoiceField({ path, info, choices, isOpen, changesFor, className = '' }: ChoiceFieldProps) {
  const { values } = useForm();
  const { attributes } = useFindings(path);
  const value = textAt(values, path);
  const chosen = choices.find((choice) => choice.value === value);
  const others = choices.filter((choice) => choice !== chosen);
  const name = chosen?.label ?? value;
  const take = (next: string) => type(undefined, ...(next === value ? [] : changesFor(next)));
  const { text, type, finishInput } = useUnfinishedInput(path, (typed) => {
    const trimmed = typed.trim();
    const isOwn = isOpen && !choices.some(({ label }) => label === trimmed);
    take(isOwn ? trimmed : (matchChoice(choices, trimmed)?.value ?? trimmed));
    return undefined;
  });
  return (
    <FieldFrame path={path} help={fieldHelp(info)} className={className}>
      <Combobox
        label={labelText(info)}
        listLabel={info.label}
        placeholder={
          info.example &&
          `Such as ${choices.find((one) => one.value === info.example)?.label ?? info.example}`
        }
        text={text ?? name}
        setText={(next) => type(next, ...(isOpen ? changesFor(next) : []))}
        suggest={() =>
          matchingChoices(chosen && !text ? [chosen, ...others] : choices, text ?? '', MAX_MATCHES).map(
            (choice) => ({
              key: choice.value,
              text: choice.label,
              note: '',
              choose: () => take(choice.value),
            }),
          )
        }
        input={attributes}
        onEnter={finishInput}
        onLeave={finishInput}
      />
    </FieldFrame>
  );
}
