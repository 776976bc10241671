import { useState } from 'preact/hooks';
import { pictureUrl } from '../contract/picture-url.ts';
import type { Photo, Property } from '../contract/property.ts';
import { countText } from '../text/amounts.ts';
import { IconButton } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { Dialog } from './dialog.tsx';
import { BackIcon, ForwardIcon } from './icons.tsx';
import { Picture } from './picture.tsx';
import { languageProps, useTexts } from './property-texts.tsx';

const MAX_SHOWN = 5;

export function Gallery({ property, id }: { property: Property; id: string }) {
  const catalogue = useCatalogue();
  const texts = useTexts();
  const [open, setOpen] = useState<number>();
  const photos = property.photo.toSorted((one, other) => one.position - other.position);
  const own = photos.filter(({ url }) => pictureUrl(url, catalogue));
  const elsewhere = photos.filter(({ url }) => !pictureUrl(url, catalogue));
  if (photos.length === 0) return null;
  return (
    <section class="gallery stack" aria-label="Photos">
      {own.length > 0 && (
        <ul class={`gallery-grid count-${Math.min(own.length, MAX_SHOWN)}`}>
          {own.slice(0, MAX_SHOWN).map((photo, index) => (
            <li key={photo.id}>
              <button
                type="button"
                aria-haspopup="dialog"
                aria-label={`Photo ${index + 1} of ${countText(own.length, 'photo')}: ${texts.photo[photo.id]?.text ?? texts.title.text}`}
                onClick={() => setOpen(index)}
              >
                <Picture url={photo.url} description="" id={id} isFirst={index < MAX_SHOWN} />
                {index === MAX_SHOWN - 1 && own.length > MAX_SHOWN && (
                  <span class="more pill">{countText(own.length, 'photo')}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
      )}
      {elsewhere.length > 0 && <PhotosElsewhere photos={elsewhere} />}
      {open !== undefined && (
        <Viewer
          photos={own}
          title={texts.title.text}
          at={open}
          go={setOpen}
          close={() => setOpen(undefined)}
          id={id}
        />
      )}
    </section>
  );
}

/** Links to photos on hosts that the page's Content-Security-Policy blocks. */
function PhotosElsewhere({ photos }: { photos: readonly Photo[] }) {
  const texts = useTexts().photo;
  return (
    <div class="notice small">
      <p>Photos on other hosts:</p>
      <ul>
        {photos.map(({ id, url, position }) => (
          <li key={id}>
            <a href={url} rel="noreferrer">
              {texts[id]?.text ?? `Photo ${position}`}
            </a>{' '}
            <span class="quiet">{new URL(url).host}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type ViewerProps = {
  readonly photos: readonly Photo[];
  readonly title: string;
  readonly at: number;
  readonly go: (index: number) => void;
  readonly close: () => void;
  readonly id: string;
};

function Viewer({ photos, title, at, go, close, id }: ViewerProps) {
  const photo = photos[at]!;
  const caption = useTexts().photo[photo.id];
  const to = (index: number) => go((index + photos.length) % photos.length);
  const targets: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: photos.length - 1,
  };
  return (
    <Dialog
      label={`Photos of ${title}`}
      className="viewer"
      close={close}
      onKeyDown={(event) => {
        const target = targets[event.key];
        if (target === undefined) return;
        event.preventDefault();
        to(target);
      }}
    >
      <figure>
        <Picture key={photo.id} url={photo.url} description={caption?.text ?? title} id={id} isFirst />
        <figcaption aria-live="polite">
          <span class="position pill digits">
            {at + 1} of {photos.length}
          </span>{' '}
          {caption && <span {...languageProps(caption)}>{caption.text}</span>}
        </figcaption>
      </figure>
      {photos.length > 1 && (
        <>
          <IconButton
            icon={BackIcon}
            label="Previous photo"
            look="round-button back"
            act={() => to(at - 1)}
          />
          <IconButton
            icon={ForwardIcon}
            label="Next photo"
            look="round-button forward"
            act={() => to(at + 1)}
          />
        </>
      )}
    </Dialog>
  );
}
