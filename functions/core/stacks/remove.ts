import type { Stored } from '../collection.ts'
import { beginDeployment } from './begin.ts'
import type { RunPorts } from './run.ts'
import type { Deployment, DeployOptions, StackRecord } from './stack.ts'

/** Removes what a stack has on its host, then deletes the stack. */
export async function removeStack(
  stack: Stored<StackRecord>,
  options: DeployOptions,
  by: string,
  ports: RunPorts,
): Promise<Deployment> {
  const { files, environment } = stack
  const order = {
    kind: 'remove' as const,
    stack,
    files,
    environment,
    options,
    reach: 'host' as const,
  }
  const run = await beginDeployment(order, by, ports)
  return run.done
}
