import type { AuthoredProperty } from '../../contract/authored.ts';
import { formatNumber } from '../../text/amounts.ts';
import { type ImportFinding, warningFinding } from '../finding.ts';
import type { FieldChange } from './field-merge.ts';

/** In kilometres. A correction within a town, or within the area of a postal code, moves a property less far. */
const MIN_DISTANCE = 50;
const PER_DEGREE = 111.2;

/** Returns a warning if a file's coordinates moved far, although its country, town and postal code are unchanged. */
export function distantMoveFindings(
  changes: readonly FieldChange[],
  { latitude, longitude, city }: AuthoredProperty,
): ImportFinding[] {
  const changeOf = (name: string) => changes.find(({ field }) => field === name);
  const [north, east] = [changeOf('latitude'), changeOf('longitude')];
  if (!(north || east) || ['country', 'city', 'zip_code'].some(changeOf)) return [];
  const from = [north?.from ?? latitude, east?.from ?? longitude];
  if (from.some((one) => !one) || !latitude || !longitude) return [];
  const [oldNorth = 0, oldEast = 0] = from.map(Number);
  const [upward, across] = [Number(latitude) - oldNorth, Number(longitude) - oldEast];
  const distance = PER_DEGREE * Math.hypot(upward, across * Math.cos((oldNorth * Math.PI) / 180));
  if (!(distance >= MIN_DISTANCE)) return [];
  const kilometres = formatNumber(Math.round(distance));
  const message = `The property moves ${kilometres} km, from ${from.join(', ')} to ${latitude}, ${longitude}, but its town is still ${city}.`;
  return [warningFinding('distant-move', message, 'Check the coordinates in the source.', 'latitude')];
}
