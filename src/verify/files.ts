/** Checks a host that answers no queries: the documents, properties, pages and images that it serves by their paths. */
import { EXPLORER_KEY } from '../contract/document-keys.ts';
import { mediaType } from '../contract/headers.ts';
import { isPackedKey } from '../contract/kinds.ts';
import { pageKey, propertyKey } from '../contract/object-keys.ts';
import { digestOf } from '../release/digest.ts';
import { entryOf, type Release } from '../release/release.ts';
import { ask, excerpt, expectHeaders, type LiveCatalogue, type VerifyContext } from './answer.ts';
import { type BodyFault, digestFault, pageFault } from './expectation.ts';
import { pagesToSee, spread, type VerifyExtent } from './requests.ts';

/** By its explorer, which then reads files. False also if the explorer is missing or a stranger's. */
export async function servesOnlyFiles(
  { client, origin, base }: LiveCatalogue,
  { manifest: { documents } }: Release,
): Promise<boolean> {
  const digest = documents[EXPLORER_KEY];
  if (digest === undefined) return false;
  const { body } = await client.send({ method: 'GET', url: `${origin}${base}/${EXPLORER_KEY}` });
  return digestOf(body) === digest && body.includes('&quot;isStatic&quot;:true');
}

type FileCheck = { readonly key: string; readonly fault: BodyFault; readonly seen?: Set<string> };

export function* filesOf(
  { release, seen }: VerifyContext,
  { all, sample }: VerifyExtent,
): Generator<FileCheck> {
  for (const [key, digest] of Object.entries(release.manifest.documents))
    if (!isPackedKey(key)) yield { key, fault: digestFault(digest) };
  const ids = release.hasPages ? Array.from(release.sequence, ({ id }) => id) : [];
  for (const id of all ? ids : spread(ids, sample)) {
    const fault = digestFault(entryOf(release, id)?.detailDigest);
    yield { key: propertyKey(id), fault, seen: seen.properties };
  }
  for (const page of release.hasPages ? pagesToSee(release, { all, sample }) : []) {
    const fault = pageFault(release, page);
    if (fault) yield { key: pageKey(page.folder, page.size, page.number), fault, seen: seen.pages };
  }
}

/** A browser runs or shows these only with their media type. A host of files sets every other header. */
const TYPED = /\.(?:html|css|js)$/;

export async function checkFile(
  { client, origin, base, seen: { lists }, report }: VerifyContext,
  { key, fault, seen }: FileCheck,
): Promise<void> {
  const url = `${origin}${base}/${key}`;
  const differ = report(`GET ${url}`);
  const answer = await ask(client, { method: 'GET', url }, differ);
  if (!answer) return;
  if (answer.status !== 200) {
    differ('status', '200', String(answer.status));
    return;
  }
  seen?.add(key);
  lists.add(key);
  if (TYPED.test(key)) expectHeaders(answer, [['Content-Type', mediaType(key)]], differ);
  const expected = fault(answer.body);
  if (expected) differ('body', expected, excerpt(answer.body));
}
