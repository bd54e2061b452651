import { failure, type Failure } from '../common/error-codes.js';

/** What a caller is told of a fault of ours: that it is ours, and nothing of its insides. */
export function internalFault(): Failure {
  return failure(
    'FETCH_ERROR',
    'The call failed because of an internal fault; the log of the server has the details.',
    {
      reason: 'internal',
      next_step: 'Try once more; if it fails again, tell the operator of this server.',
    },
  );
}
