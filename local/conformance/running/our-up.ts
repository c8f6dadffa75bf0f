import { dirname } from 'node:path'
import { memoryComposer } from '../../../adapters/memory/composer.ts'
import { memoryPorts } from '../../../adapters/memory/stores.ts'
import { systemClock } from '../../../adapters/node/clock.ts'
import { openEngines } from '../../../adapters/sidecar/engines.ts'
import { load, loadAll } from '../../../functions/core/compose/load/load.ts'
import type { ComposeInput, Project } from '../../../functions/core/compose/project.ts'
import { expectations } from '../../../functions/core/stacks/project.ts'
import type { StackRecord } from '../../../functions/core/stacks/stack.ts'
import { keepTexts } from '../../../functions/core/stacks/texts.ts'
import deploy from '../../../functions/stacks/deploy.ts'
import plan from '../../../functions/stacks/plan.ts'
import { call } from '../../harness/call.ts'
import { readProject } from '../project-files.ts'

/** The service's own endpoints over the Engine of this machine, with a stack in a directory. */
export interface OurSide {
  /** Nothing when it went well, else why not and with which status. */
  deploy(): Promise<{ status: number; error: string } | undefined>
  /** What a deploy would do: `action kind name (reason)`. */
  plan(): Promise<string[]>
  close(): Promise<void>
}

/** What calls of our endpoints about the stack of a project are given. */
export interface OurStack {
  ports: ReturnType<typeof ourPorts>
  as: 'admin'
  path: { name: string }
  /** The project as its files have it. */
  project(): Project
  close(): Promise<void>
}

/** A stack of the project that lives in a directory, under the files and variables that docker compose finds there. */
export async function ourStack(name: string, directory: string): Promise<OurStack> {
  const { input } = readProject(directory)
  const ports = ourPorts(input)
  await ports.stacks.create(await record(name, input, ports))
  return {
    ...{ ports, as: 'admin', path: { name } },
    project: () => load({ ...input, name }).project,
    async close() {
      await ports.background.settled()
      await ports.engines.close()
    },
  }
}

/** Such a stack, with what is compared of it. */
export async function ourSide(name: string, directory: string): Promise<OurSide> {
  const { ports, as, path, close } = await ourStack(name, directory)
  return {
    async deploy() {
      const { status, json } = await call(deploy, { ports, as, path, body: {} })
      if (status === 200 && json.status === 'succeeded') return undefined
      return { status, error: json.error ?? 'no reason given' }
    },
    async plan() {
      const { status, json } = await call(plan, { ports, as, path, body: {} })
      if (status !== 200) return [`refused: ${json.error}`]
      return json.map((step: any) => `${step.action} ${step.kind} ${step.name} (${step.reason})`)
    },
    close,
  }
}

function ourPorts(input: ComposeInput) {
  const local = {
    id: 'local',
    name: 'local',
    kind: 'local' as const,
    tags: [],
    stacksDirectory: dirname(input.directory),
    agent: null,
  }
  // A service knows no shell and no file beside the stack's own; docker compose was called with them.
  const found = (asked: ComposeInput) => ({
    ...asked,
    files: { ...input.files, ...asked.files },
    environment: input.environment,
  })
  return memoryPorts({
    clock: systemClock,
    engines: openEngines(local, process.env),
    composer: {
      ...memoryComposer(),
      load: async (asked: ComposeInput) => load(found(asked)),
      check: async (asked: ComposeInput[]) => expectations(loadAll(asked.map(found))[0]!.project),
    },
  })
}

async function record(
  name: string,
  { directory, composeFiles, files }: ComposeInput,
  ports: Parameters<typeof keepTexts>[1],
): Promise<StackRecord> {
  const [first = '', ...others] = composeFiles
  const kept = await keepTexts(
    {
      compose: files[first] ?? '',
      env: files['.env'] ?? null,
      overlays: {},
      others: Object.fromEntries(others.map((path) => [path, files[path] ?? ''])),
    },
    ports,
  )
  const now = Date.now()
  return {
    ...{ id: name, hostId: 'local', directory, adopted: true, composeFiles },
    ...{ files: kept, written: kept, environment: null, contentRevision: 1, keptVolumes: {} },
    ...{ services: {}, last: null, deployed: false },
    ...{ createdAt: now, updatedAt: now, deployedAt: null },
  }
}
