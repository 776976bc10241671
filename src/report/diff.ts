import type { Review } from '../diff/diff.ts';
import { markdownReview } from './diff-markdown.ts';
import { prettyReview } from './diff-pretty.ts';
import { contentPrefix } from './paths.ts';
import { printJson, type Sink } from './sink.ts';

type ReviewFormat = {
  readonly format: 'pretty' | 'markdown' | 'json';
  readonly content: string;
  /** URL before the paths of photos, in Markdown. @default no photos */
  readonly photos?: string | undefined;
};

export function reportReview(review: Review, { format, content, photos }: ReviewFormat, sink: Sink): void {
  const prefix = contentPrefix(content);
  if (format === 'json') printJson(review, sink);
  else if (format === 'markdown') sink.out(markdownReview(review, { prefix, photos }));
  else sink.out(prettyReview(review, prefix, sink.color));
}
