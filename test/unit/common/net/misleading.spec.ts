import { describe, expect, test } from '@jest/globals';
import { isMisleading } from '../../../../src/common/net/misleading.js';

describe('a link is misleading', () => {
  test.each([
    ['whose words are the URL of another host', 'gemini://bank.example/', 'gemini://evil.example/'],
    ['whose words hold one', 'Log in at https://bank.example/login now', 'https://evil.example/'],
    ['in whatever spelling', 'GEMINI://BANK.Example.:1965/', 'gemini://evil.example/bank.example/'],
    ['whose words name a part of its host', 'gemini://example.org', 'gemini://example.org.evil.example/'],
    ['with a user name that looks like a host', null, 'https://bank.example@evil.example/'],
    ['with a user name and password', 'home', 'gemini://bank.example:1965@evil.example/'],
    ['to no host at all', 'https://bank.example/', 'javascript:alert(1)'],
    ['whose words name a homograph', 'https://аррӏе.example/', 'https://apple.example/'],
  ])('%s', (_, words, url) => expect(isMisleading(words, url)).toBe(true));

  test.each([
    ['whose words name its host', 'gemini://good.example/a', 'gemini://good.example/b'],
    ['however that is spelled', 'See <HTTP://WWW.Good.Example.>, please', 'gemini://good.example:1966/'],
    [
      'whose words name a mirror as well',
      'gopher://good.example (mirror of gopher://other.example)',
      'gopher://good.example/1',
    ],
    ['without words', null, 'gemini://good.example/'],
    ['with words that name no place', 'index.gmi of bank.example', 'gemini://good.example/'],
    ['with a mark and no host behind it', 'a:// b ://…', 'gemini://good.example/'],
    ['with an empty user', 'x', 'gemini://@good.example/'],
    ['with an @ in its path', 'x', 'gemini://good.example/@alice'],
    ['that names an internationalised host', 'https://éa.example/', 'https://xn--a-9fa.example/'],
    ['to an address', 'gopher://[::1]:70/', 'gopher://[0:0:0:0:0:0:0:1]/1'],
  ])('not %s', (_, words, url) => expect(isMisleading(words, url)).toBe(false));

  test('in linear time', () => {
    const before = process.cpuUsage();
    isMisleading('://'.repeat(300_000), 'gemini://h.example/');
    isMisleading('://a'.repeat(200_000), `gemini://${'@'.repeat(1_000_000)}`);
    isMisleading(`http://${'a'.repeat(1_000_000)}`, 'gemini://h.example/');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});
