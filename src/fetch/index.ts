export {
  FetchObserver,
  type FetchContext,
  type FetchRecord,
  type FetchWait,
  type PipelineLoad,
} from './fetch-observer.port.js';
export {
  createPipeline,
  type PipelineServices,
  type ProtocolSettings,
  type ProtocolTraits,
} from './pipeline.factory.js';
export { FetchPipeline } from './pipeline.js';
export type {
  ConnectionInfo,
  Exchange,
  ExchangeContext,
  FetchCall,
  FetchRequest,
  HeldDocument,
  IncompleteReason,
  ProtocolAdapter,
  RenderedWindow,
  RenderFormat,
  WindowBounds,
} from './protocol.port.js';
export { errorPayload, stampedInfo } from './results.js';
export { probeFailed } from '../safety/index.js';
