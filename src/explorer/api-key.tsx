import { useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';

/** Asks for the key of the list. It stays in this tab. */
export function ApiKeyField() {
  const { apiKey } = useCatalogue();
  const [text, setText] = useState(apiKey.get());
  return (
    <form
      class="api-key"
      onSubmit={(event) => {
        event.preventDefault();
        apiKey.set(text.trim());
      }}
    >
      <label for="api-key">API key</label>
      <input
        id="api-key"
        type="password"
        autocomplete="off"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        aria-describedby="api-key-note"
      />
      <button type="submit" class="button">
        Use this key
      </button>
      <p id="api-key-note" class="quiet">
        The list of this catalogue asks for a key. It is kept until this tab is closed, and sent with the list
        alone.
      </p>
    </form>
  );
}
