import type { Deployment } from '../../data/stack-operations.ts'

/** Returns whether a deployment is a deploy that succeeded, to which a stack can be rolled back. */
export const isSuccessfulDeploy = ({ kind, status }: Deployment): boolean =>
  status === 'succeeded' && (kind === 'deploy' || kind === 'rollback')
