import type { StepOutcome } from '../../../functions/compose/snapshot.ts'
import type { EngineBody, Step } from '../../../functions/compose/step.ts'
import { conflict, type Failure, internalError, notFound } from '../../../functions/core/errors.ts'
import { imageMismatch } from '../../../functions/core/images/image-mismatch.ts'
import { buildImage } from './engine-build.ts'
import { giveName, pullImage, removeImage } from './engine-images.ts'
import { behaviourOf, end, start } from './engine-life.ts'
import {
  type EngineState,
  findContainer,
  findImageId,
  getContainer,
  labelsOf,
  mountsOf,
} from './engine-state.ts'

type ContainerStep = Extract<Step, { kind: 'container' }>
const projectLabel = 'com.docker.compose.project'
type NetworkStep = Extract<Step, { kind: 'network' }>

/**
 * Executes a step on an Engine in memory. A resource that already is as requested is left
 * unchanged.
 */
export async function executeStep(
  state: EngineState,
  step: Step,
  signal: AbortSignal,
): Promise<StepOutcome> {
  switch (step.kind) {
    case 'files':
      throw internalError('The Engine does not execute steps that write files')
    case 'image':
      if (step.action === 'remove') {
        removeImage(state, step.name, false)
        return {}
      }
      if (step.action === 'build') return buildImage(state, step)
      if (step.action === 'pull') return { id: pullImage(state, step.name, step) }
      return { id: giveName(state, step) }
    case 'volume':
      return volume(state, step)
    case 'network':
      return network(state, step)
    case 'container':
      return container(state, step, signal)
  }
}

function volume(state: EngineState, step: Extract<Step, { kind: 'volume' }>): StepOutcome {
  if (step.action === 'create') {
    const labels = labelsOf(step.body)
    const there = state.volumes.get(step.name)
    if (!there) state.volumes.set(step.name, { name: step.name, labels })
    const isOthers =
      there && labels[projectLabel] && there.labels[projectLabel] !== labels[projectLabel]
    return isOthers ? { existing: there.labels } : {}
  }
  for (const { body, name } of state.containers.values()) {
    if (mountsOf(body).some((mount) => mount.name === step.name)) {
      throw conflict(`The volume ${step.name} is in use by ${name}`)
    }
  }
  state.volumes.delete(step.name)
  return {}
}

function network(state: EngineState, step: NetworkStep): StepOutcome {
  switch (step.action) {
    case 'create':
      return createNetwork(state, step.name, labelsOf(step.body))
    case 'remove':
      return removeNetwork(state, step.id)
    case 'connect': {
      const found = getContainer(state, step.container)
      found.networks[step.name] = getNetwork(state, step.name).id
      found.body = withEndpoint(found.body, step.name, step.body)
      return {}
    }
    case 'disconnect': {
      const found = findContainer(state, step.container)
      if (found) delete found.networks[step.name]
      return {}
    }
  }
}

function createNetwork(state: EngineState, name: string, labels: Record<string, string>) {
  const existing = state.networks.get(name)
  if (!existing) {
    const id = state.nextId()
    state.networks.set(name, { id, name, labels })
    return { id }
  }
  const key = 'com.docker.compose.network'
  const project = labels[projectLabel]
  const same = project !== undefined && project === existing.labels[projectLabel]
  if (same && labels[key] === existing.labels[key]) return { id: existing.id }
  throw conflict(`A network named ${name} already exists and belongs to something else`)
}

function removeNetwork(state: EngineState, id: string): StepOutcome {
  const found = [...state.networks.values()].find((one) => one.id === id || one.name === id)
  if (!found) return {}
  const users = [...state.containers.values()].filter(
    (one) => one.state === 'running' && one.networks[found.name],
  )
  if (users.length > 0) {
    const names = users.map((one) => one.name).join(', ')
    throw conflict(`The network ${found.name} is still in use by ${names}`)
  }
  state.networks.delete(found.name)
  return {}
}

function getNetwork(state: EngineState, name: string) {
  const found = state.networks.get(name)
  if (!found) throw notFound(`network ${name} not found`)
  return found
}

async function container(
  state: EngineState,
  step: ContainerStep,
  signal: AbortSignal,
): Promise<StepOutcome> {
  if (step.action === 'create' || step.action === 'recreate') return createContainer(state, step)
  const found = findContainer(state, step.name)
  if (!found && (step.action === 'stop' || step.action === 'remove')) return {}
  if (step.action === 'wait') return { warnings: await wait(state, step, signal) }
  const one = getContainer(state, step.name)
  switch (step.action) {
    case 'start':
      if (one.state === 'paused') throw conflict(`${one.name}: the container is paused`)
      start(state, one)
      return {}
    case 'pause':
      if (one.state !== 'running') throw conflict(`${one.name}: the container is ${one.state}`)
      one.state = 'paused'
      return {}
    case 'unpause':
      if (one.state !== 'paused') throw conflict(`${one.name}: the container is not paused`)
      one.state = 'running'
      return {}
    case 'stop':
      end(state, one, 143)
      return {}
    case 'restart':
      end(state, one, 143)
      start(state, one)
      return {}
    case 'upload':
      for (const file of step.files) one.uploads[file.path] = file.content
      return {}
    case 'exec': {
      const code = behaviourOf(step.body).exit ?? 0
      if (code !== 0) throw conflict(`A command in ${one.name} exited with ${code}`)
      return {}
    }
    case 'rename':
      if (findContainer(state, step.to)) throw conflict(`The name ${step.to} is in use`)
      one.name = step.to
      return {}
    case 'remove':
      if (one.state === 'running' && !step.force) throw conflict(`${one.name} is running`)
      state.containers.delete(one.id)
      return {}
  }
}

function createContainer(
  state: EngineState,
  step: Extract<ContainerStep, { action: 'create' | 'recreate' }>,
): StepOutcome {
  const imageId = findImageId(state, step.image)
  if (!imageId) throw notFound(`No such image: ${step.image}`)
  if (step.imageId && step.imageId !== imageId) {
    throw imageMismatch(step.image, step.imageId, imageId)
  }
  const labels = { ...labelsOf(step.body), 'com.docker.compose.image': imageId }
  const existing = findContainer(state, step.name)
  if (existing) {
    const hash = 'com.docker.compose.config-hash'
    const same = labels[hash as keyof typeof labels] === labelsOf(existing.body)[hash]
    if (same && imageId === existing.imageId) return { id: existing.id }
    throw conflict(`A container named ${step.name} already exists`)
  }
  const id = state.nextId()
  state.containers.set(id, {
    id,
    name: step.name,
    body: { ...step.body, Labels: labels },
    image: step.image,
    imageId,
    state: 'created',
    health: null,
    exitCode: null,
    createdAt: state.now(),
    startedAt: null,
    finishedAt: null,
    restarts: 0,
    startError: null,
    outOfMemory: false,
    runs: 0,
    networks: networksOf(state, step.body),
    logs: [],
    uploads: {},
  })
  return { id, warnings: [] }
}

interface JoiningBody {
  NetworkingConfig?: { EndpointsConfig?: Record<string, { Aliases?: string[] }> }
}

function withEndpoint(body: EngineBody, network: string, endpoint: EngineBody): EngineBody {
  const { EndpointsConfig = {} } = (body as JoiningBody).NetworkingConfig ?? {}
  return {
    ...body,
    NetworkingConfig: { EndpointsConfig: { ...EndpointsConfig, [network]: endpoint } },
  }
}

/** Returns the aliases of a container in a network, by the body that it was created with. */
export const aliasesOf = (body: EngineBody, network: string): readonly string[] =>
  (body as JoiningBody).NetworkingConfig?.EndpointsConfig?.[network]?.Aliases ?? []

/** Returns the networks of the named endpoints, and the one of the network mode. */
function networksOf(state: EngineState, body: EngineBody): Record<string, string> {
  const { EndpointsConfig = {} } = (body.NetworkingConfig ?? {}) as { EndpointsConfig?: object }
  const { NetworkMode: mode = 'default' } = (body.HostConfig ?? {}) as { NetworkMode?: string }
  const builtin = ['default', 'bridge', 'none', 'host'].includes(mode) || mode.includes(':')
  const names = new Set([...(builtin ? [] : [mode]), ...Object.keys(EndpointsConfig)])
  return Object.fromEntries([...names].map((name) => [name, getNetwork(state, name).id]))
}

async function wait(
  state: EngineState,
  step: Extract<ContainerStep, { action: 'wait' }>,
  signal: AbortSignal,
): Promise<string[]> {
  for (;;) {
    const lost = verdict(state, step)
    if (lost === 'met') return []
    if (lost !== 'open' && step.required) throw lost
    if (lost !== 'open') return [`optional dependency ${step.name}: ${lost.message}`]
    await state.changed(signal)
  }
}

function verdict(
  state: EngineState,
  step: Extract<ContainerStep, { action: 'wait' }>,
): 'met' | 'open' | Failure {
  const one = findContainer(state, step.name)
  if (!one) return notFound(`No such container: ${step.name}`)
  if (step.condition === 'service_started') return one.state === 'created' ? 'open' : 'met'
  if (step.condition === 'service_completed_successfully') {
    if (one.state !== 'exited') return 'open'
    if (one.exitCode === 0) return 'met'
    const service = step.service ?? one.name
    return conflict(`service "${service}" didn't complete successfully: exit ${one.exitCode}`)
  }
  if (one.state === 'exited') {
    return conflict(`dependency failed to start: container ${one.name} exited (${one.exitCode})`)
  }
  if (one.state === 'created') return 'open'
  if (one.health === 'unhealthy') {
    return conflict(`dependency failed to start: container ${one.name} is unhealthy`)
  }
  if (one.health === null) {
    return conflict(
      `dependency failed to start: container ${one.name} has no healthcheck configured`,
    )
  }
  return one.health === 'healthy' ? 'met' : 'open'
}
