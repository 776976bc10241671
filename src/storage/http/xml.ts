import { XMLParser } from 'fast-xml-parser';
import type { ListedObject } from '../bucket.ts';

/** Child elements by name: each is a string or an element. Repeatable elements are always arrays. */
type Element = { readonly [name: string]: unknown };

const parser = new XMLParser({
  ignoreAttributes: true,
  // An object key such as `007` stays a string, and keeps spaces at its ends.
  parseTagValue: false,
  trimValues: false,
  // Servers in Go encode the quotes of an ETag as `&#34;`.
  htmlEntities: true,
  isArray: (name) => name === 'Contents' || name === 'Error' || name === 'Upload',
});

type ErrorElement = {
  readonly code: string;
  readonly message: string;
  readonly key: string;
  readonly region: string;
};

type ListingPage = {
  readonly objects: readonly ListedObject[];
  /** Continuation token; undefined on the last page. */
  readonly next: string | undefined;
};

export function readError(body: Buffer): ErrorElement | undefined {
  const document = parse(body);
  return errorsOf(document)[0] ?? errorsOf(child(document, 'ErrorResponse'))[0];
}

/** Undefined for a document that is not a listing, or for a truncated page without a token. */
export function readListing(body: Buffer): ListingPage | undefined {
  const result = child(parse(body), 'ListBucketResult');
  const next = result && text(result, 'NextContinuationToken');
  const isTruncated = result && text(result, 'IsTruncated') === 'true';
  if (!result || (isTruncated && !next)) return undefined;
  const isEncoded = text(result, 'EncodingType') === 'url';
  return {
    objects: children(result, 'Contents').map((object) => ({
      key: isEncoded ? decode(text(object, 'Key')) : text(object, 'Key'),
      tag: text(object, 'ETag'),
      size: Number(text(object, 'Size')),
      modified: new Date(text(object, 'LastModified')),
    })),
    next: isTruncated ? next : undefined,
  };
}

type UploadsPage = {
  /** `begun` is an invalid date where the store names none. */
  readonly uploads: readonly { readonly key: string; readonly uploadId: string; readonly begun: Date }[];
  /** Query parameters of the next page; undefined on the last one. */
  readonly next: Readonly<Record<string, string>> | undefined;
};

export function readUploads(body: Buffer): UploadsPage | undefined {
  const result = child(parse(body), 'ListMultipartUploadsResult');
  if (!result) return undefined;
  const isEncoded = text(result, 'EncodingType') === 'url';
  const named = (name: string) => (isEncoded ? decode(text(result, name)) : text(result, name));
  const next = {
    'key-marker': named('NextKeyMarker'),
    'upload-id-marker': text(result, 'NextUploadIdMarker'),
  };
  return {
    uploads: children(result, 'Upload').map((upload) => ({
      key: isEncoded ? decode(text(upload, 'Key')) : text(upload, 'Key'),
      uploadId: text(upload, 'UploadId'),
      begun: new Date(text(upload, 'Initiated')),
    })),
    next: text(result, 'IsTruncated') === 'true' && next['key-marker'] ? next : undefined,
  };
}

export function readDeleteResult(body: Buffer): readonly ErrorElement[] | undefined {
  const document = parse(body);
  // The parser returns an empty string for a `DeleteResult` without errors.
  return document && 'DeleteResult' in document ? errorsOf(child(document, 'DeleteResult')) : undefined;
}

/** Empty if the document has no such element. */
export function readText(body: Buffer, root: string, name: string): string {
  const parent = child(parse(body), root);
  return parent ? text(parent, name) : '';
}

export function escapeXml(value: string): string {
  return value.replace(/[&<>"'\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function parse(body: Buffer): Element | undefined {
  try {
    return parser.parse(body) as Element;
  } catch {
    return undefined;
  }
}

function errorsOf(parent: Element | undefined): ErrorElement[] {
  return children(parent, 'Error').map((error) => ({
    code: text(error, 'Code'),
    message: text(error, 'Message'),
    key: text(error, 'Key'),
    region: text(error, 'Region'),
  }));
}

function children(parent: Element | undefined, name: string): Element[] {
  const found = parent?.[name];
  return Array.isArray(found) ? found.filter(isElement) : [];
}

function child(parent: Element | undefined, name: string): Element | undefined {
  const found = parent?.[name];
  return isElement(found) ? found : undefined;
}

function text(parent: Element, name: string): string {
  const found = parent[name];
  return typeof found === 'string' ? found : '';
}

function isElement(value: unknown): value is Element {
  return typeof value === 'object' && !Array.isArray(value);
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key.replace(/\+/g, ' '));
  } catch {
    // The store claims to encode keys, but does not.
    return key;
  }
}
