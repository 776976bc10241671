import { licensesName } from 'virtual:prepared-names';
import type { Contact } from '../contract/about-catalogue.ts';
import { EXPLORER_FOLDER } from '../contract/object-keys.ts';
import { useCatalogue } from './catalogue.ts';

export function PageFooter() {
  const { about, sources, license } = useCatalogue().settings;
  return (
    <footer class="page-footer">
      {about.description && <p class="about">{about.description}</p>}
      {about.contact && <ContactLine contact={about.contact} />}
      {sources.length > 0 && (
        <section aria-labelledby="sources">
          <h2 id="sources">Sources of the data</h2>
          <ul>
            {sources.map(({ text, url }) => (
              <li key={text}>{url ? <a href={url}>{text}</a> : text}</li>
            ))}
          </ul>
        </section>
      )}
      <p>
        {license && (
          <>
            Licence of the data: <a href={license.url}>{license.name}</a>.{' '}
          </>
        )}
        Outlines on maps: Natural Earth.{' '}
        <a href={`${EXPLORER_FOLDER}/${licensesName}`}>Licences of the software</a>
      </p>
    </footer>
  );
}

function ContactLine({ contact: { name, email, url } }: { contact: Contact }) {
  return (
    <p class="about">
      Contact: {name && !url && `${name}, `}
      {url && <a href={url}>{name ?? url}</a>}
      {url && email && ', '}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </p>
  );
}
