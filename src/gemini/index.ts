export type { GeminiDocument } from './core/document.js';
export { parseIdentityScope, type ScopeArgument } from './core/identity-scope.js';
export type { GeminiRequest } from './core/url.js';
export { GeminiOptions, GeminiProtocol } from './gemini.protocol.js';
export { GeminiPipeline } from './gemini-pipeline.token.js';
export { TlsDialer, type TlsAnswer, type TlsConnection, type TlsDial } from './tls-dialer.port.js';
export { GeminiModule } from './gemini.module.js';
