/** Runs the steps of workflows and composite actions as GitHub's runner does, as far as this project uses them. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions';
import type { FunctionDefinition } from '@actions/expressions/funcs/info';
import fastGlob from 'fast-glob';
import { parse } from 'yaml';

export type Step = {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
};
export type Job = {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly uses?: string;
};
export type Workflow = {
  readonly on: Readonly<Record<string, { branches?: string[]; paths?: string[]; tags?: string[] } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, Job>>;
};

/** A context of expressions: `github`, `vars`, `secrets` and so on. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The environment of a run. */
export type Runner = {
  /** The work tree. */
  readonly folder: string;
  /** Folder of the action of this project, which its own workflows call `./`. */
  readonly action: string;
  readonly contexts?: Contexts;
  /** The environment of the machine. */
  readonly env?: NodeJS.ProcessEnv;
  /** Folder of the uploaded artifacts. */
  readonly artifacts?: string;
};

/** The result of a step. */
export type Ran = {
  readonly name: string;
  /** null: the step was skipped. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
};

/** Reads a YAML file. */
export function readYaml<Document>(path: string): Document {
  return parse(readFileSync(path, 'utf8')) as Document;
}

function toData(value: unknown): data.ExpressionData {
  if (value === null || value === undefined) return new data.Null();
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'string') return new data.StringData(value);
  const pairs = Object.entries(value).map(([key, one]) => ({ key, value: toData(one) }));
  return new data.Dictionary(...pairs);
}

/** The value of an expression, as text. `failed`: whether an earlier step failed. */
export function evaluate(expression: string, contexts: Contexts, folder: string, failed = false): string {
  const functions: FunctionDefinition[] = [
    status('success', !failed),
    status('failure', failed),
    status('always', true),
    status('cancelled', false),
    {
      name: 'hashfiles',
      minArgs: 1,
      maxArgs: 255,
      call: (...patterns) => {
        const found = patterns.some(
          (pattern) => fastGlob.sync(pattern.coerceString().replace(/^\.\//, ''), { cwd: folder }).length > 0,
        );
        return new data.StringData(found ? 'digest' : '');
      },
    },
  ];
  const { tokens } = new Lexer(expression).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const all = new Map([
    ...Object.entries(wellKnownFunctions),
    ...functions.map((one) => [one.name, one] as const),
  ]);
  return new Evaluator(parsed, toData(contexts) as data.Dictionary, all).evaluate().coerceString();
}

function status(name: string, value: boolean): FunctionDefinition {
  return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) };
}

function filled(text: unknown, contexts: Contexts, folder: string): string {
  return String(text ?? '').replace(/\$\{\{(.*?)\}\}/gs, (_whole, inner: string) =>
    evaluate(inner.trim(), contexts, folder),
  );
}

/** Returns whether a condition holds. One without a status function also requires success. */
export function holds(
  condition: string | undefined,
  contexts: Contexts,
  folder: string,
  failed = false,
): boolean {
  const inner = (condition ?? 'success()').replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1').trim();
  const isWhole = /\b(?:success|failure|always|cancelled)\(\)/.test(inner);
  const value = evaluate(isWhole ? inner : `success() && (${inner})`, contexts, folder, failed);
  return !['', 'false', '0', 'null'].includes(value);
}

/** Runs the steps of a job. A failed step fails the job, as on the runner; later steps may still have to run. */
export async function runJob(job: Job, runner: Runner): Promise<Ran[]> {
  const contexts = { ...BARE, ...runner.contexts };
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(job.env ?? {}))
    env[name] = filled(value, { ...contexts, env }, runner.folder);
  return runSteps(job.steps, runner, { contexts, env });
}

/** Contexts that always exist. */
const BARE: Contexts = {
  github: {
    event_name: 'push',
    event: {},
    sha: '0'.repeat(40),
    ref: 'refs/heads/main',
    repository: 'o/r',
    token: 't',
  },
  vars: {},
  secrets: {},
  matrix: {},
  strategy: {},
  inputs: {},
  steps: {},
};

/** `env` grows by what steps write to `GITHUB_ENV`; an action shares it with its job. */
type Scope = {
  readonly contexts: Contexts;
  readonly env: Record<string, string>;
  readonly own?: NodeJS.ProcessEnv;
};

async function runSteps(
  steps: readonly Step[],
  runner: Runner,
  { contexts, env, own = {} }: Scope,
): Promise<Ran[]> {
  const { folder } = runner;
  const ran: Ran[] = [];
  const outputs: Record<string, { outputs: Readonly<Record<string, string>> }> = {};
  let failed = false;
  for (const step of steps) {
    const now = { ...contexts, env: { ...env, ...own }, steps: outputs };
    const name = step.name ?? step.uses ?? step.run?.split('\n')[0] ?? '';
    if (!holds(step.if, now, folder, failed)) {
      ran.push({ name, status: null, stdout: '', stderr: '', outputs: {} });
      continue;
    }
    const stepEnv = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value, now, folder)]),
    );
    const scope = { contexts: now, env, own: { ...own, ...stepEnv } };
    const result = await (step.run === undefined
      ? useAction(step, runner, scope)
      : runScript(step, runner, scope));
    ran.push({ name, ...result });
    if (step.id) outputs[step.id] = { outputs: result.outputs };
    if (result.status !== 0) failed = true;
  }
  return ran;
}

type Result = Omit<Ran, 'name'>;

async function runScript(step: Step, runner: Runner, { contexts, env, own = {} }: Scope): Promise<Result> {
  const { folder } = runner;
  const place = join(folder, '.runner');
  mkdirSync(place, { recursive: true });
  const files = Object.fromEntries(
    ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [name, join(place, name)]),
  );
  for (const name of ['GITHUB_ENV', 'GITHUB_OUTPUT']) writeFileSync(files[name]!, '');
  const { repository = 'o/r', ref = '' } = (contexts.github ?? {}) as Record<string, string>;
  const script = filled(step.run, contexts, folder);
  const said = await spawned('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: join(folder, filled(step['working-directory'], contexts, folder) || '.'),
    env: {
      ...(runner.env ?? process.env),
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: repository,
      GITHUB_REF_NAME: ref.replace(/^refs\/\w+\//, ''),
      RUNNER_TEMP: place,
      ...files,
      ...env,
      ...own,
    },
  });
  Object.assign(env, assignments(files.GITHUB_ENV!));
  return { ...said, outputs: assignments(files.GITHUB_OUTPUT!) };
}

/** The output of a process. Servers of the same test keep answering meanwhile. */
export function spawned(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ status: code, stdout, stderr }));
  });
}

function assignments(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** Runs the action of this project, and imitates the others as far as later steps need their results. */
async function useAction(step: Step, runner: Runner, scope: Scope): Promise<Result> {
  const { folder, artifacts = join(folder, '.runner/artifacts') } = runner;
  const given = Object.fromEntries(
    Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(value, scope.contexts, folder)]),
  );
  const fine = { status: 0, stdout: '', stderr: '', outputs: {} };
  const uses = step.uses!.split('@')[0]!;
  if (uses === './') return runOwnAction(given, runner, scope);
  if (uses === 'actions/upload-artifact') {
    const place = join(artifacts, given.name!);
    mkdirSync(place, { recursive: true });
    for (const path of given.path!.split('\n').filter(Boolean)) {
      if (existsSync(join(folder, path))) cpSync(join(folder, path), join(place, basename(path)));
    }
  }
  if (uses === 'actions/download-artifact') cpSync(join(artifacts, given.name!), folder, { recursive: true });
  return fine;
}

type Action = {
  readonly inputs: Readonly<Record<string, { default?: string }>>;
  readonly outputs: Readonly<Record<string, { value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
};

async function runOwnAction(given: Record<string, string>, runner: Runner, scope: Scope): Promise<Result> {
  const { inputs, outputs, runs } = readYaml<Action>(join(runner.action, 'action.yml'));
  for (const name of Object.keys(given))
    if (!(name in inputs)) throw new Error(`The action has no input ${name}.`);
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']),
  );
  const ran = await runSteps(runs.steps, runner, {
    contexts: { ...scope.contexts, inputs: values },
    env: scope.env,
    own: { ...scope.own, GITHUB_ACTION_PATH: runner.action },
  });
  const steps = Object.fromEntries(
    runs.steps.flatMap(({ id }, place) => (id ? [[id, { outputs: ran[place]!.outputs }]] : [])),
  );
  const failed = ran.find(({ status: code }) => code !== 0 && code !== null);
  return {
    status: failed?.status ?? 0,
    stdout: ran.map(({ stdout }) => stdout).join(''),
    stderr: ran.map(({ stderr }) => stderr).join(''),
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { value }]) => [
        name,
        filled(value, { ...scope.contexts, steps }, runner.folder),
      ]),
    ),
  };
}
