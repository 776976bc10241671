import { type Configuration, offersBulkDownloads, routeSettings } from '../../contract/configuration.ts';
import {
  COUNTRIES_KEY,
  cityListKey,
  DCAT_KEY,
  DOCS_FOLDER,
  EXPLORER_KEY,
  NOT_FOUND_KEY,
  OPENAPI_JSON_KEY,
  OPENAPI_YAML_KEY,
  PLAIN_LIST_KEY,
} from '../../contract/document-keys.ts';
import { EXPLORER_FOLDER, scopeFolder } from '../../contract/object-keys.ts';
import { cityListText, countriesText, countryRuns } from '../../documents/countries.ts';
import { dcatText } from '../../documents/dcat.ts';
import { explorerPage, notFoundPage, plainListPage } from '../../documents/explorer-page.ts';
import { packagedFileDigests, readPackagedFile } from '../../documents/packaged-files.ts';
import { problemFiles } from '../../documents/problem-files.ts';
import type { Scope } from '../../release/sequence.ts';
import { sequenceColumns } from '../../release/sequence-columns.ts';
import type { DetailPart } from '../../tree/format/root.ts';
import type { CatalogueComparison } from '../compare-catalogue.ts';
import { readLogo } from '../inputs/logo.ts';
import type { OrderedCatalogue } from '../order.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { RecordEntry } from '../read/file-record.ts';
import type { FileDigests } from '../state/written-files.ts';
import type { GroupFile } from './changed-files-writer.ts';
import { createDetailReader, spoolLocationsOf } from './detail-reader.ts';

type DocumentsInput = Pick<OrderedCatalogue, 'sequence' | 'before'> & {
  readonly configuration: Configuration;
  readonly scopes: readonly Scope[];
  readonly comparison: Pick<CatalogueComparison, 'changed'>;
  readonly lastParts: readonly DetailPart[];
};

export type BuildFolders = { readonly content: string; readonly folder: OutputFolder };

export type DocumentFolders = {
  readonly content: string;
  readonly folder: Pick<OutputFolder, 'public' | 'staging'>;
};

/**
 * Returns the documents that depend on neither the downloads nor the name of the release.
 * @param last the digests of the last build's documents, by key; undefined if unknown
 */
export function documentsOfRelease(
  input: DocumentsInput,
  folders: DocumentFolders,
  last: FileDigests | undefined,
): GroupFile[] {
  const { configuration, sequence, scopes } = input;
  const { docs, explorer, logo, api_keys } = configuration;
  const runs = countryRuns(scopes);
  const assets = explorer.enabled ? packagedFileDigests(EXPLORER_FOLDER) : new Map<string, string>();
  const prepared = [...(docs ? packagedFileDigests(DOCS_FOLDER) : []), ...assets];
  const problems = [...problemFiles(routeSettings(configuration))];
  const documents: GroupFile[] = [
    ...problems.map(([key, text]) => ({ key, content: () => text })),
    ...openApiDocuments(input, folders, last),
    { key: COUNTRIES_KEY, content: () => countriesText(runs) },
    ...runs.map((run) => ({ key: cityListKey(run.country), content: () => cityListText(run) })),
  ];
  if (explorer.enabled) {
    const keys = [...assets.keys()];
    const { base } = routeSettings(configuration);
    documents.push(
      { key: EXPLORER_KEY, content: () => explorerPage(configuration, keys) },
      { key: NOT_FOUND_KEY, content: () => notFoundPage(configuration, keys, base) },
    );
    // A page without JavaScript cannot send an API key.
    if (api_keys.length === 0)
      documents.push({ key: PLAIN_LIST_KEY, content: () => plainListPage(configuration, keys, sequence) });
  }
  if (offersBulkDownloads(configuration))
    documents.push({ key: DCAT_KEY, content: () => dcatText(configuration) });
  if (logo?.key) documents.push({ key: logo.key, content: () => readLogo(folders.content, logo) });
  for (const [key, digest] of prepared) documents.push({ key, digest, content: () => readPackagedFile(key) });
  return documents;
}

/** The documents show two examples: the first property, and the list of its city. */
function openApiDocuments(
  { configuration, sequence, scopes, before, comparison, lastParts }: DocumentsInput,
  { folder }: DocumentFolders,
  last: FileDigests | undefined,
): GroupFile[] {
  const first = sequence[0];
  const city = first && scopeFolder(first.country, first.city);
  const isSame = first && first === before[0] && comparison.changed.every((scope) => scope.folder !== city);
  const detailOf = (entry: RecordEntry) => {
    const reader = createDetailReader({
      publicFolder: folder.public,
      staging: folder.staging,
      columns: sequenceColumns([entry]),
      summaries: undefined,
      spooled: spoolLocationsOf([entry]),
      lastParts,
    });
    try {
      return reader.detail(0).toString('utf8');
    } finally {
      reader.close();
    }
  };
  const json = async () => {
    const { openApiText } = await import('../../documents/openapi.ts');
    const scope = scopes.find(({ country, city }) => country === first?.country && city === first.city);
    const texts = first && {
      id: first.id,
      detail: detailOf(first),
      // The sequence starts with the first city of the first country.
      summaries: sequence.slice(0, scope?.total).map(({ summary }) => summary),
    };
    return openApiText(configuration, texts);
  };
  const yaml = async () => (await import('../../documents/yaml-text.ts')).yamlText(await json());
  return [
    { key: OPENAPI_JSON_KEY, digest: isSame ? last?.[OPENAPI_JSON_KEY] : undefined, content: json },
    { key: OPENAPI_YAML_KEY, digest: isSame ? last?.[OPENAPI_YAML_KEY] : undefined, content: yaml },
  ];
}
