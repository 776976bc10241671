import { identifierToWords } from '../contract/display-text.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { fieldChoices } from './choices.ts';
import { useEditor } from './editing-context.ts';
import { Entries, EntryButtons, useListEntries } from './entries.tsx';
import { FieldFrame } from './field.tsx';
import { FieldByKind } from './field-by-kind.tsx';
import { controlId } from './findings.ts';
import { useForm } from './form-context.ts';
import { SuggestionChips } from './suggestion-chips.tsx';
import { entriesAt } from './undo-history.ts';

const MAX_OFFERED = 6;

export function EntriesField({ info }: { info: FieldInfo }) {
  const { values, hideFindingsOf } = useForm();
  const { catalogue } = useEditor();
  const order = useListEntries(info.name, info.label);
  const noun = info.label.toLowerCase();
  const own = info.fields.filter(({ base }) => !base);
  const fields = own.toSorted((one, other) => rankOf(one) - rankOf(other));
  const [kind, text] = [fields[0]!, fields.find(({ kind }) => kind === 'lines')];
  const entries = entriesAt(values, info.name) as readonly (Readonly<Record<string, string>> | null)[];
  // The policy `check_in` is not offered if the catalogue has a field `check_in_until`, which asks for the same.
  const isAsked = (value: string) => catalogue.fields.some(({ name }) => name === `${value}_until`);
  const left = fieldChoices(kind, catalogue).filter(
    ({ value }) => !isAsked(value) && !entries.some((entry) => entry?.[kind.name] === value),
  );
  const add = (value: string) => {
    const entry = own.map(({ name, kind }) => [name, kind === 'boolean' ? 'true' : '']);
    order.add({ ...Object.fromEntries(entry), [kind.name]: value });
    const { name } = value === '' ? kind : (text ?? kind);
    for (const one of own) hideFindingsOf(controlId([info.name, entries.length, one.name]));
    setTimeout(() => document.getElementById(controlId([info.name, entries.length, name]))?.focus());
  };
  return (
    <FieldFrame path={[info.name]} help={info.help} className="wide">
      <Entries list={info.name} order={order} look="stack" entryLook="row box stack">
        {(index) => (
          <>
            {fields.map((field) => (
              <FieldByKind
                key={field.name}
                path={[info.name, index, field.name]}
                info={{
                  ...field,
                  label: labelOf(field, `${noun} ${index + 1}`),
                  help: '',
                  example: entries[index]?.[kind.name] === kind.example ? field.example : '',
                }}
              />
            ))}
            <EntryButtons order={order} index={index} name={`${noun} ${index + 1}`} />
          </>
        )}
      </Entries>
      <SuggestionChips
        label={`Add a ${noun}`}
        choices={
          kind.vocabulary ? [...left.slice(0, MAX_OFFERED), { value: '', label: `Another ${noun}` }] : left
        }
        add={add}
      />
    </FieldFrame>
  );
}

function rankOf({ kind, vocabulary, values }: FieldInfo): number {
  if (kind === 'boolean') return 2;
  return vocabulary || values ? 0 : 1;
}

function labelOf({ kind, label }: FieldInfo, entry: string): string {
  return kind === 'boolean' ? identifierToWords(label) : `${identifierToWords(label)} of ${entry}`;
}
