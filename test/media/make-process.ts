/** A process of its own that makes images, to be looked into or killed. Reads its task as JSON from standard input. */
import { readFileSync } from 'node:fs';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaOptions, MediaRequest } from '../../src/media/request.ts';

const task = JSON.parse(readFileSync(0, 'utf8')) as { requests: MediaRequest[]; options: MediaOptions };
const onProgress = (done: number) => process.stdout.write(`${JSON.stringify({ done })}\n`);
const { made, reused } = await makeMedia(task.requests, { ...task.options, onProgress });
const report = process.report.getReport() as unknown as { sharedObjects: string[] };
const loaded = report.sharedObjects.some((path) => /libvips|sharp/.test(path));
process.stdout.write(`${JSON.stringify({ made, reused, loaded })}\n`);
