/**
 * An editing session. It reads a saved file at once, and answers from memory. As soon as saving pauses, an ordinary build on
 * a thread of its own brings the output up to date. So the output is always a complete release, and that build finds what
 * the watch may have missed.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { withBaseUrl } from '../build/build-release.ts';
import type { BuildResult } from '../build/context.ts';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { withLogo } from '../build/inputs/logo.ts';
import { scan } from '../build/inputs/scan.ts';
import { type OutputFolder, outputFolder } from '../build/output-folder.ts';
import type { FileRecord } from '../build/read/files.ts';
import type { ThreadOptions } from '../build/threads/build-thread.ts';
import type { Configuration } from '../contract/configuration.ts';
import { INDEX_KEY } from '../contract/document-keys.ts';
import { MANIFEST_KEY } from '../contract/keys.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Builder, createBuilder } from './builder.ts';
import type { Memory } from './held.ts';
import { applyChanges, lineOf, loadMemory } from './memory.ts';
import { createRhythm, type Rhythm } from './rhythm.ts';
import { createSurvey, type Survey, withFindings } from './survey.ts';
import { createView, type SessionEvent, type SessionView } from './view.ts';
import { watchContent } from './watch.ts';

/** What a session works on. */
export type SessionOptions = Pick<ThreadOptions, 'asOf' | 'baseUrl' | 'jobs'> & {
  /** The content folder. */
  readonly content: string;
  /** The output folder. */
  readonly out: string;
  /** Hears what happens. */
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before the output is brought up to date. @default 300 */
  readonly idle?: number;
};

/** A running session. */
export type Session = Pick<SessionView, 'shown' | 'trouble' | 'diagnostics'> & {
  /** Absolute path of the content folder, without links. */
  readonly content: string;
  /** The configuration as it can be used now: its defaults in place of what is wrong. */
  readonly configuration: () => Configuration;
  /** The instant whose catalogue it shows, in milliseconds since 1970. */
  readonly instant: () => number;
  /** What every YAML file says now, by path. */
  readonly records: () => Promise<ReadonlyMap<string, FileRecord>>;
  /** What every YAML file said when that was last known: the same at once, but during a build. */
  readonly lastRecords: () => Promise<ReadonlyMap<string, FileRecord>>;
  /** Reads changed paths without waiting for the watch; resolves when they are shown, or a build has to show them. */
  readonly refresh: (paths: readonly string[]) => Promise<void>;
  /** Ends it, after a build that runs. The output is a complete release then, perhaps not yet of the last change. */
  readonly close: () => Promise<void>;
};

/** The watch keeps quiet about a change within 50 ms of another one of the same file. */
const LOOK_AGAIN = 100;
/** A program that truncates a file before it writes would hear of an error that is gone. */
const PATIENCE = 120;

/** What the steps of a session share. */
type Course = {
  readonly content: string;
  readonly folder: OutputFolder;
  readonly baseUrl: string | undefined;
  readonly builder: Builder;
  readonly rhythm: Rhythm;
  readonly survey: Survey;
  readonly view: SessionView;
  readonly listener: (event: SessionEvent) => void;
  memory: Memory | undefined;
  /** Called when a build begins. */
  waiting: (() => void)[];
  /** Whether only a build can find out what the content is. */
  needsBuild: boolean;
  isClosed: boolean;
};

/**
 * Starts a session: watches, and builds what changed since the last build.
 *
 * @throws UsageError when there is no content folder; EnvironmentError when it cannot be watched.
 */
export async function startSession(options: SessionOptions): Promise<Session> {
  scan(options.content);
  const content = realpathSync(options.content);
  const course = createCourse(content, options);
  const { rhythm, view } = course;
  const watch = await watchContent(content, rhythm.hear);
  rhythm.hear('');
  return {
    content,
    shown: view.shown,
    trouble: view.trouble,
    diagnostics: view.diagnostics,
    configuration: () => readConfiguration(content).usable,
    instant: () => instantOf(course),
    records: () => recordsOf(course),
    lastRecords: async () => knownRecords(course) ?? recordsOf(course),
    async refresh(paths) {
      for (const path of paths) rhythm.hear(path);
      const building = new Promise<void>((resolve) => course.waiting.push(resolve));
      await Promise.race([rhythm.caughtUp(), building]);
      course.waiting = [];
    },
    async close() {
      course.isClosed = true;
      rhythm.stop();
      await watch.close();
      await course.builder.close();
      await rhythm.caughtUp();
    },
  };
}

function createCourse(content: string, options: SessionOptions): Course {
  const { asOf, baseUrl, jobs, out, idle = 300, listener = () => {} } = options;
  const folder = outputFolder(out);
  const builder = createBuilder(
    {
      content,
      out,
      ...(asOf !== undefined && { asOf }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(jobs !== undefined && { jobs }),
    },
    (message) => listener({ kind: 'waiting', message }),
  );
  // What an earlier build left is shown until there is something newer.
  const isBuilt = existsSync(join(folder.public, MANIFEST_KEY));
  const { configuration } = readConfiguration(content);
  const view = createView(
    isBuilt && configuration ? withBaseUrl(configuration, baseUrl) : undefined,
    listener,
  );
  const rhythm = createRhythm({
    work: (paths) => work(course, paths),
    rest: () => void settle(course),
    idle,
  });
  const course: Course = {
    content,
    folder,
    baseUrl,
    builder,
    rhythm,
    survey: createSurvey(content),
    view,
    listener,
    memory: undefined,
    waiting: [],
    needsBuild: true,
    isClosed: false,
  };
  return course;
}

/** Brings what is shown up to date with changed paths. */
async function work(course: Course, paths: readonly string[]): Promise<void> {
  const started = performance.now();
  lookAgain(course, paths);
  try {
    if (!(await readChanges(course, paths, started))) await buildAll(course, started);
  } catch (error) {
    fail(course, error);
  }
  course.listener({ kind: 'files', paths: paths.filter((path) => path !== '') });
}

/** Hears of a change that the watch kept quiet about. */
function lookAgain({ content, rhythm }: Course, paths: readonly string[]): void {
  const seen = paths.map((path) => [path, lineOf(content, path)] as const);
  rhythm.later(LOOK_AGAIN, () => {
    for (const [path, line] of seen) if (lineOf(content, path) !== line) rhythm.hear(path);
  });
}

/** Reads what changed. False when memory is not enough. */
async function readChanges(course: Course, paths: readonly string[], started: number): Promise<boolean> {
  const { memory, needsBuild, view } = course;
  if (!memory || needsBuild) return false;
  const applied = await applyChanges(memory, paths);
  if (applied.kind === 'build') return false;
  course.memory = applied.memory;
  const { held, diagnostics } = applied;
  if (held) view.show({ configuration: memory.configuration, held }, diagnostics, started);
  else refuse(course, diagnostics);
  return true;
}

async function buildAll(course: Course, started: number): Promise<void> {
  const { builder, rhythm, listener } = course;
  const before = rhythm.changes();
  course.needsBuild = true;
  for (const resolve of course.waiting.splice(0)) resolve();
  listener({ kind: 'building' });
  const result = await builder.run();
  if (!result) return;
  if (result.outcome === 'refused') {
    if (rhythm.changes() === before) refuse(course, result.diagnostics);
    return;
  }
  await load(course, result, started);
  course.needsBuild = false;
}

/** Takes what the last build left, if it still counts then. */
async function load(
  course: Course,
  { diagnostics, asOf }: BuildResult,
  started: number,
  counts = () => true,
): Promise<void> {
  const { content, folder, baseUrl, view } = course;
  const checked = readConfiguration(content).configuration;
  // It changed again, and will be read again.
  if (!checked) return;
  const { configuration } = withLogo(content, withBaseUrl(checked, baseUrl));
  const loaded = await loadMemory(content, configuration, folder, asOf.instant);
  if (!counts()) return;
  course.memory = loaded?.memory;
  view.show({ configuration, held: loaded?.held }, diagnostics, started);
}

/** Reports errors of the content, unless it changes right away. */
function refuse({ rhythm, view }: Course, diagnostics: readonly Diagnostic[]): void {
  const before = rhythm.changes();
  rhythm.later(PATIENCE, () => {
    if (rhythm.changes() === before) view.report({ diagnostics });
  });
}

function fail(course: Course, failure: unknown): void {
  course.needsBuild = true;
  course.view.report({ diagnostics: [], failure });
}

/** Brings the output up to date, and looks whether memory is of the same content. */
async function settle(course: Course): Promise<void> {
  const { builder, folder, rhythm, view, listener } = course;
  const isBusy = () => rhythm.isWorking() || course.isClosed || view.trouble() || course.needsBuild;
  if (isBusy()) return;
  const before = rhythm.changes();
  const started = performance.now();
  const held = view.shown()?.held;
  try {
    const result = await builder.run();
    if (!result || course.isClosed || rhythm.changes() !== before) return;
    if (result.outcome === 'refused') {
      course.needsBuild = true;
      return refuse(course, result.diagnostics);
    }
    if (course.memory && held && releaseIn(folder.public) === view.shown()?.held?.id()) {
      course.memory = { ...course.memory, media: held.media };
    } else await load(course, result, started, () => rhythm.changes() === before);
    listener({ kind: 'settled' });
  } catch (error) {
    fail(course, error);
  }
}

/** The name of the release in a folder. */
function releaseIn(root: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(root, INDEX_KEY), 'utf8')) as { release?: string }).release;
  } catch {
    return undefined;
  }
}

/** What every file says. While only a build can bring memory up to date, the files are read for it. */
async function recordsOf(course: Course): Promise<ReadonlyMap<string, FileRecord>> {
  const { rhythm, survey, memory } = course;
  if (!course.needsBuild) await rhythm.caughtUp();
  const known = knownRecords(course);
  if (known && !course.needsBuild) return known;
  return survey.read(memory?.records ?? new Map(), rhythm.changes(), instantOf(course));
}

function instantOf({ memory }: Course): number {
  return memory?.instant ?? Date.now();
}

function knownRecords({ memory }: Course): ReadonlyMap<string, FileRecord> | undefined {
  return memory && withFindings(memory.records, [...memory.cross, ...memory.dated]);
}
