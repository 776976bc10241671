import { describe, expect, it } from 'vitest';
import { githubDiagnostic } from '../../src/report/github.ts';
import { createDiagnostic, createSpans } from '../../src/source/diagnostic.ts';

describe('an annotation', () => {
  it('shows a place in a file', () => {
    const span = createSpans('title: Rose\ncountry: Ireland\n')(21, 28);
    const country = createDiagnostic('unknown-country', 'ie/rose.yaml', span, {
      value: 'Ireland',
      suggestion: 'IE',
    });
    expect(githubDiagnostic(country, 'content/')).toBe(
      '::error file=content/ie/rose.yaml,line=2,endLine=2,col=10,endColumn=17,title=unknown-country::"Ireland" is not the code of a country. Did you mean "IE"?',
    );
  });

  it('shows a whole file, without help', () => {
    expect(githubDiagnostic({ ...createDiagnostic('empty-file', 'a.yaml', null), help: '' }, '')).toBe(
      '::error file=a.yaml,title=empty-file::The file is empty.',
    );
    expect(githubDiagnostic(createDiagnostic('folder-named-like-a-file', 'a.yaml', null), '')).toMatch(
      /^::warning file=a\.yaml,/,
    );
  });

  it('escapes the ends of properties and commands', () => {
    const file = 'a,b:c%d\r\n::error::x.yaml';
    const message = '50% of a::b, c\n::error::injected\u001b[31m';
    expect(
      githubDiagnostic({ ...createDiagnostic('empty-file', file, null), message, help: '' }, 'x:y/'),
    ).toBe(
      '::error file=x%3Ay/a%2Cb%3Ac%25d\\r\\n%3A%3Aerror%3A%3Ax.yaml,title=empty-file::50%25 of a::b, c\\n::error::injected\\u001b[31m',
    );
  });
});
