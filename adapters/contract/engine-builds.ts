import { expect, test } from 'vitest'
import type { ImageBuild } from '../../functions/core/compose/step.ts'
import type { Engine } from '../../functions/core/engine/engine.ts'
import { labels, type NewEngineWorld, run, step } from './engine-world.ts'

const file = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: 0o644 })

/** Returns the step that builds an image from a context of the project. */
export const building = (project: string, directory: string, build: Partial<ImageBuild> = {}) =>
  step(
    {
      action: 'build',
      kind: 'image',
      name: `${project}-one`,
      build: {
        context: `${directory}/app`,
        remote: false,
        dockerfile: `${directory}/app/Dockerfile`,
        tags: [],
        references: [],
        ...build,
        options: {
          rm: true,
          forcerm: true,
          labels: labels(project),
          ...build.options,
        },
      },
    },
    'one',
  )

/** Tests the builds of the Engine port. */
export function engineBuildsContract(newWorld: NewEngineWorld) {
  async function imageId(engine: Engine, name: string) {
    const { images } = await engine.resolve({ networks: [], volumes: [], images: [name] })
    return images[name]?.id
  }

  test('builds an image of a directory of the host without a name, the same the next time', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const tags = [`${project}-two:1`]
    const { id } = await run(engine, building(project, directory, { tags }))
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(await imageId(engine, `${project}-one`)).toBeUndefined()
    expect(await imageId(engine, `${project}-two:1`)).toBeUndefined()
    expect((await run(engine, building(project, directory, { tags }))).id).toBe(id)
    await engine.writeFiles(directory, [file('app/more', 'x')])
    expect((await run(engine, building(project, directory, { tags }))).id).not.toBe(id)
  })

  test('gives an image a name, and takes it from the image that had it', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const first = await run(engine, building(project, directory))
    await engine.tagImage(first.id!, `${project}-one`)
    expect(await imageId(engine, `${project}-one`)).toBe(first.id)
    await engine.writeFiles(directory, [file('app/more', 'x')])
    const second = await run(engine, building(project, directory))
    await engine.tagImage(second.id!, `${project}-one`)
    expect(await imageId(engine, `${project}-one`)).toBe(second.id)
    const none = `sha256:${'0'.repeat(64)}`
    await expect(engine.tagImage(none, `${project}-one`)).rejects.toMatchObject({ status: 404 })
  })

  test('tells a name of an image from its ID', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const { id } = await run(engine, building(project, directory))
    const name = `${project}-one:latest`
    await engine.tagImage(id!, name)
    const { images } = await engine.resolve({ networks: [], volumes: [], images: [name, id!] })
    expect([images[name]?.byId, images[id!]?.byId]).toEqual([undefined, true])
  })

  test('409: refuses a Dockerfile that begins with or copies from a refused image', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const refused = { names: ['docker.io/library/busybox:latest'], ids: false }
    await expect(run(engine, building(project, directory, { refused }))).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('the Dockerfile uses busybox'),
    })
  })

  test('a Dockerfile that stands in the compose file', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/a', 'x')])
    const inline = 'FROM busybox\nCOPY a /a\n'
    const { id } = await run(engine, building(project, directory, { inline }))
    expect(await imageId(engine, id!)).toBe(id)
  })

  test('422: a context or a Dockerfile that is not on the host', async () => {
    const { engine, project, directory } = await newWorld()
    const build = building(project, directory)
    await expect(run(engine, build)).rejects.toMatchObject({
      status: 422,
      message: `Building ${project}-one failed: the build context ${directory}/app is not a directory on the host`,
    })
    await engine.writeFiles(directory, [file('app/a', 'x')])
    await expect(run(engine, build)).rejects.toMatchObject({
      status: 422,
      message: `Building ${project}-one failed: there is no file ${directory}/app/Dockerfile on the host`,
    })
  })

  test('500: a command of the Dockerfile fails, told after the Engine had answered 200', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [
      file('app/Dockerfile', 'FROM busybox\nRUN echo mine; exit 3\n'),
    ])
    await expect(run(engine, building(project, directory))).rejects.toMatchObject({
      status: 500,
      message: expect.stringMatching(
        new RegExp(`^Building ${project}-one failed: .*non-zero code: 3`),
      ),
    })
    expect(await imageId(engine, `${project}-one`)).toBeUndefined()
  })
}
