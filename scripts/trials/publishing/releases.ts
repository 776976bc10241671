/** A small catalogue at four commits, built with the command line. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const CLI = fileURLToPath(new URL('../../../lib/cli.js', import.meta.url));

/** Short lives in caches: what is kept for readers is removed within a trial. */
const CONFIGURATION = `page_sizes: [2, 25]
layout: both
bulk: true
docs: false
cache_control:
  api: public, max-age=15, stale-while-revalidate=5
  release: public, max-age=5
`;

/** Houses by number: the city, and the photo. */
type Houses = Readonly<Record<number, readonly [city: string, photo: number]>>;

const FIRST: Houses = {
  1: ['Galway', 1],
  2: ['Galway', 2],
  3: ['Cork', 1],
  4: ['Cork', 3],
  5: ['Dublin', 4],
};

/** Houses come, go, come back, move, and trade photos. */
const COMMITS: readonly Houses[] = [
  FIRST,
  { ...FIRST, 2: ['Galway', 5], 6: ['Limerick', 3] },
  { 1: ['Galway', 1], 2: ['Cork', 5], 3: ['Cork', 6], 6: ['Limerick', 3], 7: ['Sligo', 7] },
  { ...FIRST, 1: ['Galway', 7], 7: ['Sligo', 2], 8: ['Sligo', 8] },
];

/** Builds the releases from the oldest commit to the newest. Returns their output folders. */
export async function buildReleases(folder: string): Promise<string[]> {
  const content = join(folder, 'content');
  mkdirSync(content);
  writeFileSync(join(content, 'catalogue.yaml'), CONFIGURATION);
  for (let photo = 1; photo <= 8; photo++) {
    const background = { r: photo * 30, g: 40, b: 40 };
    const picture = sharp({ create: { width: 640, height: 480, channels: 3, background } });
    writeFileSync(join(content, `${photo}.jpg`), await picture.jpeg().toBuffer());
  }
  const git = (date: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=trial', '-c', 'user.email=trial@trial.example', ...args], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  git('', 'init', '-q');
  return COMMITS.map((houses, index) => {
    for (let number = 1; number <= 8; number++)
      rmSync(join(content, `house-${number}.yaml`), { force: true });
    for (const [number, [city, photo]] of Object.entries(houses)) {
      writeFileSync(join(content, `house-${number}.yaml`), houseFile(Number(number), city, photo));
    }
    git('', 'add', 'content');
    git(`2026-01-0${index + 1}T12:00:00Z`, 'commit', '-q', '-m', `Commit ${index + 1}`);
    const out = join(folder, `release-${index + 1}`);
    execFileSync(process.execPath, [CLI, 'build', '--out', out, '--jobs', '1'], {
      cwd: folder,
      stdio: 'ignore',
    });
    return out;
  });
}

/** Where the cities are. */
const PLACES: Readonly<Record<string, readonly [string, string]>> = {
  Galway: ['53.27194', '-9.04889'],
  Cork: ['51.89797', '-8.47061'],
  Dublin: ['53.33306', '-6.24889'],
  Limerick: ['52.66472', '-8.62306'],
  Sligo: ['54.26969', '-8.46943'],
};

function houseFile(number: number, city: string, photo: number): string {
  const [latitude, longitude] = PLACES[city]!;
  const fields = {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    title: `House ${number}`,
    currency: 'EUR',
    email: `stay${number}@house.example`,
    phone: '+353 1 605 7700',
    city,
    country: 'IE',
    latitude,
    longitude,
    photo: [{ file: `${photo}.jpg` }],
  };
  // JSON is YAML too.
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('');
}
