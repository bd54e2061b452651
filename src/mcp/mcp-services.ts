import type { CallGate } from './call-gate.port.js';
import type { PageReader } from './resources/page-reader.js';
import type { PolicyReader } from './resources/policy.resource.js';
import type { ToolRunner } from './tool-runner.js';

/** What stands behind the static tables: made once, when the first request needs it. */
export interface McpServices {
  readonly runner: ToolRunner;
  readonly policy: PolicyReader;
  readonly pages: PageReader;
  /** What every call passes first; undefined = nothing. */
  readonly gate?: CallGate | undefined;
}
