/**
 * Draws the pictures of the property that a new catalogue starts with, into `starter/pictures/`. The caption of a picture
 * is its name. To draw them again: npx tsx scripts/starter-pictures.ts
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const FOLDER = fileURLToPath(new URL('../starter/pictures/', import.meta.url));
const [WIDTH, HEIGHT] = [1200, 900];

/** A hill: a smooth line of heights from left to right, filled down to the lower edge. */
function hill(heights: readonly number[], fill: string): string {
  const step = WIDTH / (heights.length - 1);
  const points = heights.map((y, place) => [place * step, y] as const);
  const curves = points
    .slice(1)
    .map(([x, y], place) => {
      const [x0, y0] = points[place]!;
      const middle = (x0 + x) / 2;
      return `C${middle} ${y0} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
  return `<path d="M0 ${heights[0]}${curves}V${HEIGHT}H0Z" fill="${fill}"/>`;
}

const gradient = (id: string, colours: readonly string[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${colours
    .map((colour, place) => `<stop offset="${place / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('')}</linearGradient>`;

const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;

/** Sky, sea and an island, as they are seen from the house. */
function view(horizon: number): string {
  return `${rect(0, 0, WIDTH, HEIGHT, 'url(#sky)')}<circle cx="860" cy="${horizon - 90}" r="54" fill="#fff3d6"/>
<circle cx="860" cy="${horizon - 90}" r="120" fill="#fff3d6" opacity=".25"/>
<path d="M0 ${horizon}Q150 ${horizon - 110} 330 ${horizon - 40}T620 ${horizon}Z" fill="#8fa5b8"/>
${rect(0, horizon, WIDTH, HEIGHT - horizon, 'url(#sea)')}
${[0, 1, 2, 3, 4].map((place) => rect(780 - place * 26, horizon + 22 + place * 26, 160 + place * 52, 5, '#fff3d6', 3).replace('/>', ` opacity="${0.7 - place * 0.12}"/>`)).join('')}`;
}

function flowers(y: number, count: number, colours: readonly string[]): string {
  return Array.from({ length: count }, (_, place) => {
    const x = (place * 197 + 31) % WIDTH;
    const depth = y + ((place * 83) % (HEIGHT - y - 10));
    const radius = 5 + ((depth - y) / (HEIGHT - y)) * 9;
    return `<circle cx="${x}" cy="${depth}" r="${radius.toFixed(1)}" fill="${colours[place % colours.length]}"/>`;
  }).join('');
}

function cottage(): string {
  const window = (x: number, y: number) =>
    `${rect(x - 6, y - 6, 72, 92, '#fffaf0', 4)}${rect(x, y, 60, 80, '#ffd98a')}${rect(x + 27, y, 6, 80, '#fffaf0')}${rect(x, y + 36, 60, 6, '#fffaf0')}${rect(x - 12, y + 86, 84, 14, '#7a4b3a', 3)}`;
  return `<ellipse cx="520" cy="705" rx="330" ry="34" fill="#2f4a34" opacity=".35"/>
${rect(640, 330, 54, 130, '#9a5f4a')}${rect(632, 322, 70, 18, '#7a4b3a', 3)}
${rect(280, 470, 480, 230, '#f7ead6')}${rect(280, 640, 480, 60, '#cdb699')}
<path d="M240 480L330 350H710L800 480Z" fill="#5d6470"/><path d="M240 480L330 350H346L258 480Z" fill="#737b88"/>
${window(330, 520)}${window(620, 520)}
${rect(478, 530, 84, 170, '#2f6f6a', 6)}<circle cx="546" cy="622" r="6" fill="#ffd98a"/>${rect(462, 516, 116, 14, '#7a4b3a', 4)}
<path d="M478 700h84l60 200h-230z" fill="#e2cfae"/>`;
}

const OUTSIDE = `<defs>${gradient('sky', ['#7fb3d5', '#cfe3ea', '#fbe3c0'])}${gradient('sea', ['#5f9db5', '#2f6f8f'])}${gradient('grass', ['#7fa15c', '#4f7a45'])}</defs>`;

const PICTURES: Readonly<Record<string, string>> = {
  '1-the-cottage-above-the-sea': `${OUTSIDE}${view(470)}
${hill([520, 500, 560, 610, 590, 560, 600], '#6c9156')}${hill([640, 620, 650, 690, 680, 660, 650], 'url(#grass)')}
<path d="M1010 690q-14-190 20-250q34 60 22 250z" fill="#3f6640"/><path d="M1090 700q-10-130 16-176q28 46 18 176z" fill="#4b7547"/>
${cottage()}${flowers(740, 70, ['#e0617a', '#f4b9c4', '#ffffff', '#f3c14b'])}`,
  '2-the-living-room': `<defs>${gradient('sky', ['#7fb3d5', '#fbe3c0'])}${gradient('sea', ['#5f9db5', '#2f6f8f'])}<clipPath id="pane"><rect x="170" y="130" width="430" height="330"/></clipPath></defs>
${rect(0, 0, WIDTH, HEIGHT, '#efe3d0')}${rect(0, 660, WIDTH, 240, '#b98a5e')}
${Array.from({ length: 7 }, (_, place) => `<path d="M${place * 200 - 60} 900L${place * 170 + 80} 660" stroke="#a67a50" stroke-width="4"/>`).join('')}
${rect(150, 110, 470, 370, '#ffffff', 6)}<g clip-path="url(#pane)"><g transform="translate(170 130) scale(.36)">${view(520)}</g></g>
${rect(378, 130, 14, 330, '#ffffff')}${rect(130, 480, 510, 22, '#d8c3a3', 4)}
<path d="M110 90h90q-4 220-60 420h-30zM660 90h-90q4 220 60 420h30z" fill="#2f6f6a" opacity=".9"/>${rect(90, 80, 590, 14, '#7a4b3a', 7)}
${rect(800, 300, 300, 360, '#d9cdbd', 6)}${rect(780, 280, 340, 34, '#7a4b3a', 5)}${rect(860, 420, 180, 240, '#3a302c', 8)}
<path d="M950 640q-70-10-56-84q10 26 28 28q-10-66 40-104q-8 58 34 82q10-8 10-26q34 84-56 104z" fill="#f08a3c"/><path d="M950 640q-34-8-24-48q14 14 22-22q34 30 26 50q-6 16-24 20z" fill="#ffd98a"/>
<circle cx="860" cy="240" r="34" fill="#4b7547"/><circle cx="900" cy="226" r="28" fill="#5d8a55"/>${rect(850, 250, 56, 34, '#c9694c', 6)}
<ellipse cx="520" cy="800" rx="430" ry="70" fill="#e9d6b6"/><ellipse cx="520" cy="800" rx="370" ry="54" fill="none" stroke="#c9694c" stroke-width="8"/>
${rect(150, 560, 470, 150, '#c9694c', 40)}${rect(130, 620, 80, 150, '#b65a3f', 34)}${rect(560, 620, 80, 150, '#b65a3f', 34)}${rect(190, 660, 390, 110, '#d97c5d', 26)}
${rect(220, 580, 110, 100, '#ffd98a', 22)}${rect(450, 580, 110, 100, '#f7ead6', 22)}${rect(170, 766, 20, 36, '#5b3a2a')}${rect(580, 766, 20, 36, '#5b3a2a')}`,
  '3-the-terrace': `${OUTSIDE}${view(400)}${hill([560, 520, 500, 540, 580, 560, 540], '#6c9156')}
${rect(0, 620, WIDTH, 280, '#d8c3a3')}${Array.from({ length: 6 }, (_, place) => rect(0, 620 + place * 50, WIDTH, 5, '#c2ab88')).join('')}
${rect(0, 540, WIDTH, 14, '#7a4b3a')}${Array.from({ length: 16 }, (_, place) => rect(20 + place * 78, 548, 10, 84, '#7a4b3a')).join('')}
<path d="M600 120L330 300H870Z" fill="#c9694c"/><path d="M600 120L510 300H690Z" fill="#f7ead6"/>${rect(593, 110, 14, 600, '#7a4b3a', 6)}
<ellipse cx="600" cy="700" rx="210" ry="40" fill="#f7ead6"/><ellipse cx="600" cy="692" rx="210" ry="40" fill="#ffffff"/>${rect(586, 700, 28, 150, '#7a4b3a')}
<circle cx="520" cy="676" r="22" fill="#f3c14b"/><path d="M660 684q0-34 26-34t26 34z" fill="#2f6f6a"/>${rect(560, 640, 20, 44, '#8fb8c4', 6)}
${[240, 820].map((x) => `${rect(x, 600, 150, 20, '#2f6f6a', 8)}${rect(x + 8, 610, 16, 240, '#2f6f6a', 6)}${rect(x + 126, 610, 16, 240, '#2f6f6a', 6)}${rect(x, 730, 150, 24, '#3f8a84', 8)}`).join('')}
<path d="M60 860q-10-120 40-150q50 30 40 150z" fill="#4b7547"/>${rect(50, 800, 100, 80, '#b65a3f', 10)}<circle cx="70" cy="730" r="12" fill="#e0617a"/><circle cx="120" cy="716" r="12" fill="#f4b9c4"/><circle cx="100" cy="760" r="12" fill="#e0617a"/>`,
};

mkdirSync(FOLDER, { recursive: true });
for (const [name, drawing] of Object.entries(PICTURES)) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${drawing}</svg>`;
  await sharp(Buffer.from(svg))
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(join(FOLDER, `${name}.jpg`));
}
