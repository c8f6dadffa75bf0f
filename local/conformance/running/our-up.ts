import { dirname } from 'node:path'
import { systemClock } from '../../../adapters/node/process/clock.ts'
import { openEngines } from '../../../adapters/sidecar/agents/engines.ts'
import type { Json } from '../../../adapters/testing/json.ts'
import { memoryComposer } from '../../../adapters/testing/memory/composer.ts'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { load, loadAll } from '../../../functions/compose/load/load.ts'
import type { ComposeInput, Project } from '../../../functions/compose/project.ts'
import type { StackRecord } from '../../../functions/core/records/stack.ts'
import { checkedProject } from '../../../functions/core/stacks/load-project.ts'
import { storeTexts } from '../../../functions/core/stacks/texts.ts'
import deploy from '../../../functions/stacks/deploy.ts'
import plan from '../../../functions/stacks/plan.ts'
import { call } from '../../harness/call.ts'
import { readProject } from '../project-files.ts'

/** The service's endpoints on the Engine of this machine, for a stack in a directory. */
export interface OurSide {
  /** Returns undefined on success, else the status and the error. */
  deploy(): Promise<{ status: number; error: string } | undefined>
  /** Returns the steps of a deploy: `action kind name (reason)`. */
  plan(): Promise<string[]>
  close(): Promise<void>
}

/** The arguments for calling our endpoints with the stack of a project. */
export interface OurStack {
  ports: ReturnType<typeof ourPorts>
  as: 'admin'
  path: { name: string }
  /** Loads the project from its files. */
  project(): Project
  close(): Promise<void>
}

/**
 * Creates a stack for the project in a directory, with the files and variables that docker compose
 * finds there.
 */
export async function ourStack(name: string, directory: string): Promise<OurStack> {
  const { input } = readProject(directory)
  const ports = ourPorts(input)
  await ports.stacks.create(await record(name, input, ports))
  return {
    ports,
    as: 'admin',
    path: { name },
    project: () => load({ ...input, name }).project,
    async close() {
      await ports.background.settled()
      await ports.engines.close()
    },
  }
}

/** Creates such a stack and returns its operations to compare. */
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
      return json.map((step: Json) => `${step.action} ${step.kind} ${step.name} (${step.reason})`)
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
  // The service sees neither the shell's variables nor files outside the stack. docker compose
  // does, so they are added.
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
      check: async (asked: ComposeInput[]) => checkedProject(loadAll(asked.map(found))),
    },
  })
}

async function record(
  name: string,
  { directory, composeFiles, files }: ComposeInput,
  ports: Parameters<typeof storeTexts>[1],
): Promise<StackRecord> {
  const [first = '', ...others] = composeFiles
  const kept = await storeTexts(
    {
      compose: files[first] ?? '',
      env: files['.env'] ?? null,
      overlays: {},
      tree: Object.fromEntries(
        others.map((path) => [path, { content: Buffer.from(files[path] ?? ''), mode: 0o644 }]),
      ),
    },
    ports,
  )
  const now = Date.now()
  return {
    id: name,
    hostId: 'local',
    directory,
    adopted: true,
    composeFiles,
    files: kept,
    written: kept,
    environment: null,
    contentRevision: 1,
    keptVolumes: {},
    services: {},
    last: null,
    deployed: false,
    createdAt: now,
    updatedAt: now,
    deployedAt: null,
  }
}
