import { labelsOf, type MemoryContainer } from '../../../adapters/testing/memory/engine-state.ts'
import { conflict } from '../../../functions/core/errors.ts'
import scale from '../../../functions/stacks/services/scale.ts'
import { call } from '../../harness/call.ts'
import fc from '../../harness/properties.ts'
import { givenContainer, type World } from '../../harness/world.ts'

/** Something that others do on the host of a stack. A number chooses what they do it to. */
export interface HostEvent {
  kind: keyof typeof hostEvents
  at: number
}

/** What others do, and to which of the names that the stack uses or would use. */
type Happens = (
  here: World,
  names: HostNames,
  pick: <T>(list: readonly T[]) => T | undefined,
) => void | Promise<void>

/** Names on the host that the project of a stack leads to. */
export interface HostNames {
  stack: string
  services: readonly string[]
  volumes: readonly string[]
  networks: readonly string[]
}

const foreign = { 'com.docker.compose.project': 'others' }

const hostEvents = {
  'a container has the name': async (here, { stack, services }, pick) => {
    const name = `${stack}-${pick(services) ?? 'web'}-1`
    const isTaken = [...here.engine.state.containers.values()].some((one) => one.name === name)
    if (!isTaken) await givenContainer(here, name)
  },
  'a volume has the name': ({ engine: { state } }, { stack, volumes }, pick) => {
    const name = `${stack}_${pick(volumes) ?? 'data'}`
    if (!state.volumes.has(name)) state.volumes.set(name, { name, labels: foreign })
  },
  'a network has the name': ({ engine: { state } }, { stack, networks }, pick) => {
    const name = `${stack}_${pick(networks) ?? 'default'}`
    if (state.networks.has(name)) return
    state.networks.set(name, { id: state.nextId(), name, labels: foreign })
  },
  'a container ended': ({ engine: { state } }, { stack }, pick) => {
    const found = pick(ofStack(state.containers, stack))
    if (found?.state === 'running') Object.assign(found, { state: 'exited', exitCode: 137 })
  },
  'a container is gone': ({ engine: { state } }, { stack }, pick) => {
    const found = pick(ofStack(state.containers, stack))
    if (found) state.containers.delete(found.id)
  },
  'a container is paused': ({ engine: { state } }, { stack }, pick) => {
    const found = pick(ofStack(state.containers, stack))
    if (found?.state === 'running') found.state = 'paused'
  },
  'a file was edited': ({ engine: { state } }, { stack }, pick) => {
    const found = pick(
      [...state.files].filter(([path]) => path.startsWith(`/opt/stacks/${stack}/`)),
    )
    if (!found) return
    const [path, file] = found
    const content = Buffer.concat([Buffer.from(file.content), Buffer.from('# theirs\n')])
    state.files.set(path, { ...file, content })
  },
  'an image moved': ({ engine: { state } }, _names, pick) => {
    const reference = pick([...state.images.keys()])
    if (reference !== undefined) state.images.set(reference, `sha256:${state.nextId()}`)
  },
  'an image is gone': ({ engine: { state } }, _names, pick) => {
    // Containers of others are made from busybox.
    const reference = pick([...state.images.keys()].filter((name) => name !== 'busybox:latest'))
    if (reference !== undefined) state.images.delete(reference)
  },
  'a user scaled a service': async ({ ports }, { stack, services }, pick) => {
    const path = { name: stack, service: pick(services) ?? 'web' }
    await call(scale, { ports, as: 'admin', path, body: { replicas: 2 } })
  },
  'a port is in use': ({ engine }, { services }, pick) => {
    const service = pick(services)
    engine.failing = ({ action, kind, service: of }) =>
      kind === 'container' && action === 'start' && of === service
        ? conflict('driver failed: port is already allocated')
        : undefined
  },
} satisfies Record<string, Happens>

const ofStack = (containers: ReadonlyMap<string, MemoryContainer>, stack: string) =>
  [...containers.values()].filter(
    ({ body }) => labelsOf(body)['com.docker.compose.project'] === stack,
  )

/** Lets others do these things. A port that is in use stays so until `failing` is reset. */
export async function happen(here: World, names: HostNames, events: readonly HostEvent[]) {
  for (const { kind, at } of events) {
    const pick = <T>(list: readonly T[]) => list[at % Math.max(1, list.length)]
    await (hostEvents[kind] as Happens)(here, names, pick)
  }
}

/** At most two things that others do. */
export const someEvents: fc.Arbitrary<HostEvent[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(hostEvents) as HostEvent['kind'][])),
    at: fc.nat(9),
  }),
  { maxLength: 2 },
)
