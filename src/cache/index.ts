export { PageCache, type CachedPage } from './page-cache.port.js';
