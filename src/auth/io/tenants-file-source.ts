import { readFile } from 'node:fs/promises';
import { err, ok, type Result } from '../../common/result.js';
import type { TenantsSource } from '../tenants-source.port.js';

/** The tenants in a file of UTF-8 text. */
export class TenantsFileSource implements TenantsSource {
  constructor(private readonly path: string) {}

  async read(): Promise<Result<string, string>> {
    try {
      return ok(UTF8.decode(await readFile(this.path)));
    } catch (thrown) {
      if (thrown instanceof TypeError) return err('not UTF-8');
      return err(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable');
    }
  }
}

/** Drops a byte order mark; throws on anything that is not UTF-8. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });
