/** Texts to typed values: class-transformer reads each by its kind, class-validator judges the result. */
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { ConfigProblem } from './config-problem.js';
import type { GivenValue } from './environment.js';
import { variableName, type Section } from './sections.js';
import { isUnset, settingsOf } from './setting.js';

/**
 * One section from what was given, defaults for the rest; its problems are added to `problems`, settings as declared. With
 * problems, the values are not fit for use.
 */
export function readSection<T extends object>(
  section: Section<T>,
  given: ReadonlyMap<string, GivenValue>,
  problems: ConfigProblem[],
): T {
  const settings = settingsOf(section.type);
  const texts: Record<string, string> = {};
  for (const setting of settings) {
    const value = given.get(variableName(section, setting));
    if (value !== undefined && !isUnset(setting.kind, value.text)) texts[setting.property] = value.text;
  }
  // Defaults need no judging at each start: a test does that.
  if (Object.keys(texts).length === 0) return new section.type();
  const values = plainToInstance(section.type, texts);
  const refused = new Map(
    validateSync(values, { stopAtFirstError: true }).map((error) => [
      error.property,
      Object.values(error.constraints ?? {})[0],
    ]),
  );
  for (const setting of settings) {
    if (!refused.has(setting.property)) continue;
    const variable = variableName(section, setting);
    const text = texts[setting.property] ?? null;
    problems.push({
      name: given.get(variable)?.name ?? variable,
      // The message of a rule may quote parts of the value.
      requirement: (setting.secret ? undefined : refused.get(setting.property)) ?? setting.kind.requirement,
      rejected: setting.secret ? null : text,
    });
  }
  return values;
}
