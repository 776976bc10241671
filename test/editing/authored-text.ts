/** Property files as people write them: any order, any quotes, comments and blank lines anywhere. */
import fc from 'fast-check';

const word = fc.constantFrom(
  ...['wifi', 'Rose Cottage', 'no', '0123', '1.10', '2020-01-01', '+353749158188', 'a: b', "it's #1", 'x, y'],
  ...['[z]', '"q"', 'C:\\x', 'Ünïcode 旺角', '- dash', '12:30', 'null'],
);

/** A scalar as YAML text, in one of the styles. `indent`: of its continuation lines. */
function scalar(text: string, style: number, indent: string): string {
  const isPlain = /^[A-Za-z0-9+.ÜÄ][A-Za-z0-9 .:+ï\u4e00-\u9fff-]*$/.test(text) && !/: |:$/.test(text);
  if (style === 0 && isPlain) return text;
  if (style === 1) return `'${text.replaceAll("'", "''")}'`;
  if (style === 2 && !/^[-\s]/.test(text)) return `>-\n${indent}  ${text}`;
  if (style === 3 && isPlain && text.includes(' ')) return text.replace(' ', `\n${indent}  `);
  return JSON.stringify(text);
}

type Noise = {
  readonly above: number;
  readonly beside: boolean;
  readonly deep: boolean;
  readonly blank: boolean;
};

const noise: fc.Arbitrary<Noise> = fc.record({
  above: fc.integer({ min: -6, max: 2 }).map((count) => Math.max(0, count)),
  beside: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  deep: fc.boolean(),
  blank: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});

const style = fc.integer({ min: 0, max: 4 });
const field = fc.tuple(word, style, noise);
const photo = fc.record({
  position: fc.option(fc.integer({ min: 1, max: 9 })),
  description: fc.option(fc.tuple(word, style)),
  order: fc.boolean(),
  noise: fc.tuple(noise, noise, noise),
});

const FIELDS = [
  ...['id', 'title', 'currency', 'email', 'phone', 'zip_code', 'city', 'state', 'country', 'latitude'],
  'titel',
];

/** Text of a file. */
export const authoredText: fc.Arbitrary<string> = fc
  .record({
    header: fc.option(fc.boolean()),
    fields: fc.dictionary(fc.constantFrom(...FIELDS), field, { noNullPrototype: true }),
    facilities: fc.option(fc.tuple(fc.array(field, { maxLength: 4 }), fc.boolean(), noise)),
    photos: fc.option(
      fc.tuple(fc.uniqueArray(photo, { maxLength: 4, selector: ({ position }) => position ?? {} }), noise),
    ),
    listsFirst: fc.boolean(),
    indented: fc.boolean(),
    footer: fc.option(fc.boolean()),
    windows: fc.boolean(),
  })
  .map(({ header, fields, facilities, photos, listsFirst, indented, footer, windows }) => {
    let count = 0;
    const comment = () => `# comment ${++count}`;
    const line = (indent: string, text: string, { above, beside, deep, blank }: Noise) => {
      const lines: string[] = [];
      if (blank) lines.push('');
      for (let n = 0; n < above; n++) lines.push(`${indent}${deep ? '  ' : ''}${comment()}`);
      const [first = '', ...rest] = text.split('\n');
      // Only the header of a block may be followed by a comment when the text continues in the next line.
      const room = rest.length === 0 || /[>|]-$/.test(first);
      lines.push(`${indent}${first}${beside && room ? `   ${comment()}` : ''}`, ...rest);
      return `${lines.join('\n')}\n`;
    };
    const margin = indented ? '  ' : '';
    let lists = '';
    if (facilities) {
      const [words, flow, above] = facilities;
      if (flow) {
        const items = words.map(([text]) => JSON.stringify(text));
        lists += line('', `facilities: [${items.join(',')}]`, above);
      } else {
        lists += line('', 'facilities:', above);
        for (const [text, kind, around] of words)
          lists += line(margin, `- ${scalar(text, kind, margin)}`, around);
      }
    }
    if (photos) {
      const [entries, above] = photos;
      lists += line('', 'photo:', above);
      entries.forEach(({ position, description, order, noise: [one, two, three] }, index) => {
        const rows: [string, Noise][] = [[`file: ${index}.jpg`, one]];
        if (position !== null) rows.push([`position: ${position}`, two]);
        if (description) rows.push([`description: ${scalar(...description, `${margin}  `)}`, three]);
        if (order) rows.reverse();
        rows.forEach(([text, around], row) => {
          // Comments above a first field stand above the dash.
          if (row === 0) lists += line(margin, `- ${text}`, { ...around, deep: false });
          else lists += line(`${margin}  `, text, around);
        });
      });
    }
    const texts = Object.entries(fields).map(([key, [text, kind, around]]) =>
      line('', `${key}: ${scalar(text, kind, '')}`, around),
    );
    const all = [
      header === null ? '' : `# header\n${header ? '\n' : ''}`,
      ...(listsFirst ? [lists, ...texts] : [...texts, lists]),
      footer === null ? '' : `${footer ? '\n' : ''}# footer\n`,
    ].join('');
    return windows ? all.replace(/\n/g, '\r\n') : all;
  });
