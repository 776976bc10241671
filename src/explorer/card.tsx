import type { Summary } from '../contract/property.ts';
import { useCatalogue } from './catalogue.ts';
import { linkTo, useNavigation } from './navigation.ts';
import { Picture } from './picture.tsx';
import type { View } from './view.ts';

type CardProps = {
  readonly summary: Summary;
  readonly view: View;
  /** Number on this page and on the map. */
  readonly number: number;
  readonly countryName: string;
  readonly isActive: boolean;
  readonly setActive: (id: string | undefined) => void;
};

/** Element id of the link to a property. */
export function cardId(property: string): string {
  return `property-${property}`;
}

/** A property in the list. */
export function Card({ summary, view, number, countryName, isActive, setActive }: CardProps) {
  const navigation = useNavigation();
  const { language } = useCatalogue().settings;
  const { id, title, city, thumbnail } = summary;
  return (
    <li
      class={`card panel${isActive ? ' active' : ''}`}
      onMouseEnter={() => setActive(id)}
      onMouseLeave={() => setActive(undefined)}
      onFocusCapture={() => setActive(id)}
      onBlurCapture={() => setActive(undefined)}
    >
      {!view.name && (
        <div class="card-picture">
          <Picture url={thumbnail} description="" id={id} isFirst={number <= 6} />
        </div>
      )}
      <span class="number digits" aria-hidden="true">
        {number}
      </span>
      <div class="card-text">
        <h2>
          <a
            id={cardId(id)}
            class="whole-link"
            lang={language}
            {...linkTo(navigation, { ...view, property: id })}
          >
            {title}
          </a>
        </h2>
        <p class="quiet">
          {city}, {countryName}
        </p>
      </div>
    </li>
  );
}
