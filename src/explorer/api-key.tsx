import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';

/** The key is stored for this tab only. */
export function ApiKeyField() {
  const { apiKey } = useCatalogue();
  const [text, setText] = useState(apiKey.get());
  return (
    <form
      class="api-key panel flow"
      onSubmit={(event) => {
        event.preventDefault();
        apiKey.set(text.trim());
      }}
    >
      <div class="field">
        <label for="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          aria-describedby="api-key-note"
        />
      </div>
      <Button type="submit">Use this key</Button>
      <p id="api-key-note" class="quiet">
        Lists, maps and the search of this catalogue need a key. The page keeps it until this tab is closed,
        and sends it to this catalogue alone.
      </p>
    </form>
  );
}
