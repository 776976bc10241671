// Makes the file system behave like Windows': no symbolic links, and renames fail twice, as while a scanner reads. Logs
// to REFUSALS.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const append = fs.appendFileSync;
const attempts = new Map();

function refuse(step, path) {
  const count = attempts.get(path) ?? 0;
  attempts.set(path, count + 1);
  const code = step === 'symlink' ? 'EPERM' : ['EPERM', 'EBUSY'][count];
  if (!code) return;
  append(process.env.REFUSALS, `${step} ${path}\n`);
  throw Object.assign(new Error(`${code}: ${step} '${path}'`), { code });
}

for (const step of ['rename', 'link', 'symlink']) {
  const [now, later] = [fs[`${step}Sync`], fs.promises[step]];
  fs[`${step}Sync`] = (from, to, ...rest) => {
    refuse(step, String(from));
    return now(from, to, ...rest);
  };
  fs.promises[step] = async (from, to, ...rest) => {
    refuse(step, String(from));
    return await later(from, to, ...rest);
  };
}
syncBuiltinESMExports();
