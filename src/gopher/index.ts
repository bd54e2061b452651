export type { GopherDocument } from './core/document.js';
export { ITEM_TYPES } from './core/item-types.js';
export type { GopherRequest } from './core/url.js';
export { GopherDialer, type GopherDial, type GopherTransfer } from './gopher-dialer.port.js';
export { GopherOptions, GopherProtocol } from './gopher.protocol.js';
export { GopherPipeline } from './gopher-pipeline.token.js';
export { GopherModule } from './gopher.module.js';
