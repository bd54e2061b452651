export { DrainState } from './drain-state.js';
export { EventLoopDelay } from './event-loop-delay.js';
