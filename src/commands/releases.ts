/** `catalogue releases`. */
import { describeReleases } from '../publish/archive/list.ts';
import { type PublishFormat, reportReleases } from '../report/publish.ts';
import { openTarget } from '../storage/open.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type ReleasesArguments = { endpoint?: string; region?: string; format: PublishFormat };

/** Lists the releases of a bucket. Returns the exit code. */
export async function runReleases(target: string, args: ReleasesArguments): Promise<number> {
  const { bucket, close } = await openTarget(target, args);
  try {
    reportReleases(bucket.name, await describeReleases(bucket), args.format, terminal());
    return 0;
  } finally {
    close();
  }
}
