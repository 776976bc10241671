import type { PublicationState } from './api.ts';

const WORDS: Readonly<Record<Exclude<PublicationState, 'live'>, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  ended: 'Ended',
};

export function StateBadge({ state }: { state: PublicationState }) {
  return state === 'live' ? null : <span class={`badge ${state}`}>{WORDS[state]}</span>;
}
