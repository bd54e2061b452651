import { describe, expect, test } from '@jest/globals';
import { startRecording } from '../../../src/bin/recording.js';
import { loadConfig } from '../../../src/config/index.js';
import { memoryLog } from '../../support/memory-log.js';

async function start(env: Record<string, string>, globals: object = {}) {
  const config = loadConfig({});
  if (!config.ok) throw new Error(JSON.stringify(config.error));
  const log = memoryLog();
  const recording = await startRecording(config.value, { version: '1', log, env, globals });
  if (!recording.ok) throw new Error(JSON.stringify(recording.error));
  return { recording: recording.value, warnings: log.events('warning') };
}

const API = Symbol.for('opentelemetry.js.api.1');

describe('what is recorded of calls', () => {
  test('is nothing where nobody asks for it', async () => {
    const { recording, warnings } = await start({});
    expect(recording).toMatchObject({ calls: undefined, observers: [], audit: undefined });
    expect(warnings).toEqual([]);
    await recording.close();
  });

  test('are spans where an SDK has registered a tracer', async () => {
    const { recording } = await start({}, { [API]: { trace: {} } });
    expect(recording.calls).toBeDefined();
    expect(recording.observers).toEqual([recording.calls]);
    await recording.close();
  });

  test.each([[{ [API]: {} }], [{ [API]: { context: {} } }], [{ [API]: null }]])(
    'are no spans with %j',
    async (globals) => {
      expect((await start({}, globals)).recording.calls).toBeUndefined();
    },
  );

  test.each([
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 1],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }, 1],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example:4318/v1/traces' }, 1],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, 0],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', OTEL_TRACES_EXPORTER: 'none' }, 0],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318', OTEL_SDK_DISABLED: 'true' }, 0],
  ])('with %j and no SDK the log warns %i times', async (env, warned) => {
    const expected = Array.from({ length: warned }, () => 'no traces without an OpenTelemetry SDK');
    expect((await start(env)).warnings).toEqual(expected);
  });
});
