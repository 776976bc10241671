import { PlusIcon } from './icons.tsx';

type OfferedProps = {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly add: (value: string) => void;
};

export function OfferedChoices({ label, choices, add }: OfferedProps) {
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
