/** The language of Varnish. */
import type { Header } from '../../contract/headers.ts';
import type { ProblemName } from '../../contract/problem.ts';
import type { TargetInput } from '../target.ts';

/** A subroutine. */
export function sub(name: string, lines: readonly string[]): string[] {
  return [`sub ${name} {`, ...lines.map((line) => `    ${line}`), '}'];
}

/** A string of VCL, which has no escapes; the text holds no line end. */
export function text(value: string): string {
  return `"""${value}"""`;
}

/** Sets headers of an answer. */
export function headers(target: string, all: readonly Header[]): string[] {
  return all.map(([name, value]) => `set ${target}.http.${name} = ${text(value)};`);
}

/** Answers with a problem. */
export function refuse({ problems }: TargetInput, name: ProblemName): string {
  return `{ set req.http.X-Catalogue-Problem = "${name}"; return (synth(${problems.get(name)!.status})); }`;
}
