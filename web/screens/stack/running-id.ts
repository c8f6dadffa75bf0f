import type { Deployment, StackDetails } from '../../data/stack-operations.ts'

/** Operations that take long enough to be followed. Others end before their steps could be read. */
const followed: readonly Deployment['kind'][] = ['deploy', 'rollback', 'pull', 'build']

/** Returns the ID of the operation of a stack that the page follows, or undefined if none runs. */
export const runningId = ({
  last_deployment: last,
}: Pick<StackDetails, 'last_deployment'>): string | undefined =>
  last?.status === 'running' && followed.includes(last.kind) ? last.id : undefined
