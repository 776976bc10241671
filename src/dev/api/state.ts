/** Whether a property is published: now, never, from a later time on, no longer. */
import { hiddenBecause, type Reason, type Visibility } from '../../contract/visibility.ts';
import type { PublicationState } from '../../editor/api.ts';

const STATES: Readonly<Record<Reason, PublicationState>> = {
  draft: 'draft',
  early: 'scheduled',
  over: 'ended',
};

export function stateAt(visibility: Visibility | undefined, instant: number): PublicationState {
  const reason = hiddenBecause(visibility, instant);
  return reason === undefined ? 'live' : STATES[reason];
}
