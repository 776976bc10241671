import { useMemo } from 'preact/hooks';
import { countryName, phoneText, shortDegrees } from '../contract/display-text.ts';
import type { Countries } from '../contract/document-schemas.ts';
import type { LocalizedTexts } from '../contract/localized.ts';
import type { Property } from '../contract/property.ts';
import { attributeFacts, attributeLink } from './attribute-rows.ts';
import { type ShownProperty, useCatalogue } from './catalogue.ts';
import { CopyButton } from './copy-button.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { ForDevelopers } from './for-developers.tsx';
import { Gallery } from './gallery.tsx';
import { BackIcon, MailIcon, PhoneIcon, PinIcon } from './icons.tsx';
import type { NumberedResults } from './map.ts';
import { MapView } from './map-view.tsx';
import { type NavigationEntry, useNavigation, viewLinkProps } from './navigation.ts';
import {
  BookingActions,
  BookingLink,
  PropertyMain,
  PropertySection,
  RegistrationNumber,
} from './property-main.tsx';
import { LanguageChoice, languageProps, TextsContext, useLocalized, useTexts } from './property-texts.tsx';
import { useScrollAndFocus } from './scroll-and-focus.ts';
import { useLoaded } from './use-loaded.ts';
import { START_VIEW } from './view.ts';

const MISSING = 'This property cannot be shown';

type PropertyPageProps = { readonly arrival: NavigationEntry; readonly countries: Countries | undefined };

export function PropertyPage({ arrival, countries }: PropertyPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const navigation = useNavigation();
  const id = view.property;
  const loaded = useLoaded<ShownProperty>(
    `property ${id}`,
    (signal) => catalogue.property(id, signal),
    catalogue.cache,
  );
  const property = loaded.value;
  const texts = useLocalized(property);
  useScrollAndFocus(arrival, texts?.title.text ?? (loaded.error ? MISSING : undefined));
  return (
    <article class="property stack loose" aria-busy={loaded.isLoading}>
      <div class="property-bar flow">
        <a class="back" {...viewLinkProps(navigation, { ...view, property: '' })}>
          <BackIcon />
          All results
        </a>
        {property && texts && <LanguageChoice property={property} texts={texts} />}
      </div>
      {loaded.error !== undefined && (
        <>
          <h1 tabIndex={-1}>{MISSING}</h1>
          <FailureNotice error={loaded.error} retry={loaded.retry} />
        </>
      )}
      {!property && loaded.isLoading && <PropertyToCome />}
      {property && texts && <PropertyView property={property} texts={texts} id={id} countries={countries} />}
      <ForDevelopers purpose="property">{property && <RawJson value={property} />}</ForDevelopers>
    </article>
  );
}

type PropertyViewProps = {
  readonly property: ShownProperty;
  readonly texts: LocalizedTexts;
  readonly id: string;
  readonly countries: Countries | undefined;
  /** @default 'h1' */
  readonly heading?: 'h1' | 'h2';
};

export function PropertyView({ property, texts, id, countries, heading = 'h1' }: PropertyViewProps) {
  return (
    <TextsContext.Provider value={texts}>
      <PropertyHead property={property} countries={countries} heading={heading} />
      <Gallery property={property} id={id} />
      <PropertyBody property={property} id={id} />
    </TextsContext.Provider>
  );
}

type PropertyHeadProps = Pick<PropertyViewProps, 'property' | 'countries' | 'heading'>;

function PropertyHead({ property, countries, heading: Heading = 'h1' }: PropertyHeadProps) {
  const navigation = useNavigation();
  const { fields = {} } = useCatalogue().settings;
  const { title } = useTexts();
  const { lang } = navigation.get().view;
  const facts = attributeFacts(property.attributes ?? {}, fields);
  const { city, state, country, address, zip_code } = property;
  const name = countries?.countries.find(({ code }) => code === country)?.name ?? countryName(country);
  const parts = [address, [zip_code, city].filter(Boolean).join(' '), state === city ? '' : state, name];
  return (
    <header class="property-head stack">
      <Heading tabIndex={-1} {...languageProps(title)}>
        {title.text}
      </Heading>
      {facts.length > 0 && (
        <ul class="facts" aria-label="Facts">
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <p class="address beside">
        <PinIcon />
        {parts.filter(Boolean).join(', ')}
      </p>
      <p class="links">
        {city && <a {...viewLinkProps(navigation, { ...START_VIEW, lang, country, city })}>More in {city}</a>}
        {country && <a {...viewLinkProps(navigation, { ...START_VIEW, lang, country })}>More in {name}</a>}
      </p>
    </header>
  );
}

function PropertyBody({ property, id }: { property: ShownProperty; id: string }) {
  return (
    <div class="property-body">
      <BookingActions property={property} />
      <PropertyMain property={property} />
      <div class="property-side panel stack loose">
        <Contact property={property} />
        {property.latitude && <Location property={property} id={id} />}
      </div>
      <RegistrationNumber property={property} />
      <ContactBar property={property} />
    </div>
  );
}

function ContactBar({ property }: { property: ShownProperty }) {
  const { attributes = {}, email, phone } = property;
  const isBooked = attributeLink(attributes, 'booking_url') !== undefined;
  if (!email && !phone && !isBooked) return null;
  return (
    <p class="contact-bar flow">
      <BookingLink name="booking_url" look="primary" property={property} />
      {phone && (
        <a class={`button${isBooked ? '' : ' primary'}`} href={`tel:${phone}`}>
          <PhoneIcon />
          Call
        </a>
      )}
      {email && (
        <a class="button" href={`mailto:${email}`}>
          <MailIcon />
          Write
        </a>
      )}
    </p>
  );
}

function Contact({ property: { email, phone } }: { property: Property }) {
  if (!email && !phone) return null;
  return (
    <PropertySection title="Contact">
      {email && (
        <p class="contact">
          <MailIcon />
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      {phone && (
        <p class="contact">
          <PhoneIcon />
          <a href={`tel:${phone}`}>{phoneText(phone)}</a>
        </p>
      )}
    </PropertySection>
  );
}

function Location({ property, id }: { property: Property; id: string }) {
  const { mapLink } = useCatalogue().settings;
  const [latitude, longitude] = [property.latitude, property.longitude].map(shortDegrees) as [string, string];
  const link = mapLink.replaceAll('{latitude}', latitude).replaceAll('{longitude}', longitude);
  return (
    <PropertySection title="Location">
      <LocationMap id={id} property={property} />
      <p class="links">
        <a href={link} rel="noreferrer">
          Map at {new URL(link).host.replace(/^www\./, '')}
        </a>
        <a href={`geo:${latitude},${longitude}`}>Open in a map app</a>
      </p>
      <p class="quiet coordinates flow digits">
        {latitude}, {longitude}
        <CopyButton text={`${latitude},${longitude}`} label="Copy coordinates" short="Copy" />
      </p>
    </PropertySection>
  );
}

function LocationMap({ id, property }: { id: string; property: Property }) {
  const title = useTexts().title.text;
  const { city, country, latitude, longitude } = property;
  const places = useMemo(
    () => [{ title, city, country, latitude: Number(latitude), longitude: Number(longitude), id }],
    [id, title, city, country, latitude, longitude],
  );
  return <MapView label={`Map: where ${title} is`} places={places} numbers={NO_NUMBERS} />;
}

const NO_NUMBERS: NumberedResults = new Map();

function RawJson({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <>
      <p class="beside">
        <strong>Raw JSON</strong>
        <CopyButton text={text} label="Copy JSON" />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="source" tabIndex={0} aria-label="Raw JSON">
        <pre>{text}</pre>
      </section>
    </>
  );
}

function PropertyToCome() {
  return (
    <div class="to-come" aria-hidden="true">
      <span class="line title" />
      <span class="line short" />
      <span class="picture wide" />
    </div>
  );
}
