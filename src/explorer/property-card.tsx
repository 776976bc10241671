import { useEffect, useRef, useState } from 'preact/hooks';
import type { Summary } from '../contract/property.ts';
import { attributeFacts, hasFactFields } from './attribute-rows.ts';
import { type ShownProperty, useCatalogue } from './catalogue.ts';
import { useNavigation, viewLinkProps } from './navigation.ts';
import { Picture } from './picture.tsx';
import { useLoaded } from './use-loaded.ts';
import type { View } from './view.ts';

type CardProps = {
  readonly summary: Summary;
  readonly view: View;
  /** Number of the result, on this page and on the map. */
  readonly number: number;
  readonly countryName: string;
  readonly isActive: boolean;
  readonly setActive: (id: string | undefined) => void;
};

export function cardId(property: string): string {
  return `property-${property}`;
}

export function PropertyCard({ summary, view, number, countryName, isActive, setActive }: CardProps) {
  const navigation = useNavigation();
  const { language, fields = {} } = useCatalogue().settings;
  const { id, title, city, thumbnail } = summary;
  const element = useRef<HTMLLIElement>(null);
  const property = useSeenProperty(element, hasFactFields(fields) ? id : undefined);
  const facts = attributeFacts(property?.attributes ?? {}, fields).slice(0, FACTS_SHOWN);
  return (
    <li
      ref={element}
      class={`card panel${isActive ? ' active' : ''}`}
      onMouseEnter={() => setActive(id)}
      onMouseLeave={() => setActive(undefined)}
      onFocusCapture={() => setActive(id)}
      onBlurCapture={() => setActive(undefined)}
    >
      <div class="card-picture">
        <Picture key={thumbnail} url={thumbnail} description="" id={id} isFirst={number <= 6} />
      </div>
      <span class="number digits" aria-hidden="true">
        {number}
      </span>
      <div class="card-text">
        <h2>
          <a
            id={cardId(id)}
            class="whole-link"
            lang={language}
            {...viewLinkProps(navigation, { ...view, property: id })}
          >
            {title}
          </a>
        </h2>
        <p class="quiet">
          {city}, {countryName}
        </p>
        {hasFactFields(fields) && (
          <ul class="facts" aria-label={facts.length > 0 ? 'Facts' : undefined}>
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

const FACTS_SHOWN = 2;

function useSeenProperty(element: { readonly current: Element | null }, id: string | undefined) {
  const catalogue = useCatalogue();
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (id === undefined || isSeen) return;
    const watch = new IntersectionObserver(
      (entries) => setSeen(entries.some((entry) => entry.isIntersecting)),
      {
        rootMargin: '200px',
      },
    );
    watch.observe(element.current!);
    return () => watch.disconnect();
  }, [id, isSeen]);
  const key = isSeen && id !== undefined ? `property ${id}` : undefined;
  return useLoaded<ShownProperty>(key, (signal) => catalogue.property(id!, signal), catalogue.cache).value;
}
