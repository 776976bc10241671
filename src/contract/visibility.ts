/** `draft`, `live_from` and `live_until` decide whether a property is shown. They are not published themselves. */
import { DAY } from './rfc3339-time.ts';

/** Instants are milliseconds since 1970 in UTC. */
export type Visibility = {
  readonly draft?: true;
  readonly from?: number;
  /** The property is shown until just before this instant. */
  readonly until?: number;
};

/** An empty text counts as absent. */
export type VisibilityFields = {
  readonly draft?: string | undefined;
  readonly live_from?: string | undefined;
  readonly live_until?: string | undefined;
};

/** A date (ISO 8601), or a time with offset (RFC 3339, 5.6). */
const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/**
 * Milliseconds since 1970; undefined for a text that is neither a date nor a time with an offset. A date starts at
 * midnight in UTC.
 */
export function parseInstant(text: string): number | undefined {
  const day = TIME.exec(text)?.[1];
  if (day === undefined) return undefined;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // `Date.parse` interprets 30 February as 2 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  return Date.parse(text);
}

function endOf(text: string): number | undefined {
  const start = parseInstant(text);
  return start !== undefined && text.length === 'yyyy-mm-dd'.length ? start + DAY : start;
}

/** Undefined for a property that is always shown. An invalid value counts as absent. */
export function visibilityOf({ draft, live_from, live_until }: VisibilityFields): Visibility | undefined {
  const from = live_from ? parseInstant(live_from) : undefined;
  const until = live_until ? endOf(live_until) : undefined;
  if (draft !== 'true' && from === undefined && until === undefined) return undefined;
  return {
    ...(draft === 'true' && { draft: true as const }),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  };
}

export type HiddenReason = 'draft' | 'early' | 'over';

/** Undefined if the property is shown. */
export function hiddenReasonAt(
  visibility: Visibility | undefined,
  instant: number,
): HiddenReason | undefined {
  if (!visibility) return undefined;
  const { draft, from, until } = visibility;
  if (draft) return 'draft';
  if (from !== undefined && instant < from) return 'early';
  return until !== undefined && instant >= until ? 'over' : undefined;
}

/**
 * True if the period is empty or ends before it begins, so that the property would never be shown. False if a value is
 * absent or invalid.
 */
export function isReversedPeriod(fields: {
  readonly live_from?: unknown;
  readonly live_until?: unknown;
}): boolean {
  const { live_from, live_until } = fields;
  if (typeof live_from !== 'string' || typeof live_until !== 'string') return false;
  const { from, until } = visibilityOf({ live_from, live_until }) ?? {};
  return from !== undefined && until !== undefined && until <= from;
}
