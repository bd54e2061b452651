import type { Log } from '../logging/index.js';
import type { PinEvent } from './pin-observer.port.js';

/** Digits of a fingerprint that tell certificates apart in a log. */
const SHOWN_DIGITS = 16;

/** One log line a change of a pin: a warning when a certificate is not the pinned one, information otherwise. */
export function logPinChanges(log: Log): (host: string, port: number, event: PinEvent) => void {
  return (host, port, event) => {
    switch (event.kind) {
      case 'pinned':
        log.info('certificate pinned', { host, port, fingerprint: shown(event.fingerprint) });
        return;
      case 'mismatch': {
        const fields = { host, port, pinned: shown(event.pinned), presented: shown(event.presented) };
        log.warning('certificate is not the pinned one', fields);
        return;
      }
      case 'by_hand':
        log.info('pin changed by hand', { host, port, action: event.action });
    }
  };
}

function shown(fingerprint: string): string {
  return fingerprint.slice(0, SHOWN_DIGITS);
}
