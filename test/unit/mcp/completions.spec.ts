import { describe, expect, test } from '@jest/globals';
import { complete, MAX_COMPLETIONS, type CompletionRequest } from '../../../src/mcp/completions.js';
import { TEMPLATE_TABLE } from '../../../src/mcp/template-table.js';
import { Visits } from '../../../src/mcp/visits.js';

const prompt = (value: string, argument = 'url', name = 'explore_capsule'): CompletionRequest => ({
  ref: { type: 'ref/prompt', name },
  argument: { name: argument, value },
});
const template = (value: string, uri = 'gemini://{+path}', argument = 'path'): CompletionRequest => ({
  ref: { type: 'ref/resource', uri },
  argument: { name: argument, value },
});

function visitsTo(...urls: string[]): Visits {
  const visits = new Visits();
  for (const url of urls) visits.add(url);
  return visits;
}

const VISITS = visitsTo('gemini://a.example/one', 'gopher://b.example/1/two', 'gemini://c.example/One?secret');

describe('completion', () => {
  test.each<[string, CompletionRequest, string[]]>([
    [
      'nothing typed: all, the newest first',
      prompt(''),
      ['gemini://c.example/One', 'gopher://b.example/1/two', 'gemini://a.example/one'],
    ],
    ['a scheme', prompt('gopher://'), ['gopher://b.example/1/two']],
    ['a part of the URL in any case', prompt('ONE'), ['gemini://c.example/One', 'gemini://a.example/one']],
    ['the other prompt', prompt('two', 'url', 'summarize_gemlog'), ['gopher://b.example/1/two']],
    ['nothing that fits', prompt('three'), []],
    ['an argument that is no URL', prompt('', 'posts', 'summarize_gemlog'), []],
    ['the pages of a template without their scheme', template(''), ['c.example/One', 'a.example/one']],
    ['the pages of another template', template('EXAMPLE', 'gopher://{+path}'), ['b.example/1/two']],
    ['a resource without variables', template('', 'gopher-mcp://policy', 'any'), []],
  ])('%s', (_name, request, values) => {
    expect(complete(request, TEMPLATE_TABLE, VISITS)).toEqual({
      ok: true,
      value: { values, total: values.length, hasMore: false },
    });
  });

  test('what was typed into a page is never offered', () => {
    expect(JSON.stringify(complete(prompt(''), TEMPLATE_TABLE, VISITS))).not.toContain('secret');
  });

  test('a caller of whom nothing is remembered gets nothing', () => {
    expect(complete(prompt(''), TEMPLATE_TABLE, undefined)).toMatchObject({ value: { values: [], total: 0 } });
  });

  test('at most a hundred values are given, and how many there are', () => {
    const many = visitsTo(...Array.from({ length: 130 }, (_, i) => `gemini://a/${i}`));
    const completion = complete(prompt(''), TEMPLATE_TABLE, many);
    expect(completion).toMatchObject({ value: { total: 130, hasMore: true } });
    if (completion.ok) expect(completion.value.values).toHaveLength(MAX_COMPLETIONS);
  });

  test.each<[string, CompletionRequest]>([
    ['prompt', prompt('', 'url', 'nothing')],
    ['argument', prompt('', 'uri')],
    ['template', template('', 'finger://{+path}')],
    ['variable', template('', 'gemini://{+path}', 'url')],
  ])('an unknown %s is an error', (_name, request) => {
    expect(complete(request, TEMPLATE_TABLE, VISITS).ok).toBe(false);
  });

  test('a template that is not served is unknown', () => {
    expect(complete(template(''), [], VISITS).ok).toBe(false);
  });
});
