import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import type { MemoryContainer } from '../../adapters/testing/memory/engine-state.ts'
import { present } from '../../adapters/testing/present.ts'
import type { StackRecord } from '../../functions/core/records/stack.ts'
import apply from '../../functions/updates/apply.ts'
import look from '../../functions/updates/look.ts'
import type { World } from './world.ts'

type Updated = Pick<World, 'ports' | 'engine'>

const digest = (letter: string) => `sha256:${letter.repeat(64)}`
export const [old, fresh, newest] = ['0', '1', '2'].map(digest) as [string, string, string]
export const minute = 60_000
export const hour = 60 * minute

/** Lets the host have `nginx:1` as the registry had it before `publish`. */
export function nameOldImage({ engine: { state } }: Updated): void {
  nameImage(state, 'nginx:1', 'sha256:aa11')
  nameImage(state, `nginx@${old}`, 'sha256:aa11')
}

/** Lets the registry have another image for the tag, and the service know of it. */
export async function publish({ ports, engine }: Updated, of: string): Promise<void> {
  engine.state.registry.add(`nginx@${of}`)
  ports.imageRegistry.answers.set('docker.io/library/nginx:1', {
    state: 'found',
    digest: of,
    quota: undefined,
  })
  ports.imageRegistry.manifests.set(of, { kind: 'image', config: of })
  ports.clock.advance(7 * hour)
  await look.with(ports)()
  ports.clock.advance(5 * minute)
  await look.with(ports)()
}

/** Runs the schedule once, and lets what it began end. */
export async function applyOnce({ ports }: Updated, after = 0): Promise<void> {
  ports.clock.advance(after)
  await apply.with(ports)()
  await ports.background.settled()
}

export const stackOf = async ({ ports }: Updated, name = 'shop'): Promise<StackRecord> =>
  present(await ports.stacks.find(name))

export const container = ({ engine }: Updated, name = 'shop-web-1'): MemoryContainer =>
  present([...engine.state.containers.values()].find((one) => one.name === name))

/** Returns the image of a container by its digest. */
export const running = (here: Updated, name = 'shop-web-1'): string | undefined =>
  [...here.engine.state.images].find(
    ([reference, id]) => reference.includes('@') && id === container(here, name).imageId,
  )?.[0]
