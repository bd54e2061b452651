import type { Clock } from '../common/clock.port.js';
import type { BoundTool, Tool } from '../mcp/tool.js';

/** How a call ended: with a result, with an error in it or instead of it, with a question, or by a fault of ours. */
export type CallOutcome = 'ok' | 'error' | 'question' | 'fault';

/** The same tools, whose calls are told to `observe` when they end. */
export function measuredTools(
  tools: readonly Tool[],
  clock: Clock,
  observe: (tool: string, outcome: CallOutcome, durationMs: number) => void,
): readonly Tool[] {
  return tools.map((tool) => {
    const measured = (run: BoundTool): BoundTool => {
      return async (raw, call) => {
        const startedMs = clock.monotonicMs();
        let outcome: CallOutcome = 'fault';
        try {
          const ended = await run(raw, call);
          outcome = outcomeOf(ended);
          return ended;
        } finally {
          observe(tool.name, outcome, clock.monotonicMs() - startedMs);
        }
      };
    };
    const load: Tool['load'] = async () => {
      const behaviour = await tool.load();
      return { ...behaviour, bind: (services) => measured(behaviour.bind(services)) };
    };
    return { ...tool, load };
  });
}

function outcomeOf(ended: Awaited<ReturnType<BoundTool>>): CallOutcome {
  if ('code' in ended) return 'error';
  switch (ended.kind) {
    case 'single':
      return ended.payload.kind === 'error' ? 'error' : 'ok';
    case 'batch':
      return 'ok';
    case 'question':
      return 'question';
  }
}
