import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import type { Property } from '../contract/property.ts';
import { useArrival } from './arrival.ts';
import { useCatalogue } from './catalogue.ts';
import { CopyButton } from './copy-button.tsx';
import { FailureNotice } from './failure.tsx';
import { Gallery } from './gallery.tsx';
import { BackIcon, CheckIcon, CloseIcon, MailIcon, PhoneIcon, PinIcon } from './icons.tsx';
import { useLoaded } from './loaded.ts';
import type { Numbers } from './map.ts';
import { MapView } from './map-view.tsx';
import { type Arrival, linkTo, useNavigation } from './navigation.ts';
import { type DetailRow, detailRows } from './property-rows.ts';
import { ForDevelopers } from './requests.tsx';
import { START } from './view.ts';
import { countryName, currencyName, inWords, shortDegrees } from './words.ts';

/** Heading when the property cannot be loaded. */
const MISSING = 'This property cannot be shown';

type PropertyPageProps = { readonly arrival: Arrival; readonly countries: Countries | undefined };

/** Page of one property. */
export function PropertyPage({ arrival, countries }: PropertyPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const navigation = useNavigation();
  const id = view.property;
  const loaded = useLoaded<Property>(
    `property ${id}`,
    (signal) => catalogue.property(id, signal),
    catalogue.kept,
  );
  const property = loaded.value;
  useArrival(arrival, property?.title ?? (loaded.error ? MISSING : undefined));
  return (
    <article class="property stack loose" aria-busy={loaded.isLoading}>
      <a class="back" {...linkTo(navigation, { ...view, property: '' })}>
        <BackIcon />
        All results
      </a>
      {loaded.error !== undefined && (
        <>
          <h1 tabIndex={-1}>{MISSING}</h1>
          <FailureNotice error={loaded.error} retry={loaded.retry} />
        </>
      )}
      {!property && loaded.isLoading && <PropertyToCome />}
      {property && <PropertyView property={property} id={id} countries={countries} />}
      <ForDevelopers purpose="property">{property && <RawJson value={property} />}</ForDevelopers>
    </article>
  );
}

type PropertyViewProps = {
  readonly property: Property;
  readonly id: string;
  readonly countries: Countries | undefined;
  /** Heading level of its title. @default 'h1' */
  readonly heading?: 'h1' | 'h2';
};

/** Shows a property: title and address, photos, and all other fields. */
export function PropertyView({ property, id, countries, heading = 'h1' }: PropertyViewProps) {
  return (
    <>
      <PropertyHead property={property} countries={countries} heading={heading} />
      <Gallery property={property} id={id} />
      <PropertyBody property={property} id={id} />
    </>
  );
}

function PropertyHead({ property, countries, heading: Heading = 'h1' }: Omit<PropertyViewProps, 'id'>) {
  const navigation = useNavigation();
  const { language } = useCatalogue().settings;
  const { title, city, state, country, address, zip_code } = property;
  const name = countries?.countries.find(({ code }) => code === country)?.name ?? countryName(country);
  const parts = [address, [zip_code, city].filter(Boolean).join(' '), state === city ? '' : state, name];
  return (
    <header class="property-head stack">
      <Heading tabIndex={-1} lang={language}>
        {title}
      </Heading>
      <p class="address beside">
        <PinIcon />
        {parts.filter(Boolean).join(', ')}
      </p>
      <p class="links">
        {city && <a {...linkTo(navigation, { ...START, country, city })}>More in {city}</a>}
        {country && <a {...linkTo(navigation, { ...START, country })}>More in {name}</a>}
      </p>
    </header>
  );
}

function PropertyBody({ property, id }: { property: Property; id: string }) {
  const { facilities, hotel_policy, payment_method } = property;
  const policies = hotel_policy.map(({ policy_type, detail }) => ({
    label: inWords(policy_type),
    value: detail,
  }));
  const { labels } = useCatalogue().settings;
  const rows = detailRows(property, labels);
  const isBare = [facilities, hotel_policy, payment_method, rows].every(({ length }) => length === 0);
  return (
    <div class={`property-body${isBare ? ' bare' : ''}`}>
      {!isBare && (
        <div class="property-main stack">
          {facilities.length > 0 && <Facilities facilities={facilities} />}
          {policies.length > 0 && <Details title="Policies" rows={policies} />}
          {payment_method.length > 0 && <Payment property={property} />}
          {rows.length > 0 && <Details title="Details" rows={rows} />}
        </div>
      )}
      <div class="property-side panel stack loose">
        <Contact property={property} />
        {property.latitude && <Location property={property} id={id} />}
      </div>
    </div>
  );
}

function Facilities({ facilities }: Pick<Property, 'facilities'>) {
  return (
    <Section title="Facilities">
      <ul class="facilities">
        {facilities.map((facility) => (
          <li key={facility}>
            <CheckIcon />
            {inWords(facility)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Labelled texts in the catalogue's language. */
function Details({ title, rows }: { title: string; rows: readonly DetailRow[] }) {
  const { language } = useCatalogue().settings;
  return (
    <Section title={title}>
      <dl class="policies stack">
        {rows.map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd lang={language}>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Payment({ property: { payment_method, currency } }: { property: Property }) {
  return (
    <Section title="Payment">
      <ul class="payments stack">
        {payment_method.map(({ method_type, is_enabled }, index) => (
          <li key={index} class={is_enabled ? 'enabled' : 'disabled'}>
            {is_enabled ? <CheckIcon /> : <CloseIcon />}
            <span>
              {inWords(method_type)}
              <span class="quiet">{is_enabled ? ' – accepted' : ' – not accepted at present'}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">Currency of the prices: {currencyName(currency)}</p>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section stack">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Contact({ property: { email, phone } }: { property: Property }) {
  if (!email && !phone) return null;
  return (
    <Section title="Contact">
      {email && (
        <p class="contact">
          <MailIcon />
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
      {phone && (
        <p class="contact">
          <PhoneIcon />
          <a href={`tel:${phone}`}>{phone}</a>
        </p>
      )}
    </Section>
  );
}

function Location({ property, id }: { property: Property; id: string }) {
  const { mapLink } = useCatalogue().settings;
  const [latitude, longitude] = [property.latitude, property.longitude].map(shortDegrees) as [string, string];
  const link = mapLink.replaceAll('{latitude}', latitude).replaceAll('{longitude}', longitude);
  return (
    <Section title="Location">
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
    </Section>
  );
}

function LocationMap({ id, property }: { id: string; property: Property }) {
  const { title, city, country, latitude, longitude } = property;
  const places = useMemo(
    () => [{ title, city, country, latitude: Number(latitude), longitude: Number(longitude), id }],
    [id, title, city, country, latitude, longitude],
  );
  return <MapView label={`Map: where ${title} is`} places={places} numbers={NO_NUMBERS} />;
}

const NO_NUMBERS: Numbers = new Map();

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
