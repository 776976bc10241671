import { ownValue } from '../values/own-value.ts';

/** Says what failed and what to do. The caller puts a colon before the text and a full stop after it. */
export function networkErrorReason({ code = '', message }: NodeJS.ErrnoException): string {
  return ownValue(REASONS, code) ?? `${message}. Check the URL and the network`;
}

const OFFLINE = 'the network does not reach that host. Check the network and the URL';
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server listens there. Start it, or check the URL and its port',
  ENOTFOUND: 'there is no host of that name. Check the URL',
  EAI_AGAIN: OFFLINE,
  EHOSTUNREACH: OFFLINE,
  ENETUNREACH: OFFLINE,
};
