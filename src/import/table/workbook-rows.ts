/** Converts a sheet to rows of texts. Runs in its own thread with a memory limit. */
import { writeFileSync } from 'node:fs';
import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';
import { nearestWord } from '../../source/did-you-mean.ts';
import { formatNumber } from '../../text/amounts.ts';
import { linkOfFormula, plainNumber } from './plain-cell.ts';
import { readDirectory, readEntry } from './zip.ts';

export type WorkbookRequest = {
  readonly name: string;
  /** File descriptors of the workbook (`fd`) and of the output, whose lines are JSON: a row's number and its texts. */
  readonly fd: number;
  readonly out: number;
  readonly sheet: string | undefined;
};

/** `unsolved`: number of formulas without a stored result, except links. `open`: letters of their columns. */
export type WorkbookSummary = {
  readonly sheet: string;
  readonly others: readonly string[];
  readonly hiddenRows: number;
  readonly unsolved: number;
  readonly open: readonly string[];
};

const MAX_ROWS = 500_000;
/** Bytes of sheet XML parsed at once: cells take ten times the memory of their XML. */
const PART = 8_000_000;

type Library = typeof import('@e965/xlsx') & {
  readonly parse_zip: (zip: unknown, options: object) => WorkBook;
};
type Sheet = WorkSheet & { readonly '!data'?: readonly (readonly CellObject[] | undefined)[] };
type Parts = Map<string, Buffer>;

/**
 * @throws UsageError `damaged-file`, `unknown-sheet`, `no-rows`, `source-too-large`; EnvironmentError
 * `workbook-package-missing`
 */
export async function convertWorkbook(request: WorkbookRequest): Promise<WorkbookSummary> {
  const { fd, name, sheet: wanted } = request;
  const library = await loadLibrary();
  const parts: Parts = new Map();
  for (const entry of readDirectory(fd, name)) {
    if (/\.(?:xml|rels)$/i.test(entry.name)) parts.set(entry.name, readEntry(fd, entry, name));
  }
  if (parts.get('META-INF/manifest.xml')?.includes('encryption-data'))
    throw damaged(name, 'it has a password');
  const { SheetNames: names, Workbook } = parsed(library, parts, name, { sheets: [] });
  const isHidden = (index: number) => (Workbook?.Sheets?.[index]?.Hidden ?? 0) > 0;
  const visible = names.filter((_, index) => !isHidden(index));
  for (const one of wanted === undefined ? visible : [sheetNamed(wanted, names)]) {
    const written = writeRows(request, library, parts, names.indexOf(one));
    if (written === undefined && wanted === undefined) continue;
    const others = visible.filter((other) => other !== one);
    return { sheet: one, others, ...(written ?? { hiddenRows: 0, unsolved: 0, open: [] }) };
  }
  throw new UsageError('no-rows', `${name} has no sheet with a header and rows.`);
}

async function loadLibrary(): Promise<Library> {
  try {
    return (await import('@e965/xlsx')) as unknown as Library;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EnvironmentError('workbook-package-missing', INSTALL, { cause: error });
  }
}

const INSTALL =
  'Workbooks need a package that is not installed. Run "npm install @e965/xlsx", or save the sheet as CSV, then run the command again.';

function sheetNamed(wanted: string, names: readonly string[]): string {
  const plain = (name: string) => name.trim().toLowerCase();
  const found = names.find((one) => one === wanted) ?? names.find((one) => plain(one) === plain(wanted));
  if (found !== undefined) return found;
  const near = nearestWord(wanted, names);
  const advice = near ? `Did you mean "${near}"? ` : '';
  const message = `There is no sheet "${wanted}". ${advice}The workbook has: ${names.slice(0, 20).join(', ')}.`;
  throw new UsageError('unknown-sheet', message);
}

function parsed(library: Library, parts: Parts, name: string, options: object): WorkBook {
  const zip = {
    FullPaths: [...parts.keys()],
    FileIndex: [...parts].map(([path, content]) => ({ name: path, content, type: 2 })),
  };
  try {
    const asked = { type: 'buffer', dense: true, cellHTML: false, cellText: false, cellNF: true };
    return library.parse_zip(zip, { ...asked, sheetStubs: true, sheetRows: MAX_ROWS + 1, ...options });
  } catch (error) {
    throw damaged(name, (error as Error).message);
  }
}

function damaged(name: string, reason: string): UsageError {
  const message = `${name} cannot be read: ${reason}. Open it, save it again, and run the command again.`;
  return new UsageError('damaged-file', message);
}

function writeRows({ name, out }: WorkbookRequest, library: Library, parts: Parts, index: number) {
  const counts = { hiddenRows: 0, unsolved: 0 };
  const open = new Set<string>();
  const merged = createMerged();
  let wide = 0;
  let lines: string[] = [];
  const path = sheetPath(parts, index);
  for (const piece of piecesOf(parts, path)) {
    const { Sheets, SheetNames, Workbook } = parsed(library, piece, name, { sheets: [index] });
    const sheet = Sheets[SheetNames[index]!] as Sheet | undefined;
    const xml = piece.get(path ?? '')?.toString('latin1') ?? '';
    counts.hiddenRows += xml.match(HIDDEN_ROW)?.length ?? 0;
    if (!sheet) throw damaged(name, `its sheet "${SheetNames[index]}" is damaged`);
    const read = { library, date1904: Workbook?.WBProps?.date1904 ?? false };
    for (const [row, cells] of (sheet['!data'] ?? []).entries()) {
      if (!cells) continue;
      if (row >= MAX_ROWS) throw new UsageError('source-too-large', TOO_LONG);
      const own = Array.from(cells, (cell) => (cell ? textOf(cell, read) : ''));
      for (const [column, cell] of cells.entries()) {
        if (cell?.t !== 'z' || cell.f === undefined || own[column] !== '') continue;
        counts.unsolved++;
        open.add(library.utils.encode_col(column));
      }
      const texts = merged(sheet, row, own);
      if (texts.filter((text) => text !== '').length > 1) wide++;
      lines.push(`${JSON.stringify([row + 1, ...texts])}\n`);
    }
    if (wide < 2) continue;
    writeFileSync(out, lines.join(''));
    lines = [];
  }
  return wide < 2 ? undefined : { ...counts, open: [...open] };
}

const TOO_LONG = `The sheet has more than ${formatNumber(MAX_ROWS)} rows. Save it as CSV.`;

const HIDDEN_ROW = /<(?:\w+:)?row\s[^>]*\bhidden="(?:1|true)"/g;

function createMerged() {
  const open = new Map<number, { readonly last: number; readonly text: string }>();
  let known: Sheet['!merges'];
  let starts = new Map<string, number>();
  return (sheet: Sheet, row: number, texts: string[]): string[] => {
    if (known !== sheet['!merges']) {
      known = sheet['!merges'] ?? [];
      starts = new Map(known.filter(({ s, e }) => e.r > s.r).map(({ s, e }) => [`${s.r} ${s.c}`, e.r]));
    }
    for (const [column, text] of texts.entries()) {
      const last = text === '' ? undefined : starts.get(`${row} ${column}`);
      if (last !== undefined) open.set(column, { last, text });
    }
    for (const [column, { last, text }] of open) {
      if (last < row) open.delete(column);
      else texts[column] ||= text;
    }
    return Array.from(texts, (text) => text ?? '');
  };
}

/** Path of a sheet's file. Undefined if the file is missing, and for ODS, which has all sheets in one file. */
function sheetPath(parts: Parts, index: number): string | undefined {
  const tagsIn = (path: string, tag: string) =>
    parts
      .get(path)
      ?.toString()
      .match(new RegExp(`<(?:\\w+:)?${tag}\\s[^>]*>`, 'g')) ?? [];
  const id = / \w+:id=["']([^"']*)/.exec(tagsIn('xl/workbook.xml', 'sheet')[index] ?? '')?.[1];
  const relation = tagsIn('xl/_rels/workbook.xml.rels', 'Relationship').find(
    (tag) => id !== undefined && / Id=["']([^"']*)/.exec(tag)?.[1] === id,
  );
  // If the workbook does not name the sheet's file, the library uses the same fallback.
  const target = / Target=["']([^"']*)/.exec(relation ?? '')?.[1] ?? `worksheets/sheet${index + 1}.xml`;
  return [`xl/${target.replace(/^\/?xl\//, '')}`, target.replace(/^\//, '')].find((path) => parts.has(path));
}

function* piecesOf(parts: Parts, path: string | undefined): Generator<Parts> {
  const content = parts.get(path ?? '');
  if (path === undefined || !content) return yield parts;
  const others = [...parts].filter(([one]) => !/\/worksheets\/[^/]+\.xml$/i.test(one));
  for (const piece of content.length > PART ? dividedSheet(content) : [() => content])
    yield new Map([...others, [path, piece()]]);
}

function dividedSheet(content: Buffer): (() => Buffer)[] {
  const [opening = '', prefix = ''] =
    /<(\w+:)?sheetData>\s*<(?:\w+:)?row\s[^>]*\br="/.exec(content.toString('latin1', 0, 100_000)) ?? [];
  const start = opening === '' ? -1 : content.indexOf('sheetData>') + 'sheetData>'.length;
  const end = content.lastIndexOf(`</${prefix}sheetData>`);
  if (start < 0 || end < start) return [() => content];
  const pieces: (() => Buffer)[] = [];
  const rowEnd = `</${prefix}row>`;
  for (let at = start; at < end; ) {
    const found = content.indexOf(rowEnd, at + PART);
    const next = found < 0 || found > end ? end : found + rowEnd.length;
    const piece = [content.subarray(0, start), content.subarray(at, next), content.subarray(end)];
    pieces.push(() => Buffer.concat(piece));
    at = next;
  }
  return pieces;
}

const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

/** Formats with leading zeros, as for postal codes: 00000, 000-0000. */
const ZEROS = /^[^0#?.,%E/]*0[^0-9#?.,%E/]*0[^#?.,%E/]*$/i;

const CURRENCY = /\p{Sc}|(?<![\p{L}\d])[A-Z]{3}(?![\p{L}\d])/u;

/** Removes quotes, so that `#,##0.00\ "€";…` and `[$€-410] 0.00` show a plain €. `[$-410]` has only a locale. */
function literalsOf(format: string): string {
  const [first = ''] = format.split(';');
  return first.replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1').replace(/[\\"]/g, '');
}

function textOf(
  { t, f, v, z, w }: CellObject,
  { library: { SSF }, date1904 }: { library: Library; date1904: boolean },
): string {
  const link = f === undefined ? undefined : linkOfFormula(`=${f}`);
  if (link !== undefined) return link;
  if (t === 'z' || v === undefined || v === null) return '';
  if (t === 'e') return ERRORS[Number(v)] ?? w ?? '#ERROR!';
  if (typeof v !== 'number') return String(v);
  const format = String(z ?? 'General');
  if (SSF.is_date(format) && !/\[[hms]+\]/i.test(format) && SSF.parse_date_code(v, { date1904 })) {
    const text = SSF.format('yyyy-mm-dd"T"hh:mm:ss', v, { date1904 });
    return v < 1 ? text.replace(/^.*T|:00$/g, '') : text.replace('T00:00:00', '');
  }
  if (Number.isInteger(v) && v >= 0 && ZEROS.test(format.replace(/;.*$/s, '').replace(/"[^"]*"|\\./g, ''))) {
    return SSF.format(format, v).trim();
  }
  const plain = plainNumber(String(v));
  const [sign] = CURRENCY.exec(literalsOf(format)) ?? [];
  if (sign === undefined) return plain;
  const decimalsOf = (text = '') => text.split('.')[1]?.length ?? 0;
  const shown = decimalsOf(/[0#]\.0+/.exec(format)?.[0]);
  return `${decimalsOf(plain) > shown ? plain : v.toFixed(shown)} ${sign}`;
}
