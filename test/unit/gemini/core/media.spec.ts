import { describe, expect, test } from '@jest/globals';
import { deliveredAs, finalMediaType, isDeniedAsDeclared, refuseDenied } from '../../../../src/gemini/core/media.js';
import { parseMediaType, parseMime } from '../../../../src/gemini/core/mime.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');

describe('the final type', () => {
  test.each([
    ['a usable type is believed', 'image/jpeg', Buffer.from('not an image'), 'image/jpeg'],
    ['text is believed although it is a picture', 'text/plain', PNG, 'text/plain'],
    ['JSON is believed although it is a picture', 'application/json', PNG, 'application/json'],
    ['octet-stream gives way to a signature', 'application/octet-stream', PNG, 'image/png'],
    [
      'octet-stream without a known signature stays',
      'application/octet-stream',
      Buffer.from('plain words'),
      'application/octet-stream',
    ],
    ['octet-stream without a body stays', 'application/octet-stream', Buffer.alloc(0), 'application/octet-stream'],
    ['no usable type but a signature', 'nonsense', PNG, 'image/png'],
    ['no usable type and no signature', 'nonsense', Buffer.from('=> a b'), 'text/gemini'],
    ['no usable type and no body', 'text/', Buffer.alloc(0), 'text/gemini'],
    ['a blank field is gemtext, whatever it holds', '', PNG, 'text/gemini'],
  ])('%s', (_, meta, body, name) => {
    const { type, subtype } = finalMediaType(parseMime(meta), body);
    expect(`${type}/${subtype}`).toBe(name);
  });
});

describe('how a type is delivered', () => {
  test.each([
    ['text/gemini', 'gemtext'],
    ['text/plain', 'text'],
    ['text/html', 'text'],
    ['text/garbage', 'text'],
    ['application/json', 'text'],
    ['application/xml', 'text'],
    ['application/atom+xml', 'text'],
    ['application/rss+xml', 'text'],
    ['application/feed+json', 'text'],
    ['application/ld+json', 'text'],
    ['application/yaml', 'text'],
    ['image/svg+xml', 'text'],
    ['application/gemini', 'binary'],
    ['application/octet-stream', 'binary'],
    ['application/pdf', 'binary'],
    ['application/xmlx', 'binary'],
    ['image/json', 'binary'],
    ['image/png', 'binary'],
  ])('%s: %s', (name, as) => {
    expect(deliveredAs(parseMediaType(name)!)).toBe(as);
  });
});

describe('the deny list', () => {
  const denied = ['text/html', 'image/*', 'application/octet-stream'];

  test.each([
    ['text/html', true],
    ['image/png', true],
    ['text/plain', false],
    ['text/htmlx', false],
    ['imagex/png', false],
  ])('%s: %s', (name, refused) => {
    const failure = refuseDenied(parseMediaType(name)!, denied);
    expect(failure === null).toBe(!refused);
    if (refused) {
      expect(failure).toMatchObject({ code: 'CONTENT_FILTERED', facts: { mimeType: name, mime_type: name } });
    }
  });

  test.each([
    ['text/html; charset=utf-8', true],
    ['text/plain', false],
    ['nonsense', false],
    // What it really is only the body tells.
    ['application/octet-stream', false],
  ])('the header %j is enough: %s', (meta, enough) => {
    expect(isDeniedAsDeclared(parseMime(meta), denied)).toBe(enough);
  });
});
