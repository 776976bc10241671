/** A field with suggestions (WAI-ARIA Authoring Practices, "Combobox with list autocomplete"). */
import type { InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';

/** Something to choose. */
export type Suggestion = {
  readonly key: string;
  readonly text: string;
  /** What distinguishes it from others with the same text. */
  readonly note: string;
  readonly count?: number;
  readonly choose: () => void;
};

export type ComboboxProps = {
  readonly label: string;
  /** What the suggestions are. */
  readonly listLabel: string;
  readonly placeholder: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The suggestions for the text; asked for while the list is open. */
  readonly suggest: () => readonly Suggestion[];
  /** Called when the list opens, and whenever the text differs after that. */
  readonly onOpen?: () => void;
  /** Language of the suggestions. */
  readonly lang?: string | undefined;
  /** Further attributes of the field, such as what describes it. */
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  /** Called when Enter is pressed and nothing in the list is active; the form is not sent then. */
  readonly onEnter?: () => void;
  /** Called when the focus leaves the field. */
  readonly onLeave?: () => void;
};

/** The field. */
export function Combobox(props: ComboboxProps) {
  const { label, placeholder, text, setText, input, onLeave } = props;
  const ownId = useId();
  const id = input?.id === undefined ? ownId : String(input.id);
  const list = useList(props);
  const isShown = list.suggestions.length > 0;
  return (
    <div class="field combobox">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && list.active >= 0 ? `${id}-${list.active}` : undefined}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          list.open(-1);
        }}
        onFocus={() => list.open()}
        onClick={() => list.open()}
        onBlur={() => {
          list.close();
          onLeave?.();
        }}
        onKeyDown={list.onKeyDown}
      />
      <Suggestions {...props} id={id} list={list} />
      <span class="unseen" role="status">
        {list.isOpen && text !== '' && `${list.suggestions.length} suggestions`}
      </span>
    </div>
  );
}

type List = ReturnType<typeof useList>;

/** The state of the list, and what keys do to it. */
function useList({ suggest, onOpen, onEnter }: ComboboxProps) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = isOpen ? suggest() : [];
  const open = (place = active) => {
    onOpen?.();
    setOpen(true);
    setActive(place);
  };
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const take = (suggestion: Suggestion) => {
    close();
    suggestion.choose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      const count = Math.max(suggestions.length, 1);
      open(active < 0 && move < 0 ? count - 1 : (active + move + count) % count);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter') {
      const suggestion = suggestions[active];
      // The form is sent otherwise, and the list has to go too.
      if (suggestion || onEnter) event.preventDefault();
      if (suggestion) return take(suggestion);
      close();
      onEnter?.();
    }
  };
  return { isOpen, active, suggestions, open, close, take, onKeyDown };
}

function Suggestions({
  id,
  listLabel,
  lang,
  list: { suggestions, active, take },
}: ComboboxProps & { readonly id: string; readonly list: List }) {
  return (
    // Not a stop of the Tab key: a list that scrolls would be one, and take the focus with it when it closes.
    <div
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={listLabel}
      class="suggestions panel"
      hidden={suggestions.length === 0}
      // Before the field loses the focus, and with it the list.
      onMouseDown={(event) => event.preventDefault()}
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' });
          }}
          onClick={() => take(suggestion)}
        >
          <span>
            <span lang={lang}>{suggestion.text}</span> <span class="quiet">{suggestion.note}</span>
          </span>
          {suggestion.count !== undefined && (
            <span class="count digits">{suggestion.count.toLocaleString('en')}</span>
          )}
        </div>
      ))}
    </div>
  );
}
