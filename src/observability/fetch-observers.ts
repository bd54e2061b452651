import type { FetchObserver, FetchRecord, FetchWait, PipelineLoad } from '../fetch/index.js';

/** Several observers as one, each told in turn. */
export class FetchObservers implements FetchObserver {
  constructor(private readonly observers: readonly FetchObserver[]) {}

  onFetch(record: FetchRecord): void {
    for (const observer of this.observers) observer.onFetch(record);
  }

  onWait(wait: FetchWait): void {
    for (const observer of this.observers) observer.onWait?.(wait);
  }

  onPipeline(protocol: string, load: () => PipelineLoad): void {
    for (const observer of this.observers) observer.onPipeline?.(protocol, load);
  }
}
