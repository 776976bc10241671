import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../src/source/html-entities.ts';
import { hasHtml, plainTextOf } from '../../src/source/html-text.ts';

describe('HTML', () => {
  it.each([
    ['<p>From <b>15:00</b>.<br>Late&nbsp;arrival: call.</p>', 'From 15:00.\nLate arrival: call.'],
    ['<ul><li>No pets</li><li class="x">No smoking</li></ul>', 'No pets\nNo smoking'],
    ['Intro<p>One</p><p>Two</p>', 'Intro\n\nOne\n\nTwo'],
    ['<p>One</p>\n\n<p>Two<br>Three</p><ul><li>Four</li></ul>', 'One\n\nTwo\nThree\n\nFour'],
    ['One<br/>Two<BR />Three', 'One\nTwo\nThree'],
    ['<style>p { color: red }</style>A<script src="x">alert("<p>")</script>B', 'AB'],
    ['A<!-- <p>hidden</p> -->B', 'AB'],
    ['<![CDATA[A & B]]>', 'A & B'],
    ['A<!-- open', 'A'],
    ['<a href="https://a.example/?a=1&amp;b=2">link</a>', 'link'],
    ['<span style="x">St&#228;dte</span>', 'Städte'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
    ['<o:p></o:p>Word', 'Word'],
    [`<p style='a>b'>One</p><p title="c>d" x>Two`, 'One\n\nTwo'],
    [`<p title=John's>One`, 'One'],
  ])('%s', (html, text) => {
    expect(hasHtml(html)).toBe(true);
    expect(plainTextOf(html)).toBe(text);
  });

  it.each([
    ['<a href="https://a.example/?a=1&amp;b=2">Rules</a>.', 'Rules (https://a.example/?a=1&b=2).'],
    ["See <a class=x href='https://a.example/'>the <b>beach</b></a>", 'See the beach (https://a.example/)'],
    ['<a href=https://a.example/>a.example</a>', 'a.example'],
    [
      'See <a href="https://a.example/">the beach </a>and <a href="https://b.example">town</a>now',
      'See the beach (https://a.example/) and town (https://b.example) now',
    ],
    [
      '<a href="https://a.example/">Beach<br></a><a href="https://b.example">A</a><b><a href="https://c.example">B</a></b>',
      'Beach (https://a.example/)\nA (https://b.example) B (https://c.example)',
    ],
    ['<a href="mailto:a@a.example">Mail</a>, <a name="x">here</a>', 'Mail, here'],
    ['<a href="https://a.example/1"><img src="x"></a>A', 'A'],
  ])('%s keeps its address in a text of several lines', (html, text) => {
    expect(plainTextOf(html, true)).toBe(text);
  });

  it.each([
    'Bed & Breakfast',
    'R&B;',
    'I <3 you',
    'a < b and c > d',
    '<18 m²',
    '<Name>',
    'A&nosuchname;',
    'x=1&copy=2',
    'a?x=1&amplitude=2&lt=3',
  ])('is not %s', (text) => expect(hasHtml(text)).toBe(false));

  it.each([
    ['Smith &amp; Sons&#39; House', "Smith & Sons' House"],
    ['&#x4D;&#xfc;nchen', 'München'],
    ['&Eacute;t&eacute; &ndash; &euro; 5', 'Été – € 5'],
    ['&quot;A&quot; &apos;B&apos; &lt;C&gt;', '"A" \'B\' <C>'],
    ['&#150;&#8217;', '–’'],
    ['&amp;amp;', '&amp;'],
    ['Smith &amp Sons &lt 5 &nbsp', 'Smith & Sons < 5  '],
    ['&Omega;&alpha;&sigmaf;', 'Ωας'],
    ['so&shy;fort', 'sofort'],
    ['&#55296;&#99999999;', '&#55296;&#99999999;'],
  ])('%s is decoded once', (text, decoded) => expect(decodeEntities(text)).toBe(decoded));

  it('of any size takes no time', () => {
    const start = process.cpuUsage();
    for (const part of ['<script>', '<!--', '<a ', '&', '&#', '<p', '<br\n', '\n '])
      plainTextOf(part.repeat(5000));
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
  });
});
