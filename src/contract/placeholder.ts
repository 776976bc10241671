/** Recognises what programs write for a missing value: errors of spreadsheets, null of databases and languages. */

/** UTF-16 units; a cheap test for longer texts. */
const LONGEST = 20;

/** Errors of spreadsheets in any language: `#REF!`, `#¿NOMBRE?`, `#BEZUG!`, `#DIV/0!`, `#N/D`, `#####`, `Err:502`; `#Error` of databases. */
const OF_SPREADSHEETS =
  /^(?:#[¡¿]?[\p{L}\d/_]+[!?]|#\p{L}{1,2}\/\p{L}+|#(?:NV|HIÁNYZIK|YOK|GETTING_DATA|REF|ERROR|VALUE|DELETED)|#{2,}|Err:\d{3})$/iu;

/** Null of databases and languages in their exact spelling: `Nan` is a town, and so may be `Null`. */
const OF_PROGRAMS = /^(?:\\N|NULL|undefined|NaN|[([<](?:null|NULL|none|None|nil)[)\]>]|\[object Object\])$/;

/** Start of every placeholder: most texts of a property need no other test. */
const START = /^(?:[–—−…#(.<?[\\_|~*/-]|Err:|N[AOUIao/.]|n[aoi/.]|[Uu]n[dk]|UN|[Tt][BObo]|k\.)/;

/** A quick test, false for most texts. */
export function mayBePlaceholder(text: string): boolean {
  return text.length <= LONGEST && START.test(text);
}

export function isPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && (OF_SPREADSHEETS.test(text) || OF_PROGRAMS.test(text));
}

/** Punctuation in place of a text, except `~`, which YAML reads as null. */
const PUNCTUATION = /^(?!~$)[-–—−_.…?*/\\|~]+$/;

/** Words for "no value" that might be names. `Nan`, `Nil` and `Null` are left out. */
const DOUBTFUL =
  /^(?:none|None|NONE|nil|NIL|nan|NAN|undefined|Undefined|UNDEFINED|n\/a|N\/A|N\/a|n\.a\.|N\.A\.|[Nn]ot [Aa]vailable|[Nn]ot [Aa]pplicable|[Uu]nknown|tba|TBA|tbd|TBD|todo|TODO|k\. ?A\.)$/;

export function isDoubtfulPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && (DOUBTFUL.test(text) || PUNCTUATION.test(text));
}
