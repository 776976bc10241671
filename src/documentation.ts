/** Addresses of the documentation: an installed package has no `docs` folder. */
import { repository } from './version.ts';

/** The pages that messages point to: files of `docs/`, without `.md`. */
export type DocumentationPage =
  | 'commands'
  | 'configuration'
  | 'dev'
  | 'diagnostics'
  | 'editing'
  | 'importing'
  | 'large-catalogues'
  | 'publishing'
  | 'quick-start'
  | 'reviewing';

/**
 * Address of a page of the documentation.
 *
 * @param anchor a heading of the page, as GitHub makes an anchor of it.
 */
export function documentationUrl(page: DocumentationPage, anchor?: string): string {
  return `${repository}/blob/main/docs/${page}.md${anchor === undefined ? '' : `#${anchor}`}`;
}
