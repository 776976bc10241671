import { useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import { HouseIcon } from './icons.tsx';
import { pictureUrl } from './picture-url.ts';

type PictureProps = {
  /** As in the API; null for a property without one. */
  readonly url: string | null;
  readonly description: string;
  /** Id of the property: pictures that are not there differ a little. */
  readonly id: string;
  readonly isFirst?: boolean;
};

/** A photo or thumbnail, or a quiet placeholder when there is nothing that may be shown. */
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
