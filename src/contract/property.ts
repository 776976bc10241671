/** What the API publishes (specification, "Resources and their fields"). Keys stand in the published order. */
import * as z from 'zod';
import { METHOD_TYPES } from './method-types.ts';

/** A published photo. */
const photoSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Unique identifier of the image.' }),
    url: z.url().meta({ description: 'Publicly accessible direct link to the image file.' }),
    description: z.string().nullable().meta({
      description: 'Alternative text or caption; null when the data source gives none.',
    }),
    position: z.int().min(1).meta({ description: 'Display order from 1; lower numbers display first.' }),
  })
  .meta({ id: 'Photo', description: 'A photo of a property.' });

/** A published policy. */
const policySchema = z
  .strictObject({
    policy_type: z.string().meta({
      description: 'Short code of the policy type.',
      examples: ['check_in', 'check_out', 'cancellation', 'no_show'],
    }),
    detail: z.string().meta({ description: 'Human-readable explanation of the policy.' }),
  })
  .meta({ id: 'Policy', description: 'A policy of a property.' });

/** A published payment method. */
const paymentMethodSchema = z
  .strictObject({
    is_enabled: z.boolean().meta({ description: 'Whether the method is currently accepted.' }),
    method_type: z.enum(METHOD_TYPES).meta({
      description:
        '`direct`: payment handled directly, for example through a payment gateway; `property`: payment handled on site or through the property owner.',
    }),
  })
  .meta({ id: 'PaymentMethod', description: 'A payment method of a property.' });

/** The detail answer. */
export const propertySchema = z
  .strictObject({
    title: z.string().meta({ description: 'Human-readable name of the property.' }),
    currency: z.string().meta({ description: 'ISO 4217 currency code for price-related fields.' }),
    email: z
      .string()
      .meta({ description: 'Primary contact e-mail for booking inquiries; empty when unknown.' }),
    phone: z.string().meta({
      description: 'Primary contact phone number, including country code; empty when unknown.',
    }),
    zip_code: z.string().meta({ description: 'Postal code; empty when unknown.' }),
    city: z.string().meta({ description: 'City.' }),
    state: z.string().meta({ description: 'State, region or province; empty when unknown.' }),
    address: z.string().meta({ description: 'Street-level address or neighborhood; empty when unknown.' }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2 country code.' }),
    latitude: z
      .string()
      .meta({ description: 'Latitude in decimal degrees, carried as a string for precision.' }),
    longitude: z
      .string()
      .meta({ description: 'Longitude in decimal degrees, carried as a string for precision.' }),
    facilities: z.array(z.string()).meta({ description: 'Facility identifiers or names.' }),
    photo: z.array(photoSchema).meta({ description: 'Photos, in ascending position order.' }),
    hotel_policy: z.array(policySchema).meta({ description: 'Policies.' }),
    payment_method: z.array(paymentMethodSchema).meta({ description: 'Supported payment methods.' }),
  })
  .meta({ id: 'Property', description: 'All that the catalogue holds about one property.' });

/** An entry of the list answer. */
export const summarySchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Identifier of the property, for the detail operation.' }),
    title: z.string().meta({ description: 'Name of the property.' }),
    city: z.string().meta({ description: 'City.' }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2 country code.' }),
    thumbnail: z.url().nullable().meta({ description: 'Thumbnail link; null when there is none.' }),
  })
  .meta({ id: 'Summary', description: 'One property, as the list shows it.' });

/** The list answer. */
export const pageSchema = z
  .strictObject({
    data: z.array(summarySchema).meta({ description: 'The properties of the requested page.' }),
    meta: z.strictObject({
      pagination: z.strictObject({
        current_page: z.int().min(1).meta({ description: 'Current page.' }),
        per_page: z.int().min(1).max(100).meta({ description: 'Results per page.' }),
        total_entries: z.int().min(0).meta({ description: 'Total number of matching entries.' }),
      }),
    }),
  })
  .meta({ id: 'Page', description: 'One page of a list.' });

/** The detail answer. */
export type Property = z.output<typeof propertySchema>;
/** A published photo. */
export type Photo = z.output<typeof photoSchema>;
/** An entry of the list answer. */
export type Summary = z.output<typeof summarySchema>;
/** The list answer. */
export type Page = z.output<typeof pageSchema>;
