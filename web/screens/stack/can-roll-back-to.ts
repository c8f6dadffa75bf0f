import type { Deployment } from '../../data/stack-operations.ts'

/** Returns whether a stack can be rolled back to a deployment: a deploy that succeeded. */
export const canRollBackTo = ({ kind, status }: Deployment): boolean =>
  status === 'succeeded' && (kind === 'deploy' || kind === 'rollback')
