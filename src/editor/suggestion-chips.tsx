import { PlusIcon } from './icons.tsx';

type SuggestionChipsProps = {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly add: (value: string) => void;
};

export function SuggestionChips({ label, choices, add }: SuggestionChipsProps) {
  return (
    <ul class="chips flow offered" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice.value}>
          <button type="button" class="chip" onClick={() => add(choice.value)}>
            <PlusIcon />
            {choice.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
