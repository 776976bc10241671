/**
 * Recognises texts that programs write for a missing value: errors of spreadsheets such as `#N/A`, the `null` of
 * databases and programming languages, and markers of templates.
 */

/** Maximum length of a placeholder, in UTF-16 units. */
const MAX_LENGTH = 40;

/** Errors of spreadsheets in any language, such as `#REF!`, `#¿NOMBRE?`, `#N/D`, `#####` and `Err:502`. */
const OF_SPREADSHEETS =
  /^(?:#[¡¿]?[\p{L}\d/_]+[!?]|#\p{L}{1,2}\/\p{L}+|#(?:NV|HIÁNYZIK|YOK|GETTING_DATA|REF|ERROR|VALUE|DELETED)|#{2,}|Err:\d{3})$/iu;

/** Null in databases and programming languages. Case-sensitive, since `Nan` and `Null` may be names. */
const OF_PROGRAMS = /^(?:\\N|NULL|undefined|NaN|[([<](?:null|NULL|none|None|nil)[)\]>]|\[object Object\])$/;

/** Template markers, which remain if nobody filled in the template or it found no value. */
const OF_TEMPLATES = /^(?:\{\{.*\}\}|\{%.*%\}|\$\{.*\}|%[A-Z][A-Z_]*%|<no value>|<nil>)$/;

/** The start of every placeholder. Most texts do not match and need no other test. */
const START = /^(?:[–—−…#(.<?[\\_|~*/{$%-]|Err:|N[AOUIao/.]|n[aoi/.]|[Uu]n[dk]|UN|[Tt][BObo]|k\.)/;

export function mayBePlaceholder(text: string): boolean {
  return text.length <= MAX_LENGTH && START.test(text);
}

export function isPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && [OF_SPREADSHEETS, OF_PROGRAMS, OF_TEMPLATES].some((one) => one.test(text));
}

/** Punctuation in place of a text, such as `--`, except `~`, which YAML reads as null. */
const PUNCTUATION = /^(?!~$)[-–—−_.…?*/\\|~]+$/;

/**
 * Words for "no value" that may also be meant as text. `Nan`, `Nil` and `Null` are left out, since they are more
 * likely to be names.
 */
const DOUBTFUL =
  /^(?:none|None|NONE|nil|NIL|nan|NAN|undefined|Undefined|UNDEFINED|n\/a|N\/A|N\/a|n\.a\.|N\.A\.|[Nn]ot [Aa]vailable|[Nn]ot [Aa]pplicable|[Uu]nknown|tba|TBA|tbd|TBD|todo|TODO|k\. ?A\.)$/;

export function isDoubtfulPlaceholder(text: string): boolean {
  return mayBePlaceholder(text) && (DOUBTFUL.test(text) || PUNCTUATION.test(text));
}
