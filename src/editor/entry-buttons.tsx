import { IconButton } from '../explorer/button.tsx';
import { BinIcon, DownIcon, UpIcon } from './icons.tsx';
import type { Order } from './order.ts';

/** The buttons of an entry of a list. `name`: what it is, such as "photo 2". */
export function EntryButtons({ order, index, name }: { order: Order; index: number; name: string }) {
  const [isFirst, isLast] = [index === 0, index === order.count - 1];
  return (
    <span class="entry-buttons">
      <IconButton
        icon={UpIcon}
        label={`Move ${name} up`}
        title="Move up (Alt+↑)"
        act={isFirst ? undefined : () => order.move(index, index - 1)}
      />
      <IconButton
        icon={DownIcon}
        label={`Move ${name} down`}
        title="Move down (Alt+↓)"
        act={isLast ? undefined : () => order.move(index, index + 1)}
      />
      <IconButton icon={BinIcon} label={`Remove ${name}`} title="Remove" act={() => order.remove(index)} />
    </span>
  );
}
