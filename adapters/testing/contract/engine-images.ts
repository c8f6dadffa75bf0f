import { expect, test } from 'vitest'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import { present } from '../present.ts'
import { building } from './engine-builds.ts'
import { createStep, type NewEngineWorld, run, step } from './engine-world.ts'

const file = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: 0o644 })

/** Tests the removal of images through the Engine port. */
export function engineImagesContract(newWorld: NewEngineWorld) {
  /** Returns a world with a new image that has two names. */
  async function withImage() {
    const { engine, project, directory } = await newWorld()
    const names = [`${project}-one:latest`, `${project}-two:1`] as const
    const build = async (content: string) => {
      await engine.writeFiles(directory, [
        file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n'),
        // No other test builds this layer, so its bytes are reclaimed with its image.
        file('app/content', `${content} of ${project}`),
      ])
      const { id } = await run(engine, building(project, directory))
      for (const name of names) await engine.tagImage(present(id), name)
      return present(id)
    }
    return { engine, project, names, build, id: await build('first') }
  }
  const namesOf = async (engine: Engine, wanted: string) =>
    (await engine.images()).find(({ id }) => id === wanted)?.tags
  const used = async (engine: Engine, project: string, image: string, started: boolean) => {
    const create = createStep(project, 'one', 'sleep 100', { Image: image })
    await run(engine, { ...create, image } as typeof create)
    if (started) await run(engine, step({ action: 'start', kind: 'container', name: create.name }))
    return create.name
  }
  const plain = { force: false }
  const forced = { force: true }

  test('409: rejects a container made from another image than decided on', async () => {
    const { engine, project, names, build, id } = await withImage()
    const second = await build('second')
    const create = {
      ...createStep(project, 'one', 'sleep 100', { Image: names[0] }),
      image: names[0],
      imageId: id,
    } as ReturnType<typeof createStep>
    const message = `image ${names[0]} now points to ${second}, but this deployment decided on ${id}`
    await expect(run(engine, create)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(message),
    })
    expect(await engine.projectContainers(project)).toEqual([])
    const { id: made } = await run(engine, { ...create, imageId: second } as typeof create)
    expect(made).toMatch(/^[0-9a-f]+$/)
    await expect(run(engine, create), 'a container that is there').rejects.toMatchObject({
      status: 409,
    })
    expect(await engine.projectContainers(project)).toHaveLength(1)
  })

  test('400: an invalid reference, in every call', async () => {
    const { engine, project, names, id } = await withImage()
    const { signal } = new AbortController()
    for (const end of [':', ':1:latest', '@', '@@sha256:0f', ':1@', ':/b', '//b', '/../b', '/']) {
      const reference = `${project}${end}`
      const calls = {
        resolve: engine.resolve({ networks: [], volumes: [], images: [reference] }),
        pullImage: engine.pullImage(reference, signal),
        tagImage: engine.tagImage(id, reference),
        removeImage: engine.removeImage(reference, plain),
      }
      for (const [name, call] of Object.entries(calls))
        await expect(call, `${name} ${reference}`).rejects.toMatchObject({ status: 400 })
    }
    expect(await namesOf(engine, id)).toEqual([...names])
  })

  test('removing the last name removes the image; lists show it at once', async () => {
    const { engine, project, names, id } = await withImage()
    expect(await namesOf(engine, id)).toEqual([...names])
    await engine.removeImage(`${project}-one`, plain)
    expect(await namesOf(engine, id)).toEqual([names[1]])
    await engine.removeImage(names[1], plain)
    expect(await namesOf(engine, id)).toBeUndefined()
  })

  test('removes an image with all names by ID or ID prefix', async () => {
    const { engine, names, build, id } = await withImage()
    await expect(engine.removeImage(id, plain)).rejects.toMatchObject({ status: 409 })
    expect(await namesOf(engine, id)).toEqual([...names])
    await engine.removeImage(id.slice(7, 19), forced)
    expect(await namesOf(engine, id)).toBeUndefined()
    await engine.removeImage(await build('second'), forced)
  })

  test('409: a container uses the image, by name and by ID', async () => {
    const { engine, project, names, id } = await withImage()
    await engine.removeImage(names[1], plain)
    await used(engine, project, names[0], true)
    const refused = { status: 409 }
    await expect(engine.removeImage(names[0], plain)).rejects.toMatchObject(refused)
    await expect(engine.removeImage(id, forced)).rejects.toMatchObject(refused)
    expect(await namesOf(engine, id)).toEqual([names[0]])
  })

  test('force removes the image of a stopped container', async () => {
    const { engine, project, names, id } = await withImage()
    await engine.removeImage(names[1], plain)
    await used(engine, project, names[0], false)
    await expect(engine.removeImage(id, plain)).rejects.toMatchObject({ status: 409 })
    await engine.removeImage(id, forced)
    expect(await namesOf(engine, id)).toBeUndefined()
  })

  test('404: no such image', async () => {
    const { engine, project } = await newWorld()
    for (const id of [
      `${project}-none`,
      `127.0.0.1:1/${project}:1`,
      'f'.repeat(64),
      'f'.repeat(12),
    ]) {
      await expect(engine.removeImage(id, forced), id).rejects.toMatchObject({ status: 404 })
    }
  })

  test('prunes images only with the names that were given, and without a container', async () => {
    const { engine, project, build, id: first } = await withImage()
    const second = await build('second')
    const third = await build('third')
    await used(engine, project, second, false)
    expect(await namesOf(engine, first)).toEqual([])
    const { signal } = new AbortController()
    const nameless = await engine.namelessImages()
    const countOf = (id: string) => nameless.find((image) => image.id === id)?.containers
    expect([countOf(first), countOf(second), countOf(third)]).toEqual([0, 1, undefined])
    const never = () => false
    const asked = [first, second, third, 'f'.repeat(64)].map((id) => ({ id, tags: [] }))
    const { deleted, reclaimed } = await engine.pruneImages(asked, never, signal)
    expect(deleted).toContain(first)
    for (const id of [second, third]) expect(deleted).not.toContain(id)
    expect(reclaimed).toBeGreaterThan(0)
    expect(await namesOf(engine, first)).toBeUndefined()
    expect([await namesOf(engine, second), (await namesOf(engine, third))?.length]).toEqual([[], 2])
    expect(await engine.pruneImages(asked, never, signal)).toEqual({ deleted: [], reclaimed: 0 })
    const tags = (await namesOf(engine, third)) ?? []
    const named = await engine.pruneImages([{ id: third, tags }], never, signal)
    expect(named.deleted).toContain(third)
    expect(named.reclaimed).toBeGreaterThan(0)
    expect(await namesOf(engine, third)).toBeUndefined()
  })

  test('a prune leaves the image that another one was built from, if it is kept', async () => {
    const { engine, project, names, build, id: first } = await withImage()
    const { signal } = new AbortController()
    const container = await used(engine, project, names[0], false)
    const options = { author: undefined, message: undefined, changes: [], pause: true }
    const child = await engine.commitContainer(container, options, signal)
    await engine.removeContainer(container, plain)
    await build('second')
    const keepsFirst = ({ id }: { id: string }) => id === first
    const pruned = await engine.pruneImages([{ id: child, tags: [] }], keepsFirst, signal)
    expect([pruned.deleted.includes(child), pruned.deleted.includes(first)]).toEqual([true, false])
    expect(await namesOf(engine, first)).toEqual([])
  })
}
