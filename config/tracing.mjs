// Exports the spans of gopher-mcp over OTLP/HTTP. Loaded before the server:
//
//   npm install @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources
//   NODE_OPTIONS="--import ./tracing.mjs" OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.example:4318 gopher-mcp
//
// OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_* and OTEL_TRACES_SAMPLER* are read by the SDK.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const named = resourceFromAttributes({ 'service.name': 'gopher-mcp' });
const fromEnvironment = detectResources({ detectors: [envDetector] });

new NodeTracerProvider({
  resource: defaultResource().merge(named).merge(fromEnvironment),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
}).register();
