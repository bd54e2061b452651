import { describe, expect, test } from '@jest/globals';
import { formatProblem, type ConfigProblem } from '../../../src/config/config-problem.js';
import { readSection } from '../../../src/config/read-section.js';
import { variableName, type Section } from '../../../src/config/sections.js';
import { allowedHosts, boolean, integer, path } from '../../../src/config/setting-kinds.js';
import { Setting, settingsOf } from '../../../src/config/setting.js';

abstract class BaseConfig {
  @Setting(integer(1, 9), 'First.')
  readonly baseCount: number = 1;
}

class SampleConfig extends BaseConfig {
  @Setting(boolean(), 'Second.')
  readonly isOn: boolean = false;

  @Setting(path(), 'Third.', { secret: true })
  readonly secretFile: string | null = null;

  @Setting(allowedHosts(), 'Fourth.', { secret: true })
  readonly secretHosts: readonly string[] | null = null;
}

class OtherConfig extends BaseConfig {}

const SAMPLE: Section<SampleConfig> = { key: 'server', title: 'Sample', prefix: 'X_', type: SampleConfig };

function read(variables: Record<string, string>): { values: SampleConfig; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const given = new Map(Object.entries(variables).map(([name, text]) => [name, { name, text }]));
  return { values: readSection(SAMPLE, given, problems), problems };
}

describe('declaring settings', () => {
  test('the variable is named after the property, those of the base class come first', () => {
    expect(settingsOf(SampleConfig).map((setting) => variableName(SAMPLE, setting))).toEqual([
      'X_BASE_COUNT',
      'X_IS_ON',
      'X_SECRET_FILE',
      'X_SECRET_HOSTS',
    ]);
  });

  test('classes with one base do not see the settings of each other', () => {
    expect(settingsOf(OtherConfig).map(({ property }) => property)).toEqual(['baseCount']);
  });
});

describe('reading a section', () => {
  test('what is given is typed, the rest has its default', () => {
    const { values, problems } = read({ X_IS_ON: 'yes', X_UNKNOWN: '1' });
    expect(values).toBeInstanceOf(SampleConfig);
    expect(values).toEqual({ baseCount: 1, isOn: true, secretFile: null, secretHosts: null });
    expect(problems).toEqual([]);
  });

  test('nothing given is all defaults', () => {
    expect(read({}).values).toEqual(new SampleConfig());
  });

  test('a secret is not quoted, not even in part', () => {
    const { problems } = read({ X_SECRET_HOSTS: 'hunter2!,*' });
    expect(problems.map(formatProblem)).toEqual([
      'gopher-mcp: configuration error: X_SECRET_HOSTS: must be a list with at least one host name, address, or .domain',
    ]);
  });
});
