/** The error of an answer that is none of success. */
import type { Problem, ProblemCode } from '../contract/problem.ts';

/** An answer with an error status. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** HTTP status. */
  readonly status: number;
  /** What the catalogue says is wrong; undefined when something in between answered. */
  readonly problem: Problem | undefined;
  /** Permanent code of the cause: the fragment of the problem's `type`. */
  readonly code: ProblemCode | undefined;

  constructor(url: string, status: number, problem: Problem | undefined) {
    super(problem ? problem.detail : `${url} answered ${status}.`);
    this.status = status;
    this.problem = problem;
    this.code = problem?.type.split('#')[1] as ProblemCode | undefined;
  }
}
