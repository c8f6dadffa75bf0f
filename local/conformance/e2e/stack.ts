import { dirname } from 'node:path'
import { systemClock } from '../../../adapters/node/process/clock.ts'
import { openEngines } from '../../../adapters/sidecar/agents/engines.ts'
import { localHost, memoryHosts } from '../../../adapters/testing/memory/hosts.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { load } from '../../../functions/compose/load/load.ts'
import type { Project } from '../../../functions/compose/project.ts'
import { readProject } from '../project-files.ts'
import { type StackClient, stackClient } from './client.ts'

/** A stack of the service on the Engine of this machine, and what the runner knows of it. */
export interface OurStack {
  ports: ReturnType<typeof memoryPorts<Record<never, never>>>
  as: 'admin'
  path: { name: string }
  client: StackClient
  /** The directory of a user with the files of the stack. */
  directory: string
  /** The directory of the stack on the host. */
  hostDirectory: string
  isCreated: boolean
  /** The text of its `.env`, as saved last. */
  environment: string
  /** Loads the project from the user's directory. */
  project(): Project
  close(): Promise<void>
}

/** Starts the service for a stack that is still to be created from a directory. */
export async function ourStack(
  name: string,
  directory: string,
  hostDirectory: string,
): Promise<OurStack> {
  const local = { ...localHost, stacksDirectory: dirname(hostDirectory) }
  const engines = openEngines(local, process.env)
  const memory = memoryPorts<Record<never, never>>({
    clock: systemClock,
    hosts: memoryHosts(local),
  })
  // Only the Engines differ from those of a service in memory.
  const ports = Object.assign(memory, { engines }) as never as OurStack['ports']
  const client = await stackClient(ports)
  const stack: OurStack = {
    ports,
    as: 'admin',
    path: { name },
    client,
    directory,
    hostDirectory,
    isCreated: false,
    environment: '',
    project() {
      const { input } = readProject(directory)
      const files = { ...input.files, '.env': stack.environment }
      return load({ ...input, files, name }).project
    },
    async close() {
      await client.close()
      await ports.background.settled()
      await engines.close()
    },
  }
  return stack
}
