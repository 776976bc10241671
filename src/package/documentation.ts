/** URLs of the documentation, since an installed package has no rendered `docs`. */
import { repository } from './version.ts';

export type DocumentationPage =
  | 'api'
  | 'authoring'
  | 'commands'
  | 'configuration'
  | 'dev'
  | 'diagnostics'
  | 'editing-commands'
  | 'errors'
  | `hosting/${string}`
  | 'importing'
  | 'large-catalogues'
  | 'mapping'
  | 'publishing'
  | 'quick-start'
  | 'releases'
  | 'reviewing';

/** @param anchor anchor of a heading, as GitHub derives it */
export function documentationUrl(page: DocumentationPage, anchor?: string): string {
  return `${repository}/blob/main/docs/${page}.md${anchor === undefined ? '' : `#${anchor}`}`;
}
