/** A process of its own that makes images, to be inspected or killed. Reads its task as JSON from standard input. */
import { readFileSync } from 'node:fs';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaOptions, MediaRequest } from '../../src/media/media-request.ts';

const task = JSON.parse(readFileSync(0, 'utf8')) as { requests: MediaRequest[]; options: MediaOptions };
const onProgress = (done: number) => process.stdout.write(`${JSON.stringify({ done })}\n`);
const { made, reused, outcomes } = await makeMedia(task.requests, { ...task.options, onProgress });
const codes = [...outcomes.values()].flatMap(({ problems }) => problems.map(({ code }) => code));
const report = process.report.getReport() as unknown as { sharedObjects: string[] };
const loaded = report.sharedObjects.some((path) => /libvips|sharp/.test(path));
// The maximum resident memory, in bytes (getrusage(2) counts in units of 1,024).
const memory = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ made, reused, loaded, codes, memory })}\n`);
