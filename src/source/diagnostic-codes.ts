/** All diagnostics, with texts for the generated reference page. A code is permanent: it is never renamed or reused. */
// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table of data, one entry for each code.

import { DEFAULT_PAGE_SIZE, MAX_VALUE_BYTES } from '../contract/parameters.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import { LONG_TEXT, LONG_TITLE, MAX_TEXT, MAX_TITLE } from '../contract/unicode.ts';
import { documentationUrl } from '../package/documentation.ts';

/** Settings of older versions, each with advice on what to use instead. */
export const REMOVED_SETTINGS: Readonly<Record<string, string>> = {
  remote_photos:
    'a photo with "url" is published as a link. For a thumbnail, write its link as "thumbnail" of that photo, or keep the photo in the content folder and name it with "file"',
};

export type DiagnosticArgs = Readonly<Record<string, string | number>>;

type FormArgs = {
  readonly label: string;
  readonly value: string;
  readonly meant: string;
  readonly message: string;
  readonly help: string;
  /** Whether the finding is about an entry of a list. */
  readonly isEntry: boolean;
};

export type DiagnosticEntry = {
  readonly severity: 'error' | 'warning';
  readonly message: (args: DiagnosticArgs) => string;
  readonly help: (args: DiagnosticArgs) => string;
  /** Texts for the editor's form, without names of fields or standards. @default message and help */
  readonly form?: (args: FormArgs) => readonly [message: string, help?: string];
  readonly explanation: string;
  readonly example: string;
  readonly repaired: string;
};

const AS_TEXT = 'Mend it in the text of the file.';
const ANEW = 'Remove it, and add it again.';
const COPY = 'Copy the property, which gives the copy a number, and remove this one.';
const CHOOSE = 'Choose one from the list.';
const FETCH =
  'The file itself was not fetched: run "git lfs pull". In a workflow, set "lfs: true" at actions/checkout; in GitLab, remove the variable GIT_LFS_SKIP_SMUDGE.';
const INSTEAD_OF_PHOTO: Readonly<Record<string, string>> = {
  'Git LFS pointer': FETCH,
  'git-annex pointer': 'The file itself was not fetched: run "git annex get".',
  part: 'The end of the file is missing: get the picture again.',
  text: 'A text, such as a pointer to the picture or the message of an error, was saved in place of the picture: get the picture again.',
  HTML: 'A web page, such as that of a login or an error, was saved in place of the picture: download the picture again.',
};
const NUMBERS = 'Write two numbers such as 53.27194, -9.04889, or choose the place on the map.';
const none = () => '';
const meant = (args: DiagnosticArgs) =>
  args.suggestion ? `Did you mean "${args.suggestion}"${args.name ? ` (${args.name})` : ''}?` : '';
const postalCodeHelp = (padded: string | number | undefined) =>
  padded ? `If a spreadsheet dropped the zero, write "${padded}".` : 'Check the code, and the country.';
const quoted = (value: string | number | undefined) => `"${value ?? ''}"`;
const sentences = (...parts: string[]) => parts.filter(Boolean).join(' ');

const entries = {
  // Files
  'empty-file': {
    severity: 'error',
    message: (args) => (args.comments ? 'The file has only comments.' : 'The file is empty.'),
    help: (args) =>
      args.comments
        ? 'Remove the "#" in front of its fields, or move the file out of the content folder to keep it.'
        : 'Write a property into it, or delete it.',
    form: () => ['This file holds no property.', 'Remove it, or write a property into it.'],
    explanation: 'Every YAML file of the content folder holds one property.',
    example: '# an empty file, or one with only comments',
    repaired: 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11\ntitle: Rose Cottage\n# ...',
  },
  'not-a-mapping': {
    severity: 'error',
    message: (args) => `The file holds ${args.found} where fields are expected.`,
    help: (args) =>
      String(args.advice || 'Write one property per file, as "field: value" lines without a leading dash.'),
    form: () => ['The text of this file is not a property.', AS_TEXT],
    explanation: 'A file holds the fields of one property at its top level.',
    example: '- title: Rose Cottage\n- title: Lime House',
    repaired: 'title: Rose Cottage',
  },
  'several-documents': {
    severity: 'error',
    message: () => 'The file holds several YAML documents, separated by "---" or "...".',
    help: (args) => String(args.advice || 'Move each property into a file of its own.'),
    form: () => ['This file holds several properties.', 'Each needs a file of its own.'],
    explanation: 'One file is one property, so that history and review show one property at a time.',
    example: 'title: Rose Cottage\n---\ntitle: Lime House',
    repaired: 'title: Rose Cottage',
  },
  'git-lfs-pointer': {
    severity: 'error',
    message: () => 'The file is a pointer of Git LFS, in place of the file itself.',
    help: () => FETCH,
    form: () => ['This file is not here as a whole.', 'Ask whoever set up this folder to fetch it.'],
    explanation:
      'Git Large File Storage keeps files elsewhere, and leaves a pointer of three lines where they are not fetched.',
    example: '# version https://git-lfs.github.com/spec/v1',
    repaired: '# the file itself, after "git lfs pull"',
  },
  'not-utf8': {
    severity: 'error',
    message: (args) => `The file is not UTF-8 text: byte ${args.byte} does not fit.`,
    help: () => 'Save it again with the encoding UTF-8.',
    form: () => ['The text of this file has letters that cannot be read.', AS_TEXT],
    explanation:
      'YAML files of a catalogue are UTF-8. Other encodings would turn accents into wrong letters.',
    example: '# a file saved as Latin-1 or UTF-16',
    repaired: '# the same file, saved as UTF-8',
  },
  'file-too-large': {
    severity: 'error',
    message: (args) => `The file has ${args.bytes} bytes; at most ${args.limit} are read.`,
    help: () => 'Check that the right file was saved here.',
    form: () => [
      'This file is too large for a property.',
      'A photo or a whole list may have been saved in its place.',
    ],
    explanation: 'A property is a few kilobytes of text. A file of this size is something else.',
    example: '# a photo, or a whole export, saved as .yaml',
    repaired: '# one property per file',
  },
  'unreadable-file': {
    severity: 'error',
    message: (args) => `The file cannot be read: ${args.reason}.`,
    help: () => 'Check that it exists and that its permissions let you read it.',
    explanation: 'A file that cannot be read would be missing from the catalogue, and its property with it.',
    example: '# a link to a file that was deleted',
    repaired: '# the file itself',
  },
  'unreadable-folder': {
    severity: 'error',
    message: (args) => `The folder cannot be listed: ${args.reason}.`,
    help: () => 'Check that its permissions let you read it.',
    explanation: 'The files of a folder that cannot be read would be missing from the catalogue.',
    example: '# a folder of another user, without read permission',
    repaired: '# the same, readable',
  },
  'illegible-name': {
    severity: 'error',
    message: () =>
      'The name has a line break, a control character or a mark of writing direction in it, or is not UTF-8.',
    help: () => 'Rename it.',
    explanation: 'Such a name cannot be shown in a message, and looks like other names.',
    example: '# a file whose name was written as Latin-1',
    repaired: '# cottage.yaml',
  },
  'not-a-file': {
    severity: 'error',
    message: (args) => `This is ${args.found}, not a file.`,
    help: () => 'Remove it, or put a regular file in its place.',
    explanation: 'Only regular files are read: a pipe or a device would make a build wait for ever.',
    example: '# a named pipe called cottage.yaml',
    repaired: '# a regular file',
  },
  'folder-named-like-a-file': {
    severity: 'warning',
    message: () => 'This is a folder, though its name ends like that of a YAML file.',
    help: () => 'Rename the folder. The files inside it are read all the same.',
    explanation: 'A folder with the name of a file is nearly always a mistake.',
    example: '# content/cottage.yaml/ is a folder',
    repaired: '# content/cottage/',
  },
  'outside-content': {
    severity: 'error',
    message: (args) => `The link leads out of the content folder, to ${quoted(args.target)}.`,
    help: () => 'Copy the file into the content folder.',
    form: () => ['This file lies outside the folder of the catalogue.', 'Copy it into that folder.'],
    explanation: 'Everything that is published lies in the content folder, so that a review shows all of it.',
    example: '# content/cottage.yaml is a link to /home/me/cottage.yaml',
    repaired: '# content/cottage.yaml is the file itself',
  },
  'misnamed-configuration': {
    severity: 'error',
    message: () =>
      'The settings of a catalogue are in "catalogue.yaml" at the top of the content folder, and this is another file.',
    help: (args) =>
      args.right ? 'Delete it, or move its settings to catalogue.yaml.' : 'Rename it to catalogue.yaml.',
    explanation:
      'Under any other name the settings would have no effect: neither the address nor the keys of the API. A property may have any name but this one.',
    example: '# content/catalogue.yml',
    repaired: '# content/catalogue.yaml',
  },
  // YAML
  'yaml-syntax': {
    severity: 'error',
    message: (args) => `YAML cannot be read here: ${args.reason}`,
    help: (args) => String(args.advice ?? ''),
    form: () => ['The text of this file cannot be read from here on.', AS_TEXT],
    explanation:
      'The file breaks a rule of YAML. Frequent causes: a tab where spaces are needed, a quote that is not closed, an indentation that does not match, a colon or a # inside a value without quotes.',
    example: 'title: "Rose Cottage\ncity: Galway',
    repaired: 'title: "Rose Cottage"\ncity: Galway',
  },
  'duplicate-key': {
    severity: 'error',
    message: (args) => `The field ${quoted(args.key)} occurs twice; the first time in line ${args.line}.`,
    help: () => 'Keep one of the two.',
    form: () => ['One field occurs twice in the file.', AS_TEXT],
    explanation: 'A field has one value. With two, the right one is unknown.',
    example: 'city: Galway\ncity: Cork',
    repaired: 'city: Galway',
  },
  'too-many-aliases': {
    severity: 'error',
    message: () => 'The aliases (*name) of this file expand to far more than a property can hold.',
    help: () => 'Write the values out.',
    form: () => ['The text of this file refers to itself too often.', AS_TEXT],
    explanation: 'Aliases of aliases can make a small file grow without bounds.',
    example: '# a: &a [x, x]\n# b: &b [*a, *a] and so on',
    repaired: 'facilities: [wifi, parking]',
  },
  'nested-too-deep': {
    severity: 'error',
    message: (args) => `Lists and mappings are nested more than ${args.limit} deep here.`,
    help: () => 'Look for a stray "[", "{" or "- ".',
    form: () => ['The text of this file has lists within lists, too many of them.', AS_TEXT],
    explanation:
      'No field of a property nests that deep. Some files are made to exhaust the program that reads them.',
    example: 'facilities: [[[[[[[[[[[[[[[[[[[[[wifi]]]]]]]]]]]]]]]]]]]]]',
    repaired: 'facilities: [wifi]',
  },
  'too-many-tokens': {
    severity: 'error',
    message: (args) => `The file goes on here after ${args.limit} words, marks and line ends.`,
    help: () => 'Check that the right file was saved here; a property is far shorter.',
    form: () => ['This file is too long for a property.', 'A whole list may have been saved in its place.'],
    explanation: 'A file of this length is more than one property.',
    example: '# a whole export, saved as one .yaml',
    repaired: '# one property per file',
  },
  // Fields
  'unknown-key': {
    severity: 'error',
    message: (args) => `There is no field ${quoted(args.key)}${args.within ? ` in ${args.within}` : ''}.`,
    help: (args) => {
      if (args.present) return `It is called "${args.present}", which is there already: keep one of the two.`;
      if (args.policy) {
        return `Write it as an entry of "hotel_policy", with "policy_type: ${args.policy}" and a "detail".`;
      }
      if (args.language && !args.suggestion)
        return `Add "${args.language}" to "languages" in catalogue.yaml, whose first language has no mark.`;
      if (args.declare) {
        const mistyped = args.own
          ? 'Correct it, or declare'
          : args.meant
            ? `Name it ${quoted(args.meant)}, and declare`
            : 'Declare';
        const option = args.option ? `, or import with ${args.option}` : '';
        return `${mistyped} it: below "fields" in catalogue.yaml, add "${args.declare}"${option}.`;
      }
      return meant(args) || `Known fields: ${args.known}.`;
    },
    form: ({ label, meant }) => [
      `The file has something called "${label}", which the catalogue does not know.`,
      meant && `It may be the ${meant.toLowerCase()}.`,
    ],
    explanation: 'An unknown field is nearly always misspelt, and its value would be lost.',
    example: 'titel: Rose Cottage',
    repaired: 'title: Rose Cottage',
  },
  'merge-key': {
    severity: 'error',
    message: () => 'The merge key "<<" takes fields from another place, which is not supported.',
    help: () => 'Write these fields out here, and delete the line.',
    form: () => ['The text of this file takes fields from another place.', AS_TEXT],
    explanation:
      'Merge keys belong to YAML 1.1; YAML 1.2 has none. Everyone can read a file that has all of its fields.',
    example: '<<: {state: Connacht}',
    repaired: 'state: Connacht',
  },
  'missing-key': {
    severity: 'error',
    message: (args) =>
      `The field ${quoted(args.key)} ${args.empty ? 'has no value' : 'is missing'}${args.within ? ` in ${args.within}` : ''}.`,
    help: (args) =>
      `${args.empty ? 'Fill it in' : 'Add it'}${args.example ? `, for example "${args.key}: ${args.example}"` : ''}.`,
    form: ({ label }) => [`${label} is missing.`],
    explanation: 'A property needs id, title, currency, city, country, latitude and longitude.',
    example: 'title: Rose Cottage\n# no currency',
    repaired: 'title: Rose Cottage\ncurrency: EUR',
  },
  'wrong-type': {
    severity: 'error',
    message: (args) => `Expected ${args.expected} here, and found ${args.found}.`,
    help: (args) => String(args.advice ?? ''),
    form: ({ label }) => [
      `${label} is written in a way that this form cannot show.`,
      'Remove it, and fill it in again.',
    ],
    explanation:
      'Lists are written with dashes, one entry a line; mappings as indented "field: value" lines.',
    example: 'facilities: wifi',
    repaired: 'facilities:\n  - wifi',
  },
  'empty-text': {
    severity: 'error',
    message: () => 'The text is empty.',
    help: () => 'Fill it in, or delete the line where the field is optional.',
    form: ({ label }) => [`${label} is empty.`],
    explanation: 'This text is shown to guests, or searched by them.',
    example: "title: ''",
    repaired: 'title: Rose Cottage',
  },
  'control-character': {
    severity: 'error',
    message: (args) =>
      args.character === 'U+000A'
        ? 'The text has a line break in it.'
        : `The text has the control character ${args.character} in it.`,
    help: (args) =>
      args.character === 'U+000A'
        ? 'Write it on one line. Only the detail of a policy and the description of a photo may have several.'
        : args.character === 'U+000D'
          ? 'Save the file with the line ends of Unix or Windows.'
          : 'Delete the character, or type the text again.',
    form: ({ label, value }) =>
      value.includes('\n')
        ? [`${label} has a line break in it.`, 'Write it on one line.']
        : [`${label} has an invisible character in it.`, 'Type it again instead of pasting it.'],
    explanation:
      'Control characters, line breaks and tabs among them, break the layout of everything that shows them. Line breaks may stand in the detail of a policy and in the description of a photo.',
    example: 'title: "Rose\\tCottage"',
    repaired: 'title: Rose Cottage',
  },
  placeholder: {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is what a program writes where there is no value.`,
    help: () => 'Write the text itself; look it up where this one was copied from.',
    form: ({ label, value }) => [`${label} says "${value}", which stands for no value.`, 'Fill it in.'],
    explanation:
      'Spreadsheets write #N/A, #REF! and the like (in the language of their user) where a formula fails; databases and programs write \\N, NULL, undefined or NaN. In a required text that is an error.',
    example: 'title: "#REF!"',
    repaired: 'title: Rose Cottage',
  },
  'text-too-long': {
    severity: 'error',
    message: (args) => `The text has ${args.length} characters; it may have ${args.limit}.`,
    help: () => 'Shorten it: a whole page, or several rows of a table, may have been pasted here.',
    explanation: 'Every guest loads the texts of a property. One of this length is something else.',
    example: `# a text of ${MAX_TEXT + 1} letters`,
    repaired: '# the part of it that guests need',
  },
  'direction-mark': {
    severity: 'error',
    message: (args) => `The text has ${args.character} in it, an invisible mark of writing direction.`,
    help: () => 'Type the text again instead of pasting it.',
    form: ({ label }) => [
      `${label} has an invisible character in it.`,
      'Type it again instead of pasting it.',
    ],
    explanation:
      'Such marks come along when text is pasted. They are invisible, hide a city from filters, and can change the order in which a text appears.',
    example: 'city: "Galway\\u200e"',
    repaired: 'city: Galway',
  },
  'invalid-unicode': {
    severity: 'error',
    message: (args) => `The text has ${args.character} in it, half of a character.`,
    help: () => 'Type the text again.',
    form: ({ label }) => [`${label} has a broken character in it.`, 'Type it again.'],
    explanation: 'Half of a surrogate pair cannot be written as UTF-8.',
    example: 'title: "Rose \\ud83d Cottage"',
    repaired: 'title: Rose Cottage',
  },
  'too-many-marks': {
    severity: 'error',
    message: (args) => `The text has more than ${args.limit} accents on one letter.`,
    help: () => 'Type the text again.',
    explanation:
      'No language puts so many combining marks in a row (Unicode UAX #15). Programs that show or compare such a text may take very long.',
    example: '# a letter with a tower of accents above it',
    repaired: '# the letter',
  },
  'invalid-id': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a UUID.`,
    help: () => 'Use 32 hexadecimal digits in the groups 8-4-4-4-12, as "uuidgen" prints them.',
    form: ({ isEntry }) => [
      `The number by which the catalogue knows this ${isEntry ? 'photo' : 'property'} is not valid.`,
      isEntry ? ANEW : COPY,
    ],
    explanation: 'The id is the address of the property in the API (RFC 9562).',
    example: 'id: rose-cottage',
    repaired: 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  },
  'reserved-id': {
    severity: 'error',
    message: () => 'The id is a UUID that stands for "no id".',
    help: (args) =>
      args.within
        ? 'Delete the line: the build makes the id of a photo from its file or link.'
        : 'Delete the line, and run "catalogue check --fix": it writes a fresh UUID.',
    form: ({ isEntry }) => [
      `The number by which the catalogue knows this ${isEntry ? 'photo' : 'property'} stands for "none".`,
      isEntry ? ANEW : COPY,
    ],
    explanation:
      'Programs write the nil UUID (only zeros) and the max UUID (only f) where there is none (RFC 9562, 5.9 and 5.10). Two such rows would collide.',
    example: 'id: 00000000-0000-0000-0000-000000000000',
    repaired: 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  },
  'unknown-currency': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not the code of a currency in use.`,
    help: (args) => sentences(meant(args), args.suggestion ? '' : 'Use an ISO 4217 code, such as EUR.'),
    form: ({ value, meant }) => [
      `"${value}" is not a currency in use.`,
      meant ? `Did you mean ${meant}?` : CHOOSE,
    ],
    explanation: 'Prices are in a currency of ISO 4217 that is legal tender somewhere today.',
    example: 'currency: Euro',
    repaired: 'currency: EUR',
  },
  'unknown-country': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not the code of a country.`,
    help: (args) =>
      sentences(meant(args), args.suggestion ? '' : 'Use an ISO 3166-1 alpha-2 code, such as IE.'),
    form: ({ value, meant }) => [`"${value}" is not a country.`, meant ? `Did you mean ${meant}?` : CHOOSE],
    explanation: 'Consumers filter by the two upper-case letters of ISO 3166-1; XK stands for Kosovo.',
    example: 'country: Ireland',
    repaired: 'country: IE',
  },
  'invalid-email': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not an e-mail address.`,
    help: (args) =>
      /[^ -~].*@/.test(String(args.value ?? ''))
        ? 'Write the part before the @ in plain letters, without accents: few mail programs deliver others.'
        : 'Write one plain address, such as stay@rosecottage.example.',
    explanation:
      'Guests write to this address. With a mistake in it, their inquiry is lost. The part behind the @ may have letters of any language: it is published in its ASCII form (IDNA), such as xn--mwe-haus-n4a.de for möwe-haus.de.',
    example: 'email: stay at rosecottage.example',
    repaired: 'email: stay@rosecottage.example',
  },
  'invalid-phone': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a possible phone number.`,
    help: (args) =>
      args.suggestion
        ? meant(args)
        : String(args.value ?? '').startsWith('+')
          ? 'Check the digits: too many, too few, or an unknown country calling code.'
          : 'Start with + and the country calling code, such as +353 1 605 7700.',
    form: ({ value, meant }) => [
      `"${value}" is not a phone number that guests can dial from abroad.`,
      meant
        ? `Did you mean ${meant}?`
        : 'Write the whole number: as you dial it from another town, or with + and the number of the country, such as +353 1 605 7700.',
    ],
    explanation: 'Guests call from abroad: a number starts with + and its country calling code (E.164).',
    example: 'phone: 01 605 7700',
    repaired: 'phone: +353 1 605 7700',
  },
  'invalid-latitude': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a latitude.`,
    help: (args) =>
      sentences(meant(args), 'Write decimal degrees from -90 to 90 with a point, such as 53.27194.'),
    form: ({ value }) => [`"${value}" is no place on the map.`, NUMBERS],
    explanation:
      'The number is published as typed, so it has to be a plain decimal, without exponent or plus sign.',
    example: "latitude: 53°16'",
    repaired: 'latitude: 53.26667',
  },
  'invalid-longitude': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a longitude.`,
    help: (args) =>
      sentences(meant(args), 'Write decimal degrees from -180 to 180 with a point, such as -9.04889.'),
    form: ({ value }) => [`"${value}" is no place on the map.`, NUMBERS],
    explanation:
      'The number is published as typed, so it has to be a plain decimal, without exponent or plus sign.',
    example: 'longitude: 9.04889 W',
    repaired: 'longitude: -9.04889',
  },
  'city-too-long': {
    severity: 'error',
    message: (args) => `The city has ${args.bytes} bytes; it may have ${args.limit}.`,
    help: () => 'Shorten it, and keep the rest for "state" or "address".',
    form: () => ['The name of the city is too long.', 'Write the rest of it under State or Address.'],
    explanation: `The filter of the API takes a city of at most ${MAX_VALUE_BYTES} bytes of UTF-8.`,
    example: '# a city of 121 letters',
    repaired: 'city: Galway',
  },
  'title-too-long': {
    severity: 'error',
    message: (args) => `The title has ${args.length} characters; it may have ${args.limit}.`,
    help: () => 'Shorten it to the name of the property.',
    explanation: 'Lists and maps show the title. A text of this length is a description.',
    example: `# a title of ${MAX_TITLE + 1} letters`,
    repaired: 'title: Rose Cottage',
  },
  'invalid-boolean': {
    severity: 'error',
    message: (args) => `Expected true or false, and found ${quoted(args.value)}.`,
    help: (args) => meant(args) || 'Write true or false.',
    form: ({ value }) => [`"${value}" is neither yes nor no.`, 'Tick the box, or leave it empty.'],
    explanation: 'YAML has had many spellings of yes and no; here only true and false count.',
    example: 'payment_method:\n  - is_enabled: yes\n    method_type: direct',
    repaired: 'payment_method:\n  - is_enabled: true\n    method_type: direct',
  },
  'invalid-value': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not ${args.type}.`,
    help: (args) => meant(args) || `Write ${args.type}, such as ${args.example}.`,
    form: ({ label, value, help }) => [`${label}: "${value}" cannot be read.`, help],
    explanation:
      'A declared field has a type. Whole numbers have digits only, numbers a point and no comma, dates year, month and day, times hours and minutes from 00:00 to 24:00. A field without a value is left out.',
    example: '# fields: { max_guests: {} } in catalogue.yaml\nmax_guests: six',
    repaired: 'max_guests: 6',
  },
  'out-of-range': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not ${args.limits}.`,
    help: () => 'Correct it, or change the limits of the field in catalogue.yaml.',
    form: ({ label, message }) => [`${label}: ${message}`],
    explanation: 'A declared field has limits, its own or those that catalogue.yaml gives it.',
    example: '# fields: { stars: {} } in catalogue.yaml\nstars: 7',
    repaired: 'stars: 5',
  },
  'invalid-link': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a link.`,
    help: (args) =>
      meant(args) || 'Give the whole link, starting with https:// or http://, without spaces and passwords.',
    form: ({ value }) => [`"${value}" is not a link.`, 'A link starts with https:// and has no spaces.'],
    explanation: 'Only links of the web are published: what shows them can rely on that.',
    example: '# fields: { website: {} } in catalogue.yaml\nwebsite: www.rosecottage.example',
    repaired: 'website: https://www.rosecottage.example',
  },
  'invalid-language': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not the tag of a language.`,
    help: (args) => meant(args) || 'Write a tag such as en or pt-BR.',
    form: ({ value }) => [
      `"${value}" is not the short form of a language.`,
      'Write en for English, fr for French.',
    ],
    explanation: 'Tags of languages (BCP 47) are understood by every program; names differ by language.',
    example: '# fields: { spoken_languages: {} } in catalogue.yaml\nspoken_languages: [EN]',
    repaired: 'spoken_languages: [en]',
  },
  'unknown-choice': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not among the choices of this field.`,
    help: (args) => meant(args) || `Write one of: ${args.known}.`,
    form: ({ value, meant }) => [
      `"${value}" is not among the choices.`,
      meant ? `Did you mean "${meant}"?` : CHOOSE,
    ],
    explanation:
      'The values of a choice are declared in catalogue.yaml, so that all properties use the same.',
    example: '# fields: { property_type: {} } in catalogue.yaml\nproperty_type: Cottage',
    repaired: 'property_type: cottage',
  },
  'too-many-entries': {
    severity: 'error',
    message: (args) => `The list has ${args.count} entries; it may have ${args.limit}.`,
    help: () => 'Shorten it.',
    explanation: 'A list of this length is not about one property.',
    example: '# a list of 101 registration numbers',
    repaired: 'registration_number: [ES-0123456]',
  },
  'repeated-entry': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is in the list already, as entry ${args.first}.`,
    help: () => 'Delete one of the two.',
    explanation: 'A list of values has each once.',
    example: '# fields: { spoken_languages: {} } in catalogue.yaml\nspoken_languages: [en, en]',
    repaired: 'spoken_languages: [en]',
  },
  'detail-too-large': {
    severity: 'error',
    message: (args) => `The property would be published as ${args.bytes} bytes; at most ${args.limit} are.`,
    help: (args) => `Shorten the longest texts: ${args.longest}.`,
    form: ({ message, help }) => [message, help],
    explanation: 'Everything about one property is one answer of the API, which phones load too.',
    example: '# descriptions of 20,000 letters in eight languages',
    repaired: 'description: A quiet house by the sea.',
  },
  'undeclared-field': {
    severity: 'error',
    message: (args) =>
      `The field ${quoted(args.key)} of ${args.count} files is declared nowhere; the first is ${args.first}.`,
    help: (args) => String(args.advice ?? ''),
    form: () => ['Many properties have a line that the catalogue does not know.', AS_TEXT],
    explanation:
      'A field that many files have is declared in catalogue.yaml, or its line was removed there. One message stands for all of these files.',
    example: '# sauna: wood in more than twenty files',
    repaired: '# in catalogue.yaml\nfields:\n  sauna: { type: text }',
  },
  'invalid-time': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a date, nor a time with its offset.`,
    help: (args) =>
      meant(args) ||
      'Write a date such as 2027-04-01, or a time with its offset such as 2027-04-01T10:00:00+02:00 (Z stands for UTC).',
    form: ({ value }) => [`"${value}" is not a date.`, 'Write year, month and day, such as 2027-04-01.'],
    explanation:
      'Dates are written year, month, day (ISO 8601), so that no reader takes a day for a month. A time has its offset from UTC (RFC 3339): without it, the same file would mean another time on another machine.',
    example: 'live_from: 01/04/2027',
    repaired: 'live_from: 2027-04-01',
  },
  'live-times-reversed': {
    severity: 'error',
    message: (args) =>
      `The property would never be published: live_until (${args.until}) is not after live_from (${args.from}).`,
    help: () => 'Correct one of the two. A date in live_until is the last day.',
    form: () => [
      'The last day comes before the first, so guests would never see this property.',
      'Correct one of the two.',
    ],
    explanation: 'A property is published from live_from on, and up to live_until.',
    example: 'live_from: 2027-04-01\nlive_until: 2026-09-30',
    repaired: 'live_from: 2027-04-01\nlive_until: 2027-09-30',
  },
  'no-longer-live': {
    severity: 'warning',
    message: (args) => `The property is not published any more: its live_until was ${args.until}.`,
    help: () => 'Write a later date, or delete the file.',
    form: ({ value }) => [
      `The last day was ${value}: guests do not see this property any more.`,
      'Choose a later day, or leave it empty.',
    ],
    explanation: 'A property whose time is over stays in the repository, and in no answer of the API.',
    example: 'live_until: 2020-09-30',
    repaired: 'live_until: 2027-09-30',
  },
  'overdue-draft': {
    severity: 'warning',
    message: (args) => `The property is still a draft, though its live_from was ${args.from}.`,
    help: () => 'Remove the line "draft: true" to publish it, or write a later date.',
    form: () => [
      'This is still a draft, though its first day has come.',
      'Untick Draft to show it, or choose a later day.',
    ],
    explanation: 'A draft is not published, whatever its dates are.',
    example: 'draft: true\nlive_from: 2020-04-01',
    repaired: 'live_from: 2020-04-01',
  },
  'unknown-method-type': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a method type.`,
    help: (args) =>
      sentences(meant(args), args.suggestion ? '' : `Write one of: ${PAYMENT_METHOD_TYPES.join(', ')}.`),
    form: ({ value, meant }) => [
      `"${value}" is not a way to pay.`,
      meant ? `Did you mean "${meant}"?` : CHOOSE,
    ],
    explanation: 'direct: through a payment gateway; property: on site or through the owner.',
    example: 'payment_method:\n  - is_enabled: true\n    method_type: cash',
    repaired: 'payment_method:\n  - is_enabled: true\n    method_type: property',
  },
  // Photos
  'photo-source': {
    severity: 'error',
    message: (args) =>
      args.given === 'both' ? 'The photo has a file and a url.' : 'The photo has neither a file nor a url.',
    help: () => 'Give one of them: "file: front.jpg" or "url: https://...".',
    form: () => ['This photo is no picture yet, or two at once.', ANEW],
    explanation: 'A photo is a file of the content folder, or a link.',
    example: 'photo:\n  - description: The garden',
    repaired: 'photo:\n  - file: garden.jpg\n    description: The garden',
  },
  'needless-thumbnail': {
    severity: 'error',
    message: () => 'The photo is a file, and names a thumbnail.',
    help: () => 'Delete the thumbnail: it is made from the file.',
    form: () => ['This photo has a small form of its own, which the catalogue makes by itself.', ANEW],
    explanation:
      'The build makes the thumbnail of a file. Only a photo that is a link may name a thumbnail, as another link.',
    example: 'photo:\n  - file: garden.jpg\n    thumbnail: https://photos.example/small.jpg',
    repaired:
      'photo:\n  - url: https://photos.example/garden.jpg\n    thumbnail: https://photos.example/small.jpg',
  },
  'invalid-url': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not an https link.`,
    help: () => 'Give the whole link, starting with https:// and without spaces.',
    form: ({ value }) => [
      `"${value}" is not a link to a photo.`,
      'A link starts with https:// and has no spaces.',
    ],
    explanation: 'Pages served over https cannot show a picture from http.',
    example: 'photo:\n  - url: www.photos.example/a.jpg',
    repaired: 'photo:\n  - url: https://www.photos.example/a.jpg',
  },
  'invalid-photo-path': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a path relative to this file.`,
    help: () => 'Write the path from this YAML file to the photo, with / between folders.',
    form: ({ value }) => [`"${value}" is no photo of the catalogue.`, ANEW],
    explanation: 'Paths that start at a disk or at a home folder are different on every machine.',
    example: 'photo:\n  - file: C:\\Photos\\front.jpg',
    repaired: 'photo:\n  - file: ../photos/front.jpg',
  },
  'logo-unusable': {
    severity: 'error',
    message: (args) => `The logo ${quoted(args.path)} cannot be used: ${args.reason}.`,
    help: (args) =>
      INSTEAD_OF_PHOTO[String(args.format)] ??
      'Name a PNG, JPEG, WebP or AVIF file of at most 200 KB in the content folder.',
    explanation:
      'The logo is published unchanged, and every visitor loads it. An SVG can hold scripts, which would run with the rights of the catalogue: export it as PNG.',
    example: '# logo: logo.svg in catalogue.yaml',
    repaired: '# logo: logo.png, with a file logo.png beside it',
  },
  'photo-missing': {
    severity: 'error',
    message: (args) => `There is no photo at ${quoted(args.path)}.`,
    help: (args) =>
      sentences(meant(args), args.suggestion ? '' : 'Commit the photo too, or correct the path.'),
    form: ({ value }) => [`The photo "${value}" is not there.`, ANEW],
    explanation: 'The path is relative to the YAML file. Upper and lower case matter.',
    example: 'photo:\n  - file: Front.JPG   # the file is front.jpg',
    repaired: 'photo:\n  - file: front.jpg',
  },
  'photo-outside-content': {
    severity: 'error',
    message: (args) => `The photo ${quoted(args.path)} is outside the content folder.`,
    help: () => 'Copy it into the content folder.',
    form: ({ value }) => [`The photo "${value}" lies outside the catalogue.`, ANEW],
    explanation: 'What is published comes only from the content folder.',
    example: 'photo:\n  - file: ../../../secret.jpg',
    repaired: 'photo:\n  - file: ../photos/front.jpg',
  },
  'photo-unreadable': {
    severity: 'error',
    message: (args) =>
      `The photo ${quoted(args.path)} cannot be read${args.reason ? `: ${args.reason}` : ''}.`,
    help: () => 'Check that it is a regular file that you may read.',
    form: ({ value }) => [`The photo "${value}" cannot be opened.`, ANEW],
    explanation: 'A photo that cannot be read cannot be published.',
    example: '# a folder, a pipe, or a file without read permission',
    repaired: '# a regular file',
  },
  'photo-corrupt': {
    severity: 'error',
    message: (args) =>
      `The photo ${quoted(args.path)} is damaged or cut off${args.reason ? `: ${args.reason}` : ''}.`,
    help: () => 'Export or copy it again from the original.',
    form: ({ value }) => [
      `The photo "${value}" is damaged or cut off.`,
      'Remove it, and add it again from the original.',
    ],
    explanation: 'A half-copied photo would show a grey stripe, or nothing, to every guest.',
    example: '# a photo whose upload was interrupted',
    repaired: '# the whole photo',
  },
  'photo-unsupported': {
    severity: 'error',
    message: (args) =>
      `The photo ${quoted(args.path)} is of a format that cannot be published${args.format ? ` (${args.format})` : ''}.`,
    help: (args) => INSTEAD_OF_PHOTO[String(args.format)] ?? 'Save it as JPEG, PNG, WebP, AVIF, GIF or TIFF.',
    form: ({ value }) => [
      `The photo "${value}" is of a kind that cannot be shown.`,
      'Save it as JPEG or PNG, and add it again.',
    ],
    explanation: 'Export HEIC (the format of many phones) and drawings such as SVG as a JPEG or PNG first.',
    example: 'photo:\n  - file: IMG_5195.HEIC',
    repaired: 'photo:\n  - file: IMG_5195.jpg',
  },
  'photo-too-large': {
    severity: 'error',
    message: (args) =>
      `The photo ${quoted(args.path)} has too many pixels${args.width ? `: ${args.width} x ${args.height}` : ''}.${args.limit ? ` At most ${Math.floor(Number(args.limit) / 1e6)} megapixels of such a file are decoded.` : ''}`,
    help: () => 'Scale it down before you commit it, or save it as a JPEG.',
    form: ({ value }) => [
      `The photo "${value}" is too large.`,
      'Make it smaller, or save it as JPEG, and add it again.',
    ],
    explanation:
      'Decoding such a picture takes gigabytes of memory. Some files are made to do that. The limit is 120 megapixels, and lower for files that are decoded as a whole with many bytes per pixel: 27 for AVIF (20 with more than 8 bits a channel), 90 for a progressive JPEG with full colours, 67 for an interlaced PNG with transparency and 16 bits a channel.',
    example: '# a picture of 50,000 x 50,000 pixels',
    repaired: '# the same at 4,000 x 3,000',
  },
  'photo-animated': {
    severity: 'warning',
    message: (args) => `The photo ${quoted(args.path)} is animated; only its first picture is published.`,
    help: () => 'Use a still picture.',
    form: ({ value }) => [`The photo "${value}" moves: guests see its first picture.`],
    explanation: 'A photo shows one moment: only its first picture is published.',
    example: 'photo:\n  - file: tour.gif',
    repaired: 'photo:\n  - file: front.jpg',
  },
  'invalid-position': {
    severity: 'error',
    message: (args) => `${quoted(args.value)} is not a position.`,
    help: () => 'Write 1, 2, 3 and so on, or delete the line to keep the order of the list.',
    form: ({ value }) => [`"${value}" is no place in the order of the photos.`, ANEW],
    explanation: 'Positions count from 1; the photo with the lowest one is the thumbnail.',
    example: 'photo:\n  - file: front.jpg\n    position: first',
    repaired: 'photo:\n  - file: front.jpg\n    position: 1',
  },
  'duplicate-position': {
    severity: 'error',
    message: (args) => `Photo ${args.first} has position ${args.position} already.`,
    help: () =>
      'Give each photo a position of its own, or delete all positions to keep the order of the list.',
    form: () => ['Two photos have the same place in the order.', ANEW],
    explanation: 'A photo without a position takes its place in the list, counted from 1.',
    example: 'photo:\n  - file: a.jpg\n    position: 2\n  - file: b.jpg',
    repaired: 'photo:\n  - file: a.jpg\n  - file: b.jpg',
  },
  'duplicate-photo': {
    severity: 'error',
    message: (args) => `This is the same photo as photo ${args.first}.`,
    help: () => 'Delete one of the two, or give them ids.',
    form: () => ['This photo is there twice.', 'Remove one of the two.'],
    explanation: 'The id of a photo is made from its file or link, and has to be unique.',
    example: 'photo:\n  - file: a.jpg\n  - file: a.jpg',
    repaired: 'photo:\n  - file: a.jpg',
  },
  // Across files
  'duplicate-id': {
    severity: 'error',
    message: (args) => `The id ${args.id} is also used by ${args.other}.`,
    help: () => 'Give one of the two properties a new UUID; a copied file needs one of its own.',
    form: ({ message }) => [
      `Another file has the number of this property: ${message.replace(/^.* used by /, '')}`,
      'It is a copy: remove one of the two files.',
    ],
    explanation: 'The id is the address of a property. With two of them, one would hide the other.',
    example: '# two files with the same id',
    repaired: '# each file with its own id',
  },
  'similar-city': {
    severity: 'warning',
    message: (args) =>
      `${quoted(args.city)} stands ${args.count === 1 ? 'once' : `${args.count} times`} in ${args.country}, ${quoted(args.other)} ${args.otherCount === 1 ? 'once' : `${args.otherCount} times`}.`,
    help: (args) => `If it is the same city, write "${args.other}".`,
    form: ({ value, help }) => [
      `Other properties write "${value}" in another way: guests who search for one do not find the other.`,
      help,
    ],
    explanation: 'The filter is exact: a search for one spelling does not find the other.',
    example: 'city: Dun Laoghaire   # elsewhere: Dún Laoghaire',
    repaired: 'city: Dún Laoghaire',
  },
  // Doubtful values
  'missing-email': {
    severity: 'warning',
    message: () => 'The property has no e-mail address.',
    help: () => 'Add it, for example "email: stay@rosecottage.example".',
    form: () => ['Guests cannot write: there is no e-mail address.'],
    explanation: 'Guests cannot write. The API returns an empty text.',
    example: '# no email',
    repaired: 'email: stay@rosecottage.example',
  },
  'missing-phone': {
    severity: 'warning',
    message: () => 'The property has no phone number.',
    help: () => 'Add it, for example "phone: +353 1 605 7700".',
    form: () => ['Guests cannot call: there is no phone number.'],
    explanation: 'Guests cannot call. The API returns an empty text.',
    example: '# no phone',
    repaired: 'phone: +353 1 605 7700',
  },
  'doubtful-phone': {
    severity: 'warning',
    message: (args) => `${quoted(args.value)} is in no range of numbers that is in use.`,
    help: () => 'Check the digits.',
    form: ({ value }) => [`"${value}" is probably not a real phone number.`, 'Check the digits.'],
    explanation:
      'Its country assigns no such number (libphonenumber). Import also doubts one that a spreadsheet may have rounded.',
    example: 'phone: +353 67 000 0000',
    repaired: 'phone: +353 1 605 7700',
  },
  'doubtful-postal-code': {
    severity: 'warning',
    message: (args) => `${quoted(args.value)} does not look like a postal code of ${args.country}.`,
    help: ({ suggestion }) => postalCodeHelp(suggestion),
    form: ({ value, help }) => [`"${value}" does not look like a postal code of this country.`, help],
    explanation: 'The code is published as typed, but does not match the pattern of its country.',
    example: 'country: IE\nzip_code: "75001"',
    repaired: 'country: IE\nzip_code: D02 AF30',
  },
  'doubtful-coordinates': {
    severity: 'warning',
    message: (args) =>
      args.kind === 'zero'
        ? 'Latitude and longitude are both 0, which is a point in the Atlantic Ocean.'
        : `The point ${args.latitude}, ${args.longitude} is not in ${args.name}, nor near it.`,
    help: (args) => {
      if (args.kind === 'zero') return 'Write the coordinates of the property.';
      const meant = `latitude: ${args.meantLatitude}, longitude: ${args.meantLongitude}`;
      if (args.kind === 'swapped') return `Latitude and longitude are swapped: write ${meant}.`;
      if (args.kind === 'sign') return `With another sign it is: write ${meant}.`;
      return sentences(
        args.place ? `It is in ${args.place}.` : '',
        'Check the coordinates, and the country.',
      );
    },
    form: () => [
      'The mark on the map is not in this country, nor near it.',
      'Check the place, and the country.',
    ],
    explanation:
      'The coordinates are compared with the outline of the country (Natural Earth, 1:10,000,000) with a margin of a quarter to half a degree, at least 28 km. Where several countries claim a region it counts as part of each. The outlines lack many islands of Micronesia and the Marshall Islands, so those countries are not judged.',
    example: 'country: IE\nlatitude: -9.04889\nlongitude: 53.27194',
    repaired: 'country: IE\nlatitude: 53.27194\nlongitude: -9.04889',
  },
  'text-changed': {
    severity: 'warning',
    message: (args) => `The ${args.key} is published as ${quoted(args.value)}: ${args.change}.`,
    help: () => 'Write it so.',
    form: ({ label }) => [`${label} has spaces or signs too many, which guests will not see.`],
    explanation:
      'Spaces at the ends are removed, and letters with accents are written in one form (Unicode NFC). A phone number loses a zero that is dialled only within its country, as in +44 (0)20.',
    example: "city: ' Galway'",
    repaired: 'city: Galway',
  },
  'null-text': {
    severity: 'warning',
    message: (args) => `The ${args.key} is published as the text ${quoted(args.value)}.`,
    help: () => 'Leave the value empty to say that there is none, or put quotes around it if it is a name.',
    form: ({ label, value }) => [
      `${label} says "${value}", and guests will read that.`,
      'Leave it empty if there is none.',
    ],
    explanation:
      'A plain null (or ~) means "none" only in the description of a photo. Everywhere else it is a text, like any other word: a town may be called Null. Quotes make clear that it is a text.',
    example: 'state: null',
    repaired: 'state:',
  },
  'doubtful-placeholder': {
    severity: 'warning',
    message: (args) => `The ${args.key} is published as the text ${quoted(args.value)}.`,
    help: () => 'Leave the value empty to say that there is none.',
    form: ({ label, value }) => [
      `${label} says "${value}", and guests will read that.`,
      'Leave it empty if there is none.',
    ],
    explanation:
      'Spreadsheets, databases and programs write such texts where there is no value. They are published like any other text.',
    example: 'state: "#N/A"',
    repaired: 'state:',
  },
  'garbled-text': {
    severity: 'warning',
    message: (args) =>
      `The ${args.key} ${quoted(args.value)} has letters that a program read in a wrong encoding.`,
    help: (args) =>
      args.suggestion ? `Write ${quoted(args.suggestion)}.` : 'Type it again: some of its letters are lost.',
    form: ({ label, meant }) => [
      `${label} has wrong letters in it, from another program.`,
      meant ? `Write ${meant}.` : 'Type it again.',
    ],
    explanation:
      'UTF-8 that was read in another encoding, such as windows-1252, that of a Mac or a Cyrillic one (mojibake), once or several times. "catalogue check --fix" restores what is certain.',
    example: 'city: MÃ¼nchen',
    repaired: 'city: München',
  },
  'lost-character': {
    severity: 'warning',
    message: (args) =>
      `The ${args.key} ${quoted(args.value)} has U+FFFD in it, which stands for a letter that was lost.`,
    help: () => 'Type the text again.',
    form: ({ label }) => [`${label} has a sign in it that stands for a lost letter.`, 'Type it again.'],
    explanation: 'A program that cannot read a letter writes the replacement character U+FFFD in its place.',
    example: 'city: M\ufffdnchen',
    repaired: 'city: München',
  },
  'html-text': {
    severity: 'warning',
    message: (args) =>
      `The ${args.key} has HTML in it, which is published as it stands: ${quoted(args.value)}.`,
    help: (args) =>
      args.suggestion
        ? `Write plain text: ${quoted(args.suggestion)}.`
        : 'Write plain text, without tags and without "&...;".',
    form: ({ label }) => [
      `${label} has signs of a web page in it, which guests will read.`,
      'Write plain text.',
    ],
    explanation:
      'The API returns plain text: guests would read "&amp;" and "<br>". "catalogue check --fix" decodes entities once, turns breaks into lines where the field may have several, and drops tags.',
    example: 'address: 1 Main Street &amp; Quay<br>',
    repaired: 'address: 1 Main Street & Quay',
  },
  'odd-character': {
    severity: 'warning',
    message: (args) =>
      `The ${args.key} ${quoted(args.value)} has a soft hyphen, an invisible character, or a space that is not an ordinary one.`,
    help: (args) =>
      args.suggestion ? `Type it again: ${quoted(args.suggestion)}.` : 'Type it again instead of pasting it.',
    form: ({ label }) => [
      `${label} has an invisible character in it.`,
      'Type it again instead of pasting it.',
    ],
    explanation:
      'Such characters come along when a text is pasted. A filter compares letter by letter: a city with them differs from the city without.',
    example: 'city: Bad\u00a0Ischl',
    repaired: 'city: Bad Ischl',
  },
  'text-behind-hash': {
    severity: 'warning',
    message: (args) => `The value ends before ${quoted(args.comment)}, which is a comment.`,
    help: (args) => `If it is part of the value, put quotes around it: ${args.written}.`,
    form: ({ label, value }) => [
      `${label} is "${value}"; what stands behind it in the file is a remark that guests do not see.`,
      AS_TEXT,
    ],
    explanation: 'In YAML, a space and a # start a comment. Quotes keep them in the value.',
    example: 'title: Sea House #5',
    repaired: 'title: "Sea House #5"',
  },
  'long-text': {
    severity: 'warning',
    message: (args) => `The ${args.key} has ${args.length} characters.`,
    help: (args) => `Shorten it to ${args.limit}; nobody reads more.`,
    form: ({ label }) => [`${label} is very long.`, 'Shorten it: nobody reads so much.'],
    explanation: 'A whole page, or several rows of a table, may have been pasted here.',
    example: `# a text of ${LONG_TEXT + 1} letters`,
    repaired: '# the part of it that guests need',
  },
  'typographic-quotes': {
    severity: 'warning',
    message: (args) => `The ${args.key} is published with its quotes: ${quoted(args.value)}.`,
    help: (args) => `If they are not part of it, write ${quoted(args.suggestion)}.`,
    form: ({ label, meant }) => [
      `${label} stands in quotation marks, which guests will see.`,
      meant && `If they are no part of it, write ${meant}.`,
    ],
    explanation:
      'YAML reads curly quotes as letters. They often come from a word processor. A city with them differs from the city without.',
    example: 'city: “Galway”',
    repaired: 'city: Galway',
  },
  'upper-case-id': {
    severity: 'warning',
    message: () => 'The id has upper-case letters; it is published in lower case.',
    help: (args) => `Write ${args.value}.`,
    form: () => ['The number by which the catalogue knows this property is published in small letters.'],
    explanation:
      'UUIDs are written in lower case (RFC 9562, section 4), so that one property has one address.',
    example: 'id: 5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11',
    repaired: 'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  },
  'long-title': {
    severity: 'warning',
    message: (args) => `The title has ${args.length} characters.`,
    help: (args) => `Shorten it to ${args.limit}: lists cut what is longer.`,
    explanation: 'Lists and maps show the title on one or two lines.',
    example: `# a title of ${LONG_TITLE + 1} letters`,
    repaired: 'title: Rose Cottage',
  },
  'repeated-facility': {
    severity: 'warning',
    message: (args) => `The facility ${quoted(args.value)} is in the list already, as ${quoted(args.first)}.`,
    help: () => 'Delete one of the two.',
    explanation:
      'Words that stand for the same word of the vocabulary are one facility, which is published once.',
    example: 'facilities: [wifi, parking, Wi-Fi]',
    repaired: 'facilities: [wifi, parking]',
  },
  'unknown-facility': {
    severity: 'warning',
    message: (args) => `The facility ${quoted(args.value)} is not in the vocabulary.`,
    help: (args) => sentences(meant(args), 'Correct it, or add it to "vocabulary" in catalogue.yaml.'),
    form: ({ value, meant }) => [
      `"${value}" is not one of the facilities of this catalogue.`,
      meant ? `Did you mean "${meant}"?` : 'Guests may search by another word: look into the list.',
    ],
    explanation:
      'Consumers offer the facilities of the vocabulary as filters; another spelling is missed. You may use words of your own, unless they seem to stand for a word of the vocabulary.',
    example: 'facilities: [wi-fi]',
    repaired: 'facilities: [wifi]',
  },
  'unknown-policy-type': {
    severity: 'warning',
    message: (args) => `The policy type ${quoted(args.value)} is not in the vocabulary.`,
    help: (args) => sentences(meant(args), 'Correct it, or add it to "vocabulary" in catalogue.yaml.'),
    form: ({ value, meant }) => [
      `"${value}" is not one of the policies of this catalogue.`,
      meant ? `Did you mean "${meant}"?` : CHOOSE,
    ],
    explanation:
      'Consumers know the policy types of the vocabulary; another spelling is shown without a heading.',
    example: 'hotel_policy:\n  - policy_type: checkin\n    detail: From 15:00.',
    repaired: 'hotel_policy:\n  - policy_type: check_in\n    detail: From 15:00.',
  },
  // Configuration
  'invalid-setting': {
    severity: 'error',
    message: (args) => `The setting ${quoted(args.key)} is not valid: ${args.reason}.`,
    help: none,
    explanation: `The settings of catalogue.yaml are checked like everything else. ${documentationUrl('configuration')} lists them; for example, a list of page sizes has to hold ${DEFAULT_PAGE_SIZE}.`,
    example: 'page_sizes: [10, 50]',
    repaired: 'page_sizes: [10, 25, 50]',
  },
  'doubtful-cache-control': {
    severity: 'warning',
    message: (args) => `The setting ${quoted(args.key)} may not do what is meant: ${args.reason}.`,
    help: (args) => String(args.advice ?? ''),
    explanation:
      'Caches ignore directives that they do not know, and choose a time of their own where none is named. Publishing then counts with a day: it keeps what a list names for that long.',
    example: 'cache_control:\n  api: public, maxage=60',
    repaired: 'cache_control:\n  api: public, max-age=60',
  },
  'retired-setting': {
    severity: 'error',
    message: (args) => `The setting ${quoted(args.key)} is gone.`,
    help: (args) => `Delete this line: ${REMOVED_SETTINGS[String(args.key)]}.`,
    explanation:
      'An older version had this setting. The message says how to reach the same result without it.',
    example: 'remote_photos: link',
    repaired: '# remote_photos: link',
  },
} as const satisfies Record<string, DiagnosticEntry>;

export type DiagnosticCode = keyof typeof entries;

export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, DiagnosticEntry>> = entries;
