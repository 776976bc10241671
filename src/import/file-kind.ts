/** `office`: a document that is not a workbook. */
export type FileKind = 'text' | 'gzip' | 'zip' | 'xlsx' | 'ods' | Refused;
type Refused = keyof typeof REFUSALS;

export const REFUSALS = {
  xls: 'is an Excel file of before 2007, or one with a password. Save it as .xlsx without a password.',
  xlsb: 'is a binary Excel file. Save it as .xlsx.',
  numbers: 'is a Numbers file. Export it as Excel or CSV.',
  office: 'is a document, not a table. Save its table as .xlsx or .csv.',
  packed: 'is packed in another way than gzip or zip. Unpack it, and import one table.',
  database: 'is a database. Export a table of it as CSV.',
  pdf: 'is a PDF document. Ask for the table as a spreadsheet or CSV.',
  image: 'is a picture.',
  html: 'is a web page, not a table: perhaps one that asks to sign in. Download the table itself.',
  xml: 'is XML. Save or export it as CSV or JSON.',
  lfs: 'is a pointer of Git LFS in place of the file. Run "git lfs pull".',
} as const;

const MAGIC: readonly (readonly [FileKind, RegExp])[] = [
  ['zip', /^PK(?:\x03\x04|\x05\x06)/],
  ['gzip', /^\x1f\x8b\x08/],
  ['xls', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|^\x09\x08[\x04\x08\x10]\x00/],
  [
    'packed',
    /^(?:BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07)/,
  ],
  ['packed', /^[\s\S]{257}ustar/],
  ['database', /^(?:PAR1|SQLite format 3\x00)/],
  ['pdf', /^%PDF-/],
  ['image', /^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP)/],
  ['html', /^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i],
  ['xml', /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|[A-Za-z][\w:.-]*[\s>])/],
  ['lfs', /^version https:\/\/git-lfs\.github\.com\//],
];

export function kindOf(head: Buffer): FileKind {
  const text = head.toString('latin1');
  return MAGIC.find(([, magic]) => magic.test(text))?.[0] ?? 'text';
}
