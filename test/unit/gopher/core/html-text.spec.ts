import { describe, expect, test } from '@jest/globals';
import { finish } from '../../../../src/common/steps.js';
import { htmlText } from '../../../../src/gopher/core/html-text.js';

describe('text of an HTML page', () => {
  test.each([
    ['plain text stays', 'no tags < here & there', 'no tags < here & there'],
    ['blocks begin lines', '<h1>T</h1><p>one</p><p>two<br/>three', 'T\n\none\n\ntwo\nthree'],
    ['inline tags vanish', 'a<b>b</b><FONT size=2>c</FONT>', 'abc'],
    ['hidden elements go', 'a<script>if (1 < 2) {}</SCRIPT>b<style>x{}</style>c', 'abc'],
    ['comments go', 'a<!-- <p>b</p> -->c', 'ac'],
    ['an open comment takes the rest', 'a<!-- b', 'a'],
    ['an open element takes the rest', 'a<script>b', 'a'],
    ['an open tag takes the rest', 'a<p b', 'a\n'],
    ['declarations go', '<!DOCTYPE html>a<?xml?>b', 'ab'],
    ['links show their target', '<a href="gopher://h/">go</a> <a name=x>no</a>', 'go <gopher://h/> no'],
    ['however it is quoted', "<a class=c href='x'>a</a><A HREF=y>b</A>", 'a <x>b <y>'],
    ['references are resolved', '&lt;&amp;&#65;&#x42;&nbsp;&bogus;&#x110000;', '<&AB &bogus;&#x110000;'],
    ['and cannot bring in what is hidden', 'a&#x202e;b&#27;[2Jc', 'abc'],
    ['blank lines do not pile up', 'a<p></p><p></p>  \n\n\nb', 'a\n\nb'],
  ])('%s', (_, html, text) => {
    expect(finish(htmlText(html))).toBe(text);
  });

  test('a long run is read in parts, and no reference is cut', () => {
    for (let before = 16_370; before < 16_390; before++) {
      const [head, tail] = ['x'.repeat(before), 'y'.repeat(20_000)];
      expect(finish(htmlText(`${head}&hellip;&#x00041;${tail}`)) === `${head}\u2026A${tail}`).toBe(true);
    }
  });
});
