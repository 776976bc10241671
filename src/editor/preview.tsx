/** A preview of the property as its page in the explorer, with the form's values. */
import { useMemo } from 'preact/hooks';
import { METHOD_TYPES } from '../contract/method-types.ts';
import type { Property } from '../contract/property.ts';
import { CatalogueContext, createCatalogue } from '../explorer/catalogue.ts';
import { HouseIcon } from '../explorer/icons.tsx';
import { type Arrival, NavigationContext } from '../explorer/navigation.ts';
import { PropertyView } from '../explorer/property-page.tsx';
import { createStore, useStore } from '../explorer/store.ts';
import { START, viewQuery } from '../explorer/view.ts';
import { useEditor } from './editing-context.ts';
import { useForm } from './form-context.ts';
import { usePhotos } from './photos.ts';
import { entriesAt, type Values } from './snapshots.ts';
import { textAt } from './values.ts';

const ARRIVAL: Arrival = {
  view: START,
  by: 'start',
  focus: 'stay',
  focused: null,
  scroll: 0,
  from: undefined,
};

export function Preview({ id }: { id: string }) {
  const { settings } = useEditor().catalogue;
  const { values } = useForm();
  const { store, urlOf } = usePhotos();
  useStore(store);
  const catalogue = useMemo(() => createCatalogue(settings, new URL('/', location.href).href), [settings]);
  const navigation = useMemo(
    () => ({
      ...createStore(ARRIVAL),
      // Links in the preview open the served catalogue.
      go: (view: Parameters<typeof viewQuery>[0]) => void open(`/${viewQuery(view)}`, '_blank', 'noopener'),
    }),
    [],
  );
  const property = { ...published(values), photo: photosOf(values, urlOf) };
  if (!property.title && !property.city && !property.country && property.photo.length === 0) {
    return (
      <div class="preview-empty quiet">
        <HouseIcon />
        <p>The page of the property appears here while you write.</p>
      </div>
    );
  }
  const titled = { ...property, title: property.title || 'No title yet' };
  return (
    <CatalogueContext.Provider value={catalogue}>
      <NavigationContext.Provider value={navigation}>
        <article class="property stack loose">
          <PropertyView property={titled} id={id} countries={undefined} heading="h2" />
        </article>
      </NavigationContext.Provider>
    </CatalogueContext.Provider>
  );
}

/** Converts the form's values to a published property, including invalid values as far as they can be shown. */
function published(values: Values): Omit<Property, 'photo'> {
  const text = (name: string) => textAt(values, [name]);
  const of = <Entry,>(list: string) => entriesAt(values, list) as readonly Partial<Entry>[];
  const coordinate = (name: string) => (Number.isFinite(Number(text(name))) ? text(name) : '');
  return {
    title: text('title'),
    currency: text('currency'),
    email: text('email'),
    phone: text('phone'),
    zip_code: text('zip_code'),
    city: text('city'),
    state: text('state'),
    address: text('address'),
    country: text('country'),
    latitude: coordinate('latitude'),
    longitude: coordinate('longitude'),
    facilities: entriesAt(values, 'facilities').map(String),
    hotel_policy: of<Record<'policy_type' | 'detail', string>>('hotel_policy').map(
      ({ policy_type = '', detail = '' }) => ({ policy_type, detail }),
    ),
    payment_method: of<Record<'is_enabled' | 'method_type', string>>('payment_method').map(
      ({ is_enabled, method_type }) => ({
        is_enabled: is_enabled === 'true',
        method_type: METHOD_TYPES.find((type) => type === method_type) ?? METHOD_TYPES[0],
      }),
    ),
  };
}

/** Returns the form's photos with preview URLs; published URLs exist only after the next build. */
function photosOf(values: Values, urlOf: (file: string) => string | undefined): Property['photo'] {
  const entries = entriesAt(values, 'photo') as readonly {
    file?: string;
    url?: string;
    description?: string;
  }[];
  return entries.flatMap(({ file = '', url: link, description }, index) => {
    const url = link && URL.canParse(link) ? link : urlOf(file);
    const position = index + 1;
    return url ? [{ id: `${position} ${file}`, url, description: description || null, position }] : [];
  });
}
