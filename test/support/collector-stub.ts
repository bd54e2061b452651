/** Takes spans as a collector of OpenTelemetry does: OTLP over HTTP, in JSON. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it came. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 = error. */
  readonly status: number;
  readonly links: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: readonly Attribute[];
  readonly status?: { readonly code?: number };
  readonly links?: readonly { readonly spanId: string }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

/** See the file's header. */
export class CollectorStub {
  readonly spans: ExportedSpan[] = [];
  /** Attributes of the resource that came last. */
  resource: Readonly<Record<string, unknown>> = {};
  /** All that came, as text. */
  text = '';
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        this.#take(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<CollectorStub> {
    const collector = new CollectorStub();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(body: string): void {
    this.text += body;
    const { resourceSpans } = JSON.parse(body) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) this.spans.push(spanOf(span));
    }
  }
}

function spanOf(span: RawSpan): ExportedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
    name: span.name,
    kind: span.kind,
    attributes: plain(span.attributes ?? []),
    status: span.status?.code ?? 0,
    links: (span.links ?? []).map(({ spanId }) => spanId),
    startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
    endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  };
}

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  );
}
