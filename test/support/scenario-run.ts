/** Plays a recorded scenario: its local servers, one fresh server under test with an empty home, its steps. */
import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { brokenPromises, outputSchemas, textMatchesStructure, type OutputSchema } from './answer-checks.js';
import { Comparison, type Difference } from './comparison.js';
import { judge } from './deviations.js';
import { isArray, isObject, lookup, shown, type Json, type JsonObject } from './json.js';
import { McpStdioClient, type Answer } from './mcp-stdio-client.js';
import { PortMap } from './ports.js';
import {
  rewriteScenario,
  type Deviation,
  type RecordedResult,
  type Scenario,
  type ScenarioServerSpec,
  type ScenarioStep,
} from './scenario-format.js';
import { comparableLines, ScenarioServer, scenarioCertificates, type ScenarioCertificates } from './scenario-server.js';
import { serverCommand, serverEnvironment, withScratchFolder } from './server-under-test.js';

/** How long to wait for a request line that is still on its way when the answer is there. */
const SETTLE_MS = 1500;
const POLL_MS = 20;

type CallStep = ScenarioStep & Required<Pick<ScenarioStep, 'call' | 'wire' | 'result'>>;

/** Plays the scenario; gives one line for each difference that no deviation allows. */
export async function playScenario(recorded: Scenario, deviations: readonly Deviation[]): Promise<readonly string[]> {
  const run = new ScenarioRun(recorded, deviations, await scenarioCertificates());
  return run.play();
}

class ScenarioRun {
  readonly #recorded: Scenario;
  readonly #deviations: readonly Deviation[];
  readonly #certificates: ScenarioCertificates;
  readonly #comparison: Comparison;
  /** By the port in use. */
  readonly #servers = new Map<number, ScenarioServer>();
  readonly #failures: string[] = [];
  #ports = new PortMap(new Map());
  #schemas: ReadonlyMap<string, OutputSchema> = new Map();

  constructor(recorded: Scenario, deviations: readonly Deviation[], certificates: ScenarioCertificates) {
    this.#recorded = recorded;
    this.#deviations = deviations;
    this.#certificates = certificates;
    this.#comparison = new Comparison(new Map([...certificates].map(([name, { fingerprint }]) => [name, fingerprint])));
  }

  async play(): Promise<readonly string[]> {
    await withScratchFolder(async (folder) => {
      try {
        const scenario = await this.#startServers();
        const home = join(folder, 'home');
        await this.#writeFiles(home, scenario);
        await this.#playSteps(home, scenario);
        await this.#compareStateFiles(home, scenario.state_files ?? {});
      } finally {
        await Promise.all([...this.#servers.values()].map((server) => server.close()));
      }
    });
    return this.#failures;
  }

  /** Gives the scenario with the ports in use. */
  async #startServers(): Promise<Scenario> {
    const started = new Map<number, ScenarioServer>();
    for (const spec of this.#recorded.servers) {
      const server = await ScenarioServer.start(this.#certificates, spec);
      started.set(spec.port, server);
      this.#servers.set(server.port, server);
    }
    this.#ports = new PortMap(new Map([...started].map(([recorded, server]) => [recorded, server.port])));
    const scenario = rewriteScenario(this.#recorded, (value) => this.#ports.apply(value));
    this.#serve(scenario.servers);
    return scenario;
  }

  #serve(specs: readonly ScenarioServerSpec[]): void {
    for (const spec of specs) this.#servers.get(spec.port)?.serve(spec);
  }

  async #writeFiles(home: string, scenario: Scenario): Promise<void> {
    await mkdir(home);
    for (const { path, text } of scenario.files ?? []) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
  }

  async #playSteps(home: string, scenario: Scenario): Promise<void> {
    const client = new McpStdioClient({
      command: serverCommand(),
      folder: home,
      environment: serverEnvironment(home, scenario.env),
      elicitation: scenario.elicitation,
    });
    try {
      await client.initialize();
      this.#schemas = outputSchemas(await client.listAll('tools/list', 'tools'));
      for (const [index, step] of scenario.steps.entries()) {
        if (isCall(step)) await this.#playCall(client, index, step);
        if (step.sleep_s !== undefined) await sleep(step.sleep_s * 1000);
        this.#serve(step.swap_servers ?? []);
        for (const pattern of step.delete_files ?? []) {
          for (const path of await matchingPaths(home, pattern)) await unlink(path);
        }
      }
    } finally {
      const { forced } = await client.close();
      if (forced) this.#failures.push('the server did not end when its input was closed');
    }
  }

  async #playCall(client: McpStdioClient, index: number, step: CallStep): Promise<void> {
    for (const server of this.#servers.values()) server.enterStep(index);
    const { tool } = step.call;
    const args = this.#comparison.fillInMembers(step.call.arguments);
    const answer = await client.callTool(tool, args, step.progress !== undefined);
    const differences = [
      ...this.#compareResult(step.result, answer),
      ...(await this.#compareWire(index, step, tool.includes('_batch_'))),
    ];
    if (step.progress !== undefined) {
      differences.push(...this.#comparison.differences(step.progress, answer.progress, 'progress'));
    }
    if (step.elicitations !== undefined) differences.push(...this.#compareQuestions(step.elicitations, answer));
    const seen: JsonObject = {
      error: answer.error ?? null,
      wire: this.#wire(index),
      isError: false,
      ...answer.result,
    };
    this.#report(index, tool, differences, seen);
    if (answer.result !== undefined) {
      for (const line of brokenPromises(answer.result, this.#schemas.get(tool))) {
        this.#failures.push(`step ${index} ${tool}: ${line}`);
      }
    }
  }

  #compareResult(recorded: RecordedResult, { result, error }: Answer): readonly Difference[] {
    if (result === undefined) return [{ path: 'error', expected: 'a result', got: `JSON-RPC error ${shown(error)}` }];
    const structured = result['structuredContent'] ?? null;
    this.#comparison.learn(structured);
    const content = isArray(result['content']) ? result['content'] : [];
    const got: JsonObject = {
      isError: result['isError'] ?? false,
      structuredContent: structured,
      content_blocks: content.length,
      text_equals_structured: structured !== null && textMatchesStructure(content, structured),
      content: content.map((block) => (isObject(block) ? (block['text'] ?? null) : null)),
    };
    const expected = recorded.structuredContent === null && structured !== null ? refusalLike(structured) : recorded;
    return Object.entries(expected).flatMap(([member, value]) =>
      this.#comparison.differences(value, got[member], member),
    );
  }

  async #compareWire(index: number, step: CallStep, anyOrder: boolean): Promise<readonly Difference[]> {
    const deadlineMs = performance.now() + SETTLE_MS;
    for (;;) {
      const found = Object.entries(step.wire).flatMap(([port, lines]) => {
        const wanted = comparableLines(lines, anyOrder);
        const seen = comparableLines(this.#servers.get(Number(port))?.lines(index) ?? [], anyOrder);
        const path = `wire.${this.#ports.undo(port)}`;
        return shown(wanted, Infinity) === shown(seen, Infinity)
          ? []
          : [{ path, expected: shown(wanted), got: shown(seen) }];
      });
      if (found.length === 0 || performance.now() > deadlineMs) return found;
      await sleep(POLL_MS);
    }
  }

  #wire(index: number): JsonObject {
    return Object.fromEntries(
      [...this.#servers].map(([port, server]) => [String(port), comparableLines(server.lines(index), false)]),
    );
  }

  #compareQuestions(recorded: number, { questions }: Answer): readonly Difference[] {
    const forms = questions.flatMap((question) => {
      const form = lookup(question, 'requestedSchema.properties.confirm.type');
      return this.#comparison.differences('boolean', form, 'elicitation_form.confirm');
    });
    return [...this.#comparison.differences(recorded, questions.length, 'elicitations'), ...forms];
  }

  async #compareStateFiles(home: string, recorded: Readonly<Record<string, JsonObject>>): Promise<void> {
    // There are no such modes on Windows.
    if (process.platform === 'win32') return;
    const differences: Difference[] = [];
    for (const [pattern, expected] of Object.entries(recorded)) {
      const paths = await matchingPaths(home, pattern.replace('<key_id>', '*'));
      if (paths.length === 0) {
        differences.push({ path: `state_files[${pattern}]`, expected: shown(expected), got: 'nothing' });
      }
      for (const path of paths) {
        const found = await stat(path);
        const mode = `0o${(found.mode & 0o777).toString(8)}`;
        const got = shown(found.isDirectory() ? { dirmode: mode } : { mode });
        if (got !== shown(expected)) {
          differences.push({ path: `state_files[${pattern}]`, expected: shown(expected), got });
        }
      }
    }
    this.#report('state_files', 'modes of the files left behind', differences, {});
  }

  #report(step: number | 'state_files', what: string, differences: readonly Difference[], seen: JsonObject): void {
    const isAsExpected = (better: JsonObject): boolean =>
      this.#comparison.differences(this.#ports.apply(better), seen, '').length === 0;
    const { failures } = judge(this.#deviations, step, differences, isAsExpected);
    for (const { path, expected, got } of failures) {
      this.#failures.push(this.#ports.undo(`step ${step} ${what}: ${path}: expected ${expected}, got ${got}`));
    }
  }
}

function isCall(step: ScenarioStep): step is CallStep {
  return step.call !== undefined && step.wire !== undefined && step.result !== undefined;
}

/** Where the recorded server refused arguments in bare text, a structured INVALID_REQUEST is as good. */
function refusalLike(structured: Json): RecordedResult {
  const refusal: JsonObject = { kind: 'error', error: { code: 'INVALID_REQUEST', message: '<message>' } };
  const isWrapped = isObject(structured) && 'result' in structured;
  return {
    isError: true,
    structuredContent: isWrapped ? { result: [refusal] } : refusal,
    content_blocks: 1,
    text_equals_structured: true,
  };
}

/** Paths below `home` that match; a `*` may stand in the last part of the pattern. */
async function matchingPaths(home: string, pattern: string): Promise<readonly string[]> {
  const folder = join(home, dirname(pattern));
  const [before = '', after] = basename(pattern).split('*');
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => (after === undefined ? name === before : name.startsWith(before) && name.endsWith(after)))
    .map((name) => join(folder, name));
}
