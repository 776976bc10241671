/** Checks a host that ignores queries and only serves files: documents, properties, pages and images by path. */
import { EXPLORER_KEY } from '../contract/document-keys.ts';
import { mediaType } from '../contract/headers.ts';
import { pageKey, propertyKey } from '../contract/object-keys.ts';
import { isTreeKey } from '../contract/object-kinds.ts';
import { digestOf } from '../release/digest.ts';
import { type Release, readDetail } from '../release/release.ts';
import { type BodyCheck, digestCheck, documentCheck, pageCheck } from './expectation.ts';
import { pagesToCheck, type VerifyExtent } from './requests.ts';
import { excerpt, expectHeaders, type LiveCatalogue, sendOrReport, type VerifyContext } from './response.ts';

/** True if the live explorer is the release's own and is the variant that reads files. */
export async function servesOnlyFiles(
  { client, origin, base }: LiveCatalogue,
  { documents }: Release,
): Promise<boolean> {
  const digest = documents[EXPLORER_KEY];
  if (digest === undefined) return false;
  const { body } = await client.send({ method: 'GET', url: `${origin}${base}/${EXPLORER_KEY}` });
  return digestOf(body) === digest && body.includes('&quot;isStatic&quot;:true');
}

type FileCheck = {
  readonly key: string;
  /** Resolves to undefined for a file that may be missing. */
  readonly fault: () => Promise<BodyCheck | undefined>;
  readonly seen?: Set<string>;
};

export function* staticFileChecks(
  { release, seen }: VerifyContext,
  extent: VerifyExtent,
  ids: readonly string[],
): Generator<FileCheck> {
  for (const key of Object.keys(release.documents))
    if (!isTreeKey(key)) yield { key, fault: async () => documentCheck(release, key) };
  if (!release.hasPages) return;
  for (const id of ids) {
    const fault = async () => digestCheck(digestOf((await readDetail(release, id)) ?? ''));
    yield { key: propertyKey(id), fault, seen: seen.properties };
  }
  for (const page of pagesToCheck(release, extent)) {
    const key = pageKey(page.folder, page.size, page.number);
    yield { key, fault: () => pageCheck(release, page), seen: seen.pages };
  }
}

/** Browsers need the right media type for these files. The other headers of a static host are up to its owner. */
const TYPED = /\.(?:html|css|js)$/;

export async function checkStaticFile(
  { client, origin, base, seen: { lists, pages }, report }: VerifyContext,
  { key, fault: faultOf, seen }: FileCheck,
): Promise<void> {
  const fault = await faultOf();
  if (!fault) return;
  const url = `${origin}${base}/${key}`;
  const differ = report(`GET ${url}`);
  const answer = await sendOrReport(client, { method: 'GET', url }, differ);
  if (!answer) return;
  if (answer.status !== 200) {
    differ('status', '200', String(answer.status));
    return;
  }
  seen?.add(key);
  if (seen === pages) lists.add(key);
  if (TYPED.test(key)) expectHeaders(answer, [['Content-Type', mediaType(key)]], differ);
  const expected = fault(answer.body);
  if (expected) differ('body', expected, excerpt(answer.body));
}
