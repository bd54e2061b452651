/**
 * Says which scopes requests lack, before anything of them runs: so a transport can ask its client to come back with a credential
 * for more. What a caller is not offered, whatever its scopes, is unknown to it and lacks none.
 */
import type { Scope } from '../common/principal.js';
import { isJsonObject } from '../common/json.js';
import { templateFor, type PageTemplate } from './resources/page-template.js';
import { missingScope, offeredTools, type Viewer } from './served-tools.js';
import { servedTemplates } from './template-table.js';
import type { Tool } from './tool.js';

/** A request, as far as its scope depends on it. */
export interface ScopedRequest {
  readonly method: string;
  readonly params?: object | undefined;
}

const NONE: readonly Scope[] = [];

/** See the file's header. */
export class ScopeGuard {
  constructor(
    private readonly tools: readonly Tool[],
    private readonly templates: readonly PageTemplate[],
  ) {}

  /** The scopes that `viewer` lacks for `requests`, each once; empty when it may make all of them. */
  missing(requests: readonly ScopedRequest[], viewer: Viewer): readonly Scope[] {
    if (requests.every((request) => this.#missing(request, viewer) === null)) return NONE;
    const missing = requests.map((request) => this.#missing(request, viewer));
    return [...new Set(missing.filter((scope) => scope !== null))];
  }

  #missing(request: ScopedRequest, viewer: Viewer): Scope | null {
    const name = this.#toolBehind(request);
    const tool = this.tools.find((one) => one.name === name);
    if (tool === undefined) return null;
    const missing = missingScope(tool, viewer.principal);
    return missing !== null && offeredTools([tool], viewer).length > 0 ? missing : null;
  }

  /** Name of the tool that a request calls, or that would fetch the page which it reads. */
  #toolBehind({ method, params }: ScopedRequest): string | undefined {
    if (!isJsonObject(params)) return undefined;
    const { name, uri } = params;
    if (method === 'tools/call') return typeof name === 'string' ? name : undefined;
    if (method !== 'resources/read' || typeof uri !== 'string') return undefined;
    return templateFor(servedTemplates(this.templates, this.tools), uri)?.tool;
  }
}
