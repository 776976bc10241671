import { useCatalogue } from './catalogue.ts';
import { HouseIcon } from './icons.tsx';
import { useNavigation, viewLinkProps } from './navigation.ts';
import { START_VIEW } from './view.ts';

export function PageHeader() {
  const { settings, pageFolderUrl } = useCatalogue();
  const { about } = settings;
  const navigation = useNavigation();
  return (
    <header class="page-header">
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <a class="brand beside" {...viewLinkProps(navigation, START_VIEW)}>
        {about.logo ? (
          <img class="brand-logo" src={new URL(about.logo, pageFolderUrl).href} alt="" />
        ) : (
          <span class="brand-mark">
            <HouseIcon />
          </span>
        )}
        {about.title}
      </a>
    </header>
  );
}

/** A fragment link would add a history entry, so the focus is moved by script. */
function skip() {
  const place = document.querySelector<HTMLElement>('#content h1') ?? document.getElementById('content');
  place?.focus();
}
