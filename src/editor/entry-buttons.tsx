import { BinIcon, DownIcon, UpIcon } from './icons.tsx';
import type { Order } from './order.ts';

/** The buttons of an entry of a list. `name`: what it is, such as "photo 2". */
export function EntryButtons({ order, index, name }: { order: Order; index: number; name: string }) {
  return (
    <span class="entry-buttons">
      <button
        type="button"
        class="icon-button"
        aria-label={`Move ${name} up`}
        title="Move up (Alt+↑)"
        aria-disabled={index === 0}
        onClick={() => order.move(index, index - 1)}
      >
        <UpIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Move ${name} down`}
        title="Move down (Alt+↓)"
        aria-disabled={index === order.count - 1}
        onClick={() => order.move(index, index + 1)}
      >
        <DownIcon />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={() => order.remove(index)}
      >
        <BinIcon />
      </button>
    </span>
  );
}
