export { connectStdio, type StdioConnection } from './connect-stdio.js';
