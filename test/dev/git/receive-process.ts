/** Receives the changes of colleagues in a process of its own, which a test may kill. Argument: the content folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeUpstream } from '../../../src/dev/git/merge-upstream.ts';
import { contextOf } from '../context-of.ts';

const [, , content = ''] = process.argv;
writeFileSync(join(content, '../.git/pid'), String(process.pid));
process.stdout.write('begun\n');
await mergeUpstream(contextOf(content), { mark: '', choices: {} });
