import type { EngineBody, Step, StepCall } from '../../../functions/compose/step.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'

/** An Engine under test and names that the test may use on it. */
export interface EngineWorld {
  engine: Engine
  /** The project of this test. Everything it creates has it in its name and its labels. */
  project: string
  /** A directory on the host that does not exist yet. */
  directory: string
}

/** Makes a world, and cleans it up after the test. */
export type NewEngineWorld = () => Promise<EngineWorld>

/** An image with a shell and `sleep`, which the Engine has. */
export const image = 'busybox:latest'

/** Returns a single step as the executor would pass it to the Engine. */
export function step(call: StepCall, service: string | null = null): Step {
  return { ...call, index: 0, after: [], reason: 'contract', service } as Step
}

/** Returns the labels that docker compose gives the resources of a project. */
export const labels = (project: string, more: Record<string, string> = {}) => ({
  'com.docker.compose.project': project,
  ...more,
})

/** Returns the step that creates a container of a service with a shell command. */
export function createStep(
  project: string,
  service: string,
  script: string,
  body: EngineBody = {},
) {
  return step({
    action: 'create',
    kind: 'container',
    name: `${project}-${service}-1`,
    image,
    body: {
      Image: image,
      Cmd: ['sh', '-c', script],
      StopTimeout: 0,
      HostConfig: { NetworkMode: 'none' },
      ...body,
      Labels: labels(project, {
        'com.docker.compose.service': service,
        'com.docker.compose.container-number': '1',
        'com.docker.compose.oneoff': 'False',
        'com.docker.compose.config-hash': 'a'.repeat(64),
      }),
    },
  })
}

/** Executes steps in sequence, each with its own call. Returns the outcome of the last one. */
export async function run(engine: Engine, ...steps: Step[]) {
  let outcome = {}
  for (const one of steps) outcome = await engine.execute(one, new AbortController().signal)
  return outcome as { id?: string; warnings?: string[] }
}

/** Creates and starts a container of a service. Returns its name. */
export async function startContainer(
  engine: Engine,
  project: string,
  service: string,
  script: string,
) {
  const create = createStep(project, service, script)
  await run(engine, create, step({ action: 'start', kind: 'container', name: create.name }))
  return create.name
}

/** Returns the step that waits for a container. */
export const waitStep = (
  name: string,
  condition: 'service_healthy' | 'service_completed_successfully' | 'service_started',
  required = true,
) => step({ action: 'wait', kind: 'container', name, condition, required }, 'one')
