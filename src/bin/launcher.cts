/**
 * What the command `gopher-mcp` runs first. CommonJS on purpose: it is loaded without Node's thread pool, whose size is fixed at its
 * first use, and Node 20 uses the pool to load an ES module entry. It also parses on versions that cannot load the rest.
 */
(function launch(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`gopher-mcp: needs Node.js 20.19 or newer; this is ${process.version}\n`);
    process.exitCode = 1;
    return;
  }
  // Name resolution, files and key generation share the pool: with Node's four threads, four slow look-ups stall every file write.
  process.env['UV_THREADPOOL_SIZE'] ??= '16';
  void import('./main.js');
})();
