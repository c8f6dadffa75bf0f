import { isDeepStrictEqual } from 'node:util'
import { conflict, internalError, notFound } from '../../../functions/core/errors.ts'
import { checkedReference } from '../../../functions/core/images/reference.ts'
import type { PullOptions } from '../../../functions/core/ports/engine.ts'
import type { ImageSummary, PrunedImages } from '../../../functions/core/records/host-engine.ts'
import { refuseRegistry } from '../../../functions/core/registries/allowed.ts'
import type { EngineState } from './engine-state.ts'

/** Bytes of every image in memory. */
const size = 1024

/** Gives an image a name. The image that loses its last name this way becomes unnamed. */
export function nameImage(state: EngineState, reference: string, id: string): void {
  const before = state.images.get(reference)
  state.images.set(reference, id)
  state.unnamed.delete(id)
  if (before !== undefined && namesOf(state, before).length === 0) state.unnamed.add(before)
}

/** Tags an existing image. */
export function tagImage(state: EngineState, id: string, reference: string): void {
  nameImage(state, checkedReference(reference), idOf(state, id))
}

/** Gives a name to the image of a digest or an ID. Returns its ID. */
export function giveName(
  state: EngineState,
  { name, source }: { name: string; source: string },
): string {
  const id = state.images.get(source) ?? idOf(state, source)
  nameImage(state, checkedReference(name), id)
  return id
}

/** Makes an unnamed image. Returns its id. */
export function commitContainer(state: EngineState): string {
  const id = `sha256:${state.nextId()}`
  state.unnamed.add(id)
  return id
}

/** Pulls an image from the registry. Returns its id. */
export function pullImage(
  state: EngineState,
  reference: string,
  { registries }: PullOptions = {},
): string {
  checkedReference(reference)
  if (registries) refuseRegistry(reference, registries, `image ${reference}`)
  if (!state.registry.has(reference)) {
    throw internalError(`Pulling ${reference} failed: there is no such image in the registry`)
  }
  const id = state.images.get(reference) ?? `sha256:${state.nextId()}`
  nameImage(state, reference, id)
  return id
}

/** Returns all images, sorted by name. */
export function imageList(state: EngineState): ImageSummary[] {
  const ids = [...new Set([...state.images.values(), ...state.unnamed])]
  const list = ids.map((id) => {
    const names = namesOf(state, id)
    return {
      id,
      tags: names.filter((name) => !name.includes('@')),
      digests: names.filter((name) => name.includes('@')),
      size,
      createdAt: state.now(),
      containers: usersOf(state, id).length,
    }
  })
  const key = ({ id, tags }: ImageSummary) => tags[0] ?? `~${id}`
  return list.sort((left, right) => (key(left) < key(right) ? -1 : 1))
}

/** Removes an image or one of its names, as `docker rmi` does. */
export function removeImage(state: EngineState, given: string, force: boolean): void {
  checkedReference(given)
  const name = [given, `${given}:latest`].find((one) => state.images.has(one))
  const id = state.images.get(name ?? '') ?? idOf(state, given)
  const names = namesOf(state, id)
  const users = usersOf(state, id)
  const isRunning = users.some((container) => container.state === 'running')
  if (name) {
    if (names.length > 1) return void state.images.delete(name)
    if (users.length > 0 && !force) throw conflict(`unable to remove ${given}: it is in use`)
    state.images.delete(name)
    if (isRunning) return void state.unnamed.add(id)
  } else {
    if (isRunning) throw conflict(`unable to delete ${given}: a running container uses it`)
    if (users.length > 0 && !force) throw conflict(`unable to delete ${given}: it is in use`)
    if (names.length > 1 && !force)
      throw conflict(`unable to delete ${given}: it has several names`)
    for (const one of names) state.images.delete(one)
  }
  state.unnamed.delete(id)
}

/** Removes those of the images that no container uses and that have no other names now. */
export function pruneImages(
  state: EngineState,
  images: readonly Pick<ImageSummary, 'id' | 'tags'>[],
): PrunedImages {
  const now = new Map(imageList(state).map((image) => [image.id, image]))
  const deleted = images.flatMap(({ id, tags }) => {
    const found = now.get(id)
    const isSame = found?.containers === 0 && isDeepStrictEqual(found.tags, tags)
    return isSame ? [id] : []
  })
  for (const id of deleted) {
    for (const name of namesOf(state, id)) state.images.delete(name)
    state.unnamed.delete(id)
  }
  return { deleted, reclaimed: deleted.length * size }
}

function idOf(state: EngineState, given: string): string {
  const digits = given.replace(/^sha256:/, '')
  const ids = new Set([...state.images.values(), ...state.unnamed])
  const found = [...ids].filter((id) => digits && id.startsWith(`sha256:${digits}`))
  const [id, another] = found
  if (id === undefined || another !== undefined) throw notFound(`No such image: ${given}`)
  return id
}

const namesOf = (state: EngineState, id: string) =>
  [...state.images].flatMap(([name, its]) => (its === id ? [name] : []))

const usersOf = (state: EngineState, id: string) =>
  [...state.containers.values()].filter(({ imageId }) => imageId === id)
