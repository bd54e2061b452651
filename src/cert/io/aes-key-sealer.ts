/**
 * Private keys at rest: AES-256-GCM (NIST SP 800-38D) under the key of the state, with a random nonce for each. What is stored is one
 * line of ASCII:
 *
 *   gopher-mcp-key:1:<key id>:<base64 of nonce (12 bytes), ciphertext, tag (16 bytes)>
 *
 * The key id tells which key it takes and nothing about that key: 64 bits of an HMAC under it. The authenticated data are everything
 * before the base64 and the file stem of the identity. 2^32 keys sealed at random nonces are far from the limit of 2^-32 on a
 * collision.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { err, ok, type Result } from '../../common/result.js';
import type { SealTrouble } from '../core/seal-trouble.js';
import type { KeySealer } from '../key-sealer.port.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LABEL = 'gopher-mcp-key:1';
const SEALED = /^gopher-mcp-key:1:([0-9a-f]{16}):([A-Za-z0-9+/]+={0,2})\s*$/;
/** Whatever calls itself sealed is never taken for a plain key. */
const SEALED_START = 'gopher-mcp-key:';

interface StateKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** See the file's header. */
export class AesKeySealer implements KeySealer {
  readonly #current: StateKey | null;
  readonly #keys: ReadonlyMap<string, StateKey>;

  /**
   * @param current seals and opens; 64 hexadecimal digits, or null: what is sealed stays plain
   * @param previous opens only
   */
  constructor(current: string | null, previous: string | null = null) {
    this.#current = current === null ? null : stateKey(current);
    const old = previous === null ? null : stateKey(previous);
    this.#keys = new Map([old, this.#current].filter((key) => key !== null).map((key) => [key.id, key]));
  }

  get encrypts(): boolean {
    return this.#current !== null;
  }

  seal(stem: string, privateKeyPem: string): string {
    if (this.#current === null) return privateKeyPem;
    const { id, bytes } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(authenticated(id, stem));
    const sealed = Buffer.concat([nonce, cipher.update(privateKeyPem, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${LABEL}:${id}:${sealed.toString('base64')}\n`;
  }

  open(stem: string, stored: string): Result<string, SealTrouble> {
    if (!stored.startsWith(SEALED_START)) return ok(stored);
    const [, id, base64] = SEALED.exec(stored) ?? [];
    if (id === undefined || base64 === undefined) return err({ kind: 'damaged' });
    const key = this.#keys.get(id);
    if (key === undefined) return err({ kind: 'other_key', keyId: id });
    const sealed = Buffer.from(base64, 'base64');
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return err({ kind: 'damaged' });
    const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated(id, stem));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return ok(Buffer.concat([opened, decipher.final()]).toString('utf8'));
    } catch {
      return err({ kind: 'damaged' });
    }
  }

  isCurrent(stored: string): boolean {
    const isSealed = stored.startsWith(SEALED_START);
    if (this.#current === null) return !isSealed;
    return isSealed && SEALED.exec(stored)?.[1] === this.#current.id;
  }
}

function stateKey(hex: string): StateKey {
  const bytes = Buffer.from(hex, 'hex');
  const id = createHmac('sha256', bytes).update('gopher-mcp state key id').digest('hex').slice(0, 16);
  return { id, bytes };
}

function authenticated(id: string, stem: string): Buffer {
  return Buffer.from(`${LABEL}:${id}:${stem}`);
}
