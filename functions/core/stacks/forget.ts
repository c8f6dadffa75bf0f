import type { Stored } from '../collection.ts'
import { forgetOwned } from '../owners/own-things.ts'
import type { Needs } from '../ports.ts'
import type { StackRecord } from './stack.ts'
import { filesByPath } from './texts.ts'

type ForgetPorts = Needs<'deployments' | 'engines' | 'log' | 'owners' | 'stacks' | 'texts'>

/**
 * Forgets a stack that was taken down: on the host the files that were written there (of an adopted stack they stay: they
 * were there before), its record and its deployments. To be done under its lease, or somebody could bring up what is about
 * to be forgotten.
 */
export async function forgetStack(stack: Stored<StackRecord>, ports: ForgetPorts): Promise<void> {
  await removeFiles(stack, ports)
  await forgetOwned({ stack: stack.id, hostId: stack.hostId }, ports)
  await ports.stacks.remove(stack.id)
  // Last: as long as the running one is there, recovery goes on from here.
  await ports.deployments.removeByStack(stack.id)
}

async function removeFiles(stack: StackRecord, ports: ForgetPorts): Promise<void> {
  if (!stack.written || stack.adopted) return
  try {
    const paths = Object.keys(filesByPath(stack.written, stack))
    const engine = await ports.engines.on(stack.hostId)
    await engine.writeFiles(stack.directory, [], paths)
  } catch (error) {
    ports.log.warn('the files of a removed stack are still on its host', { stack: stack.id, error })
  }
}
