/** The library: the steps of the command line, as functions. */

export { build } from './compile/build.ts';
export { type CheckOptions, type CheckResult, check } from './compile/check.ts';
export type { BuildOptions, BuildResult } from './compile/context.ts';
export type { BuildEvent, Listener, Stage } from './compile/progress.ts';
export type { Counts } from './compile/release-size.ts';
export type { Changes } from './contract/document-schemas.ts';
export { openApiDocument } from './contract/openapi/document.ts';
export type { OpenApiInput } from './contract/openapi/input.ts';
export type { Page, Photo, Property, Summary } from './contract/property.ts';
export { type Answer, type RouteSettings, route } from './contract/route.ts';
export { EnvironmentError, UsageError } from './errors/errors.ts';
export { changesBetween } from './history/changes.ts';
export { type RecordedChanges, recordRelease } from './history/record-release.ts';
export { type OpenedRelease, openRelease } from './release/open-release.ts';
export { createHandler, type Handler, type HandlerOptions, type ReadFile } from './serve/handler.ts';
export type { Diagnostic, Span } from './source/diagnostic.ts';
