/** A field for a list of terms, chosen from a vocabulary. */
import { useState } from 'preact/hooks';
import { IconButton } from '../explorer/button.tsx';
import { Combobox } from '../explorer/combobox.tsx';
import { CloseIcon } from '../explorer/icons.tsx';
import type { FieldInfo } from './catalogue-info.ts';
import { choicesFor, choicesOf, matchChoice } from './choices.ts';
import { useEditor } from './editing-context.ts';
import { Entries, useOrder } from './entries.tsx';
import { FieldFrame } from './field.tsx';
import { useFindings, useForm } from './form-context.ts';
import { Offered } from './offered.tsx';
import { entriesAt } from './snapshots.ts';

/** Number of terms offered as buttons. */
const OFFERED = 10;
const MOST = 40;

/** Renders the chosen terms as chips, a search for more, and further terms of the vocabulary as buttons. */
export function WordsField({ info }: { info: FieldInfo }) {
  const path = [info.name];
  const { values } = useForm();
  const { catalogue, announce } = useEditor();
  const { attributes } = useFindings(path, true);
  const order = useOrder(info.name, info.label);
  const [text, setText] = useState('');
  const choices = choicesOf(info, catalogue);
  const chosen = entriesAt(values, info.name).map(String);
  const left = choices.filter(({ value }) => !chosen.includes(value));
  const labelOf = (word: string) => choices.find(({ value }) => value === word)?.label ?? word;
  const add = (word: string) => {
    setText('');
    if (word === '' || chosen.includes(word)) return;
    order.add(word);
    announce(`${labelOf(word)} added.`);
  };
  const take = () =>
    add(matchChoice(left, text)?.value ?? choicesFor(left, text, 1)[0]?.value ?? text.trim());
  return (
    <FieldFrame path={path} help={`${info.help} Alt and an arrow key move one.`} isWhole className="wide">
      <Entries list={info.name} order={order} look="chips flow" label="Chosen">
        {(index) => (
          <span class="chip" {...order.handle(index)}>
            {labelOf(chosen[index]!)}
            <IconButton
              icon={CloseIcon}
              label={`Remove ${labelOf(chosen[index]!)}`}
              look="icon-button small"
              act={() => order.remove(index)}
            />
          </span>
        )}
      </Entries>
      <Combobox
        label="Add a facility"
        listLabel="Facilities"
        placeholder="Search, such as parking"
        text={text}
        setText={setText}
        suggest={() =>
          choicesFor(left, text, MOST).map(({ value, label }) => ({
            key: value,
            text: label,
            note: '',
            choose: () => add(value),
          }))
        }
        input={attributes}
        onEnter={() => text.trim() !== '' && take()}
      />
      {left.length > 0 && <Offered label="Often chosen" choices={left.slice(0, OFFERED)} add={add} />}
    </FieldFrame>
  );
}
