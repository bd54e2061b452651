import type { Failure } from '../../../src/common/error-codes.js';
import { fail } from '../../../src/common/error-codes.js';
import { ok, type Result } from '../../../src/common/result.js';
import type {
  Exchange,
  ExchangeContext,
  FetchCall,
  FetchRequest,
  HeldDocument,
  ProtocolAdapter,
  RenderedWindow,
  WindowBounds,
} from '../../../src/fetch/index.js';
import type { RequestInfo } from '../../../src/common/request-info.js';
import type { RobotsProbe } from '../../../src/safety/index.js';
import { askFinger } from './finger-dialer.js';

interface FingerRequest extends FetchRequest {
  readonly user: string;
}

interface FingerDocument extends HeldDocument {
  readonly text: string;
}

const URL_FORM = /^finger:\/\/([a-z0-9.]+)(?::(\d+))?\/(\w*)$/;

/** A finger-like protocol (RFC 1288): one line out, text back. */
export class FingerProtocol implements ProtocolAdapter<FingerRequest, FingerDocument> {
  readonly name = 'finger';

  parse({ url }: FetchCall): Result<FingerRequest, Failure> {
    const [, host, port, user] = URL_FORM.exec(url) ?? [];
    if (host === undefined || user === undefined) return fail('INVALID_REQUEST', 'Not a finger URL.');
    return ok({ host, port: Number(port ?? 79), user, key: url, robotsPaths: [] });
  }

  refuse(): null {
    return null;
  }

  variant(): Promise<string> {
    return Promise.resolve('');
  }

  async exchange({ port, user }: FingerRequest, { addresses }: ExchangeContext): Promise<Exchange<FingerDocument>> {
    const text = await askFinger(addresses[0]?.address ?? '', port, user);
    return { kind: 'document', document: { text, heldBytes: text.length }, incomplete: null, connection: {} };
  }

  probeRobots(): Promise<RobotsProbe> {
    return Promise.resolve({ kind: 'absent' });
  }

  render({ text }: FingerDocument, _request: FingerRequest, { offset, maxChars }: WindowBounds): RenderedWindow {
    const end = offset + maxChars;
    const nextOffset = end < text.length ? end : null;
    return { members: { kind: 'text', text: text.slice(offset, end), next_offset: nextOffset }, nextOffset };
  }

  describe({ host, port, user }: FingerRequest): RequestInfo {
    return { url: `finger://${host}:${port}/${user}`, host, port };
  }

  describeRefused(): RequestInfo {
    return {};
  }
}
