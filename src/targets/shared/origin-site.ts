/** The server of files behind a target that has none of its own: what its README says of it, and an example. */

import type { TargetFile } from '../target.ts';
import { commands, SERVER_FOLDER } from './readme.ts';

/** Where the example listens. */
export const ORIGIN_PORT = 8081;

/** A site of nginx that hands out files, and nothing else. */
export const ORIGIN_SITE: TargetFile = {
  path: 'origin.conf',
  content: `# The files, for this machine alone. Copy this to /etc/nginx/sites-enabled/catalogue-origin.
server {
    listen 127.0.0.1:${ORIGIN_PORT};
    root ${SERVER_FOLDER}/public;
    gzip off;
}
`,
};

/** How to set it up with nginx, given the folder of the target below `dist/edge`. */
export function originStep(folder: string): string {
  return `Let a server of plain files, with entity tags and without compression, hand out the catalogue to this machine alone (the origin). With nginx:${commands(
    'apt-get install nginx',
    `mkdir -p ${SERVER_FOLDER}/public`,
    `cp dist/edge/${folder}/origin.conf /etc/nginx/sites-enabled/catalogue-origin`,
    'nginx -t && systemctl reload nginx',
  )}`;
}

/** What to do about an origin that is a bucket; `host` says how it is told by its name. */
export function bucketStep(host: string): string {
  return `An origin may also be a bucket. S3 answers 403 for a key that it does not have to those who may not list it, which is taken for a fault: every empty page would be a 502. Grant \`s3:ListBucket\`, so that it answers 404; or else set \`origin: bucket\` in \`catalogue.yaml\` and build again, so that 403 and 410 mean that there is no file. ${host}`;
}
