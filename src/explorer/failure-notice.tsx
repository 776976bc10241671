import { AnswerError, ProblemError } from '../client/index.ts';
import { PROBLEMS_PAGE } from '../contract/document-keys.ts';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';

export function FailureNotice({ error, retry }: { error: unknown; retry: () => void }) {
  const { pageFolderUrl } = useCatalogue();
  const { problem, code } = error instanceof ProblemError ? error : {};
  if (code?.endsWith('not-found')) {
    return (
      <div class="notice" role="alert">
        <p>The catalogue has no such property. It may have been removed, or the link may be incomplete.</p>
      </div>
    );
  }
  return (
    <div class="notice failure" role="alert">
      <h2>{problem ? problem.title : 'The catalogue did not answer'}</h2>
      <p>{problem ? problem.detail : wordsOf(error)}</p>
      {problem && (
        <p class="quiet">
          Status {problem.status},{' '}
          <a href={new URL(`${PROBLEMS_PAGE}#${code}`, pageFolderUrl).href}>what this means</a>
        </p>
      )}
      {problem?.status !== 400 && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof ProblemError) return `Something on the way answered with status ${error.status}.`;
  if (error instanceof AnswerError)
    return 'The answer is not what the API gives. Something else may have answered.';
  return 'It could not be reached. The connection may be down, or the catalogue may be moving.';
}
