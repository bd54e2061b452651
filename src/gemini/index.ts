export type { GeminiDocument } from './core/document.js';
export { parseIdentityScope, type ScopeArgument } from './core/identity-scope.js';
export type { GeminiRequest } from './core/url.js';
export { GeminiOptions, GeminiProtocol } from './gemini.protocol.js';
export { GeminiPipeline } from './gemini-pipeline.token.js';
export { TlsDialer, type TlsAnswer, type TlsConnection, type TlsDial } from './tls-dialer.port.js';

/** Loads the module that wires Gemini; apart from the names above, so that listing the tools loads none of it. */
export async function loadGeminiModule(): Promise<new () => object> {
  return (await import('./gemini.module.js')).GeminiModule;
}
