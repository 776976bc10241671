/** Text field with suggestions (WAI-ARIA Authoring Practices, "Combobox with list autocomplete"). */
import type { InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';

export type Suggestion = {
  readonly key: string;
  readonly text: string;
  /** Distinguishes suggestions with the same text. */
  readonly note: string;
  readonly count?: number;
  readonly choose: () => void;
};

export type ComboboxProps = {
  readonly label: string;
  /** Accessible name of the list. */
  readonly listLabel: string;
  readonly placeholder: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly suggest: () => readonly Suggestion[];
  /** Called when the list opens, and again on each change of the text, click and arrow key. */
  readonly onOpen?: () => void;
  readonly lang?: string | undefined;
  readonly input?: InputHTMLAttributes<HTMLInputElement>;
  /** If set, Enter without an active suggestion calls it instead of submitting the form. */
  readonly onEnter?: () => void;
  readonly onLeave?: () => void;
};

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
    // Excluded from the Tab order: a focused list would lose the focus when it closes.
    <div
      id={`${id}-list`}
      role="listbox"
      tabIndex={-1}
      aria-label={listLabel}
      class="suggestions panel"
      hidden={suggestions.length === 0}
      // Keeps the focus in the field: losing it closes the list before the click.
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
