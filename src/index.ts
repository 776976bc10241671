/** The library: the same steps as the command line, as functions. */

export { changesBetween } from './changes/difference.ts';
export { type EarlierRelease, openRelease, type ReadableRelease } from './changes/readable.ts';
export { type Recorded, recordRelease } from './changes/record.ts';
export type { Changes } from './contract/downloads.ts';
export { type OpenApiInput, openApiDocument } from './contract/openapi.ts';
export type { Page, Photo, Property, Summary } from './contract/property.ts';
export { type Answer, type RouteSettings, route } from './contract/route.ts';
export { type BuildOptions, type BuildResult, build, type Counts } from './pipeline/build.ts';
export { type CheckOptions, type CheckResult, check } from './pipeline/check.ts';
export type { BuildEvent, Listener, Stage } from './pipeline/progress.ts';
export { createHandler, type Handler, type HandlerOptions, type ReadFile } from './preview/handler.ts';
export { EnvironmentError, UsageError } from './report/failure.ts';
export type { Diagnostic, Span } from './source/diagnostic.ts';
