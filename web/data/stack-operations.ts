import { effect } from '@preact/signals'
import { api, unwrap } from './api.ts'
import type { components } from './api.types.ts'
import { resource } from './cache.ts'
import type { ContainerRef } from './containers.ts'
import { RequestError } from './problem.ts'
import { refresh } from './refresh.ts'

export type Deployment = components['schemas']['Deployment']
type BackupRun = components['schemas']['BackupRun']
type Stack = components['schemas']['Stack']
export type StackDetails = components['schemas']['StackDetails']
export type DeployBody = components['schemas']['DeployBody']
type RollbackBody = components['schemas']['RollbackBody']

/** What is done to the containers of a service. The names are those of `docker compose`. */
export type ServiceVerb = 'start' | 'stop' | 'restart' | 'pause' | 'unpause' | 'pull' | 'build'

/** Milliseconds between two reads of a deployment, in case its events do not arrive. */
const reloadEvery = 5000

/** Plans a deploy. Nothing is changed. Returns its steps and the revision of the files. */
export async function planStack(name: string, body: components['schemas']['PlanBody']) {
  const answer = api.POST('/stacks/{name}/plan', { params: { path: { name } }, body })
  const steps = await unwrap(answer)
  return { steps, revision: Number((await answer).response.headers.get('X-Revision')) }
}

/** Starts a deploy. Returns it at once. */
export const startDeploy = (name: string, body: DeployBody) =>
  unwrap(
    api.POST('/stacks/{name}/deploy', { params: { path: { name }, query: { wait: false } }, body }),
  ) as Promise<Deployment>

/** Starts to deploy an earlier deployment again. Returns it at once. */
export const startRollback = (name: string, body: RollbackBody) =>
  unwrap(
    api.POST('/stacks/{name}/rollback', {
      params: { path: { name }, query: { wait: false } },
      body,
    }),
  ) as Promise<Deployment>

/** Begins to take the last update of a stack back with its data. Returns the restore. */
export async function undoUpdate(name: string): Promise<BackupRun> {
  const run = await unwrap(api.POST('/stacks/{name}/undo', { params: { path: { name } } }))
  refresh('/backup-runs', '/stacks', '/stacks/{name}')
  return run
}

export const cancelDeployment = (name: string, id: string) =>
  unwrap(
    api.POST('/stacks/{name}/deployments/{id}/cancel', { params: { path: { name, id } } }),
  ) as Promise<Deployment>

/** Removes the containers of a stack. Returns when they are gone. */
export const stopStack = async (name: string) =>
  lastOf((await unwrap(api.POST('/stacks/{name}/stop', { params: { path: { name } } }))) as Stack)

/** Restarts all services of a stack. Returns when they have started. */
export const restartStack = async (name: string) =>
  lastOf(
    (await unwrap(
      api.POST('/stacks/{name}/restart', { params: { path: { name } }, body: {} }),
    )) as Stack,
  )

async function lastOf({ name, last_deployment: last }: Stack): Promise<Deployment> {
  const path = { name, id: last?.id ?? '' }
  return successful(await unwrap(api.GET('/stacks/{name}/deployments/{id}', { params: { path } })))
}

/** Removes containers and networks of a stack, and volumes or images on request. */
export const downStack = (name: string, body: components['schemas']['DownBody']) =>
  ending(
    unwrap(
      api.POST('/stacks/{name}/down', { params: { path: { name }, query: { wait: false } }, body }),
    ),
  )

/** Deletes a stack with its files and deployments. Returns what stays, with the reasons. */
export const deleteStack = async (name: string, query: { volumes: boolean; force: boolean }) => {
  const answer = await unwrap(api.DELETE('/stacks/{name}', { params: { path: { name }, query } }))
  return answer?.warnings ?? []
}

/** Removes a stack from the service. Everything on its host stays. */
export const forgetStack = async (name: string) => {
  await unwrap(api.POST('/stacks/{name}/forget', { params: { path: { name } } }))
}

/** Does something to a service. Returns when it has ended. */
export function runVerb(name: string, service: string, verb: ServiceVerb): Promise<Deployment> {
  const params = { path: { name, service }, query: { wait: false } }
  const path = '/stacks/{name}/services/{service}' as const
  const starts: Readonly<Record<ServiceVerb, () => Promise<unknown>>> = {
    start: () => unwrap(api.POST(`${path}/start`, { params })),
    stop: () => unwrap(api.POST(`${path}/stop`, { params, body: {} })),
    restart: () => unwrap(api.POST(`${path}/restart`, { params, body: {} })),
    pause: () => unwrap(api.POST(`${path}/pause`, { params })),
    unpause: () => unwrap(api.POST(`${path}/unpause`, { params })),
    pull: () => unwrap(api.POST(`${path}/pull`, { params })),
    build: () => unwrap(api.POST(`${path}/build`, { params, body: {} })),
  }
  return ending(starts[verb]())
}

/** Sets the number of containers of a service. Returns when it has ended. */
export const scaleService = (name: string, service: string, replicas: number) =>
  ending(
    unwrap(
      api.POST('/stacks/{name}/services/{service}/scale', {
        params: { path: { name, service }, query: { wait: false } },
        body: { replicas },
      }),
    ),
  )

/** Creates a container that runs a command of a service once, as soon as its feed is opened. */
export async function createOneOff(
  { name, host }: Pick<Stack, 'name' | 'host'>,
  service: string,
  { command, user }: { command: readonly string[]; user: string },
): Promise<ContainerRef> {
  const body = {
    tty: true,
    ...(command.length > 0 && { command: [...command] }),
    ...(user && { user }),
  }
  const params = { path: { name, service } }
  const { container_id: id } = await unwrap(
    api.POST('/stacks/{name}/services/{service}/run', { params, body }),
  )
  return { id, host_id: host }
}

const ending = async (started: Promise<unknown>) => untilSuccess((await started) as Deployment)

/**
 * Returns a deployment once it has ended.
 *
 * @throws RequestError with its reason if it did not succeed
 */
export const untilSuccess = async ({ stack, id }: Deployment): Promise<Deployment> =>
  successful(await untilEnded(stack, id))

/** Returns a deployment once it has ended, as its events say. */
function untilEnded(name: string, id: string): Promise<Deployment> {
  const entry = resource('/stacks/{name}/deployments/{id}', { name, id })
  return new Promise((resolve) => {
    const release = entry.retain()
    const timer = setInterval(() => void entry.reload(), reloadEvery)
    const stop = effect(() => {
      const now = entry.value.value
      if (!now || now.status === 'running') return
      clearInterval(timer)
      queueMicrotask(() => {
        stop()
        release()
        resolve(now)
      })
    })
  })
}

/** @throws RequestError with the reason of a deployment that did not succeed */
function successful(deployment: Deployment): Deployment {
  if (deployment.status === 'succeeded') return deployment
  throw new RequestError({ status: 200, error: deployment.error ?? deployment.status })
}

/** Returns how long a deployment took or takes, in milliseconds. */
export const durationOf = ({ started_at, finished_at }: Deployment, now: number): number =>
  Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(started_at))
