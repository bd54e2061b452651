export { DrainState } from './drain-state.js';
