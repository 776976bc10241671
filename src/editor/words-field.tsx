import { IconButton } from '../explorer/button.tsx';
import { Combobox } from '../explorer/combobox.tsx';
import { CloseIcon } from '../explorer/icons.tsx';
import type { FieldInfo } from './catalogue-info.ts';
import { type Choice, fieldChoices, matchChoice, matchingChoices } from './choices.ts';
import { useEditor } from './editing-context.ts';
import { Entries, useListEntries } from './entries.tsx';
import { FieldFrame, fieldHelp, labelText } from './field.tsx';
import { useFindings, useForm, useUnfinishedInput } from './form-context.ts';
import { SuggestionChips } from './suggestion-chips.tsx';
import { entriesAt } from './undo-history.ts';

const MAX_OFFERED = 10;
const MAX_MATCHES = 40;
const MAX_DECLARED_OFFERED = 12;

export function WordListField({ info }: { info: FieldInfo }) {
  const path = [info.name];
  const { values } = useForm();
  const { catalogue, announce } = useEditor();
  const { attributes } = useFindings(path, true);
  const order = useListEntries(info.name, info.label);
  const choices = fieldChoices(info, catalogue);
  const chosen = entriesAt(values, info.name).map(String);
  const left = choices.filter(({ value }) => !chosen.includes(value));
  const labelOf = (word: string) => choices.find(({ value }) => value === word)?.label ?? word;
  const add = (word: string) => {
    const isNew = word !== '' && !chosen.includes(word);
    type(undefined, ...(isNew ? [{ path, value: [...chosen, word] }] : []));
    if (isNew) announce(`${labelOf(word)} added.`);
  };
  const {
    text = '',
    type,
    finishInput,
  } = useUnfinishedInput(path, (typed) => {
    add(matchChoice(left, typed)?.value ?? asOwn(typed, info));
    return undefined;
  });
  const take = () =>
    add(matchChoice(left, text)?.value ?? matchingChoices(left, text, 1)[0]?.value ?? asOwn(text, info));
  const isOffered = left.length > 0 && (!info.isDeclared || choices.length <= MAX_DECLARED_OFFERED);
  return (
    <FieldFrame
      path={path}
      help={`${fieldHelp(info)} Alt and an arrow key move one.`.trimStart()}
      isWhole
      className="wide"
    >
      {info.isDeclared && <p class="group-label">{labelText(info)}</p>}
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
      {info.vocabulary && catalogue.isOpen[info.vocabulary] && (
        <OwnWords words={chosen.filter((word) => !choices.some(({ value }) => value === word))} />
      )}
      <Combobox
        label={info.isDeclared ? `Add to ${info.label}` : 'Add a facility'}
        listLabel={info.isDeclared ? info.label : 'Facilities'}
        placeholder={info.isDeclared ? `Such as ${exampleOf(info, choices)}` : 'Search, such as parking'}
        text={text}
        setText={(next) => type(next || undefined)}
        suggest={() =>
          matchingChoices(left, text, MAX_MATCHES).map(({ value, label }) => ({
            key: value,
            text: label,
            note: '',
            choose: () => add(value),
          }))
        }
        input={attributes}
        onEnter={() => text.trim() !== '' && take()}
        onLeave={finishInput}
      />
      {isOffered && (
        <SuggestionChips
          label={info.isDeclared ? `${info.label}: choices` : 'Often chosen'}
          choices={left.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MAX_OFFERED)}
          add={add}
        />
      )}
    </FieldFrame>
  );
}

function OwnWords({ words }: { readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return <p class="quiet help">Not in the list, and shown to guests as you wrote it: {words.join(', ')}.</p>;
}

/** Capitalises a facility that is not in the list, as listed facilities are. */
function asOwn(typed: string, { vocabulary }: FieldInfo): string {
  const text = typed.trim();
  return vocabulary === null ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}

const OFTEN_CHOSEN: readonly string[] =
  'wifi free_parking kitchen heating washing_machine tv garden terrace pets_allowed barbecue dishwasher private_entrance'.split(
    ' ',
  );

function rankOf({ value }: Choice): number {
  const rank = OFTEN_CHOSEN.indexOf(value);
  return rank < 0 ? OFTEN_CHOSEN.length : rank;
}

function exampleOf({ example }: FieldInfo, choices: readonly Choice[]): string {
  return choices.find(({ value }) => value === example)?.label ?? example;
}
