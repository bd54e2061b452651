/** A Gopher hole and a Gemini capsule on this machine, to try everything without a network. */
export { startDemo, type Demo, type DemoOptions } from './io/start-demo.js';
