import type { Stored } from '../ports.ts'
import { beginDeployment } from './begin.ts'
import type { RunPorts } from './run.ts'
import type { Deployment, DeployOptions, StackRecord } from './stack.ts'
import { filesByPath, readTexts } from './texts.ts'

/**
 * Takes a stack down, and when that is done forgets it: its record, its deployments, and on the host the files that were
 * written there (of an adopted stack they stay: they were there before).
 */
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
  const ended = await run.done
  if (ended.status !== 'succeeded') return ended
  await removeFiles(stack, ports)
  await ports.stacks.remove(stack.id)
  await ports.deployments.removeByStack(stack.id)
  return ended
}

async function removeFiles(stack: StackRecord, ports: RunPorts): Promise<void> {
  if (!stack.written || stack.adopted) return
  try {
    const paths = Object.keys(filesByPath(await readTexts(stack.written, ports)))
    const engine = await ports.engines.on(stack.hostId)
    await engine.writeFiles(stack.directory, [], paths)
  } catch (error) {
    ports.log.warn('the files of a removed stack are still on its host', { stack: stack.id, error })
  }
}
