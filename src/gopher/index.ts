export type { GopherDocument } from './core/document.js';
export type { GopherRequest } from './core/url.js';
export { GopherDialer, type GopherDial, type GopherTransfer } from './gopher-dialer.port.js';
export { GopherOptions, GopherProtocol } from './gopher.protocol.js';
export { GopherPipeline } from './gopher-pipeline.token.js';

/** Loads the module that wires Gopher; apart from the names above, so that listing the tools loads none of it. */
export async function loadGopherModule(): Promise<new () => object> {
  return (await import('./gopher.module.js')).GopherModule;
}
