import type { Countries } from '../contract/document-schemas.ts';
import { type Catalogue, CatalogueContext } from './catalogue.ts';
import { type Navigation, NavigationContext } from './navigation.ts';
import { PageFooter } from './page-footer.tsx';
import { PageHeader } from './page-header.tsx';
import { PropertyPage } from './property-page.tsx';
import { ResultsPage } from './results-page.tsx';
import { useLoaded } from './use-loaded.ts';
import { useStore } from './value-store.ts';

export function ExplorerApp({ catalogue, navigation }: { catalogue: Catalogue; navigation: Navigation }) {
  const arrival = useStore(navigation);
  const apiKey = useStore(catalogue.apiKey);
  const key = catalogue.settings.apiKeys && !apiKey ? undefined : `countries ${apiKey}`;
  const countries = useLoaded<Countries>(key, catalogue.countries, catalogue.cache);
  const { view } = arrival;
  return (
    <CatalogueContext.Provider value={catalogue}>
      <NavigationContext.Provider value={navigation}>
        <PageHeader />
        <main id="content" tabIndex={-1}>
          {view.property ? (
            <PropertyPage key={view.property} arrival={arrival} countries={countries.value} />
          ) : (
            <ResultsPage arrival={arrival} countries={countries} />
          )}
        </main>
        <PageFooter />
      </NavigationContext.Provider>
    </CatalogueContext.Provider>
  );
}
