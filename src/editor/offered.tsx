import { PlusIcon } from './icons.tsx';

type OfferedProps = {
  /** What choosing one does, for people who hear it. */
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly add: (value: string) => void;
};

/** What can be added to a list, as buttons. */
export function Offered({ label, choices, add }: OfferedProps) {
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
