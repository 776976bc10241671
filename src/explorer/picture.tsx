import { useState } from 'preact/hooks';
import { pictureUrl } from '../contract/picture-url.ts';
import { useCatalogue } from './catalogue.ts';
import { HouseIcon } from './icons.tsx';

type PictureProps = {
  readonly url: string | null;
  readonly description: string;
  /** Id of the property; chooses the placeholder's colour. */
  readonly id: string;
  readonly isFirst?: boolean;
};

export function Picture({ url, description, id, isFirst }: PictureProps) {
  const catalogue = useCatalogue();
  const [isBroken, setBroken] = useState(false);
  const source = url === null ? undefined : pictureUrl(url, catalogue);
  if (!source || isBroken) {
    return (
      <span class={`picture placeholder tint-${Number.parseInt(id.slice(0, 4), 16) % 6}`}>
        <HouseIcon />
      </span>
    );
  }
  return (
    <img
      class="picture"
      src={source}
      alt={description}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(true)}
    />
  );
}
