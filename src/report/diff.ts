import type { ContentDiff } from '../diff/diff.ts';
import { markdownContentDiff } from './diff-markdown.ts';
import { prettyContentDiff } from './diff-pretty.ts';
import { contentPrefix } from './path-prefix.ts';
import { printJson, type Sink } from './sink.ts';

type ReviewFormat = {
  readonly format: 'pretty' | 'markdown' | 'json';
  readonly content: string;
  /** URL before the paths of photos, in Markdown. @default no photos */
  readonly photos?: string | undefined;
};

export function reportContentDiff(
  review: ContentDiff,
  { format, content, photos }: ReviewFormat,
  sink: Sink,
): void {
  const prefix = contentPrefix(content);
  if (format === 'json') printJson(review, sink);
  else if (format === 'markdown') sink.out(markdownContentDiff(review, { prefix, photos }));
  else sink.out(prettyContentDiff(review, prefix, sink.color));
}
