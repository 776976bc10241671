import { useMemo } from 'preact/hooks';
import { localized } from '../contract/localized.ts';
import { CatalogueContext, createCatalogue } from '../explorer/catalogue.ts';
import { HouseIcon } from '../explorer/icons.tsx';
import { NavigationContext, type NavigationEntry } from '../explorer/navigation.ts';
import { PropertyView } from '../explorer/property-page.tsx';
import { createValueStore, useStore } from '../explorer/value-store.ts';
import { formatViewQuery, START_VIEW } from '../explorer/view.ts';
import { useEditor } from './editing-context.ts';
import { useForm } from './form-context.ts';
import { usePhotos } from './form-photos.ts';
import { toShownProperty } from './shown-property.ts';

const ARRIVAL: NavigationEntry = {
  view: START_VIEW,
  by: 'start',
  focus: 'stay',
  focused: null,
  scroll: 0,
  from: undefined,
};

/** Shown instead of a photo that is still loading, so that nothing moves once it is loaded. */
const EMPTY = URL.createObjectURL(
  new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' }),
);

export function PropertyPreview({ id }: { id: string }) {
  const { settings, fields } = useEditor().catalogue;
  const { values, language } = useForm();
  const { store, urlOf } = usePhotos();
  useStore(store);
  const catalogue = useMemo(() => createCatalogue(settings, new URL('/', location.href).href), [settings]);
  const navigation = useMemo(
    () => ({
      ...createValueStore(ARRIVAL),
      go: (view: Parameters<typeof formatViewQuery>[0]) =>
        void open(`/${formatViewQuery(view)}`, '_blank', 'noopener'),
    }),
    [],
  );
  const property = toShownProperty(
    values,
    fields,
    settings.languages,
    (file) => urlOf(file) ?? (file ? EMPTY : undefined),
  );
  if (!property.title && !property.city && !property.country && property.photo.length === 0) {
    return (
      <div class="preview-empty quiet">
        <HouseIcon />
        <p>The page of the property appears here while you write.</p>
      </div>
    );
  }
  const titled = { ...property, title: property.title || 'No title yet' };
  const [first = settings.language] = settings.languages ?? [];
  const texts = localized(titled, language ? [language] : first ? [first] : [], first);
  return (
    <CatalogueContext.Provider value={catalogue}>
      <NavigationContext.Provider value={navigation}>
        <article class="property stack loose">
          <PropertyView property={titled} texts={texts} id={id} countries={undefined} heading="h2" />
        </article>
      </NavigationContext.Provider>
    </CatalogueContext.Provider>
  );
}
