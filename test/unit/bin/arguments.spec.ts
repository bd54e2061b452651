import { describe, expect, test } from '@jest/globals';
import { parseArguments } from '../../../src/bin/arguments.js';

describe('what is asked for', () => {
  test.each<[string[], unknown]>([
    [[], { kind: 'serve', flags: { allowedHosts: [] } }],
    [
      ['--transport', 'streamable-http', '--host=::1', '--port', '0', '--allowed-host', 'a', '--allowed-host=b:80'],
      {
        kind: 'serve',
        flags: { transport: 'streamable-http', host: '::1', port: '0', allowedHosts: ['a', 'b:80'] },
      },
    ],
    [['--port', '1', '--port', '2'], { kind: 'serve', flags: { port: '2', allowedHosts: [] } }],
    [['--host=-x'], { kind: 'serve', flags: { host: '-x', allowedHosts: [] } }],
    [['--check', '--port', '80'], { kind: 'check', flags: { port: '80', allowedHosts: [] } }],
    [['--print-config'], { kind: 'print-config', flags: { allowedHosts: [] } }],
    [['--check', '--print-config'], { kind: 'print-config', flags: { allowedHosts: [] } }],
    [['--version'], { kind: 'version' }],
    [['fetch', '--json', '--help'], { kind: 'command', name: 'fetch', argv: ['--json', '--help'] }],
    [['--'], { kind: 'serve', flags: { allowedHosts: [] } }],
  ])('%j', (argv, expected) => {
    expect(parseArguments(argv)).toEqual(expected);
  });

  test.each([[['--help']], [['-h']], [['--help', '--bogus']], [['--port', '80', '-h']]])('%j is help', (argv) => {
    expect(parseArguments(argv)).toMatchObject({ kind: 'help' });
  });
});

describe('what is refused, with usage', () => {
  test.each([
    [['--bogus'], 'unknown option "--bogus"'],
    [['--bogus=1'], 'unknown option "--bogus"'],
    [['--bogus', '--help'], 'unknown option "--bogus"'],
    [['-x'], 'unknown option "-x"'],
    [['--no-check'], 'unknown option "--no-check"'],
    [['--check', 'serve'], 'unexpected argument "serve"'],
    [['--', '--help'], 'unexpected argument "--help"'],
    [['--host'], '--host needs a value'],
    [['--host', '--port', '80'], '--host needs a value'],
    [['--check=yes'], '--check takes no value'],
    [['--help=yes'], '--help takes no value'],
    [['--transport', 'tcp'], '--transport must be one of stdio, sse, streamable-http, got "tcp"'],
    [['--transport', 'STDIO'], '--transport must be one of stdio, sse, streamable-http, got "STDIO"'],
    [['--port', '65536'], '--port must be an integer from 0 to 65535, got "65536"'],
    [['--port=-1'], '--port must be an integer from 0 to 65535, got "-1"'],
    [['--port', 'http'], '--port must be an integer from 0 to 65535, got "http"'],
    [['--port='], '--port must be an integer from 0 to 65535, got ""'],
    [['--check', '\u001b[2J'], String.raw`unexpected argument "\u001b[2J"`],
  ])('%j', (argv, message) => {
    expect(parseArguments(argv)).toEqual({
      kind: 'refused',
      text: `usage: gopher-mcp [options]\n       gopher-mcp <command> [options]\ngopher-mcp: error: ${message}\n`,
    });
  });
});
