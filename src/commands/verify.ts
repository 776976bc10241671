/** `catalogue verify`. */
import { openDist } from '../publish/dist-source.ts';
import { reportVerify } from '../report/verify.ts';
import { verifyDeployment } from '../verify/verify.ts';
import { apiKeyOf } from './api-key.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type VerifyArguments = {
  out?: string;
  all: boolean;
  sample: number;
  format: 'pretty' | 'json';
};

/** Checks a live catalogue and reports. Returns the exit code: 1 for any difference, 2 when no list could be seen. */
export async function runVerify(baseUrl: string, args: VerifyArguments): Promise<number> {
  const { out, all, sample, format } = args;
  const expected = out === undefined ? undefined : (await openDist(out)).release.bytes;
  const apiKey = apiKeyOf();
  const result = await verifyDeployment(baseUrl, { all, sample, expected, apiKey });
  reportVerify(result, format, terminal());
  if (result.differences.length > 0) return 1;
  return result.hasSeenLists ? 0 : 2;
}
