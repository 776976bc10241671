import { guessLatitude, guessLongitude } from '../contract/degrees.ts';

type PastedPlace = { readonly latitude: string; readonly longitude: string };

export type PlaceInput = PastedPlace | { readonly name: string } | { readonly problem: string };

/**
 * Reads `53.27, -9.05`, `53°16′19″N 9°2′56″W`, a `geo:` link (RFC 5870) or a map's link. Any other text with two
 * letters in a row is a name, unless it is a link.
 */
export function readPlace(text: string): PlaceInput {
  const given = text.trim();
  const isLink = /^(?:geo|https?):/i.test(given) || /^(?:www\.|[a-z.]+\/\S*[@#?])/i.test(given);
  const place = isLink ? inLink(given) : pairOf(given);
  if (place) return place;
  if (/(?:goo\.gl|maps\.app|osm\.org\/go|bit\.ly)\//i.test(given)) {
    return {
      problem:
        'This short link does not contain the place. Open it, and copy the address of the page that it leads to.',
    };
  }
  if (isLink) {
    return {
      problem:
        'This link does not contain coordinates. In the map, choose the exact place, and copy the link again.',
    };
  }
  if (/\p{L}{2}/u.test(given)) return { name: given };
  return {
    problem:
      'Write a town, or latitude and longitude, such as 53.27194, -9.04889, or paste a link from a map.',
  };
}

const IN_LINK: readonly RegExp[] = [
  /^geo:0(?:\.0+)?,0(?:\.0+)?\?(?:.*&)?q=([^&(]+)/i,
  /^geo:([^;?]+)/i,
  /!3d(-?[\d.]+)!4d(-?[\d.]+)/,
  /[?&]mlat=([^&#]+)&mlon=([^&#]+)/i,
  /[?&](?:q|query|ll|daddr|destination|coordinate|cp|sll|center)=(?:loc:|point\.)?([^&#]+)/i,
  /[?&]lat(?:itude)?=([^&#]+)&(?:lon|lng|long|longitude)=([^&#]+)/i,
  /\/(?:place|search|dir)\/([^/?@]+)/,
  /\/@(-?[\d.]+,-?[\d.]+)(?:,|$)/,
  /#map=[\d.]+\/(-?[\d.]+)\/(-?[\d.]+)/,
];

function inLink(link: string): PastedPlace | undefined {
  for (const form of IN_LINK) {
    const [, first, second] = form.exec(link) ?? [];
    if (first === undefined) continue;
    const text = decoded(second === undefined ? first : `${first}, ${second}`);
    const place = text === undefined ? undefined : pairOf(text);
    if (place) return place;
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function pairOf(text: string): PastedPlace | undefined {
  for (const separator of SEPARATORS) {
    const [first = '', second, ...more] = text.trim().split(separator);
    if (second === undefined || more.length > 0) continue;
    const place = inOrder(first, second) ?? inOrder(second, first, true);
    if (place) return place;
  }
  return undefined;
}

const SEPARATORS = [/\s*[;~|]\s*/, /\s*,\s+|\s+,\s*/, /(?<=[NSEW])\s*,?\s*(?=[\d+-])/i, /,/, /\s+/];

/** @param isTurned whether longitude came first, which is accepted only with compass letters */
function inOrder(north: string, east: string, isTurned = false): PastedPlace | undefined {
  if (isTurned && !(/[NS]/i.test(north) && /[EW]/i.test(east))) return undefined;
  const [latitude, longitude] = [guessLatitude(north), guessLongitude(east)];
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}
