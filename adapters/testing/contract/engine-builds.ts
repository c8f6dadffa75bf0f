import { expect, test } from 'vitest'
import type { ImageBuild } from '../../../functions/compose/step.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import { present } from '../present.ts'
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
        project,
        context: `${directory}/app`,
        remote: false,
        dockerfile: `${directory}/app/Dockerfile`,
        tags: [],
        references: [],
        secrets: [],
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

  test('builds an unnamed image from a directory; a rebuild gives the same image', async () => {
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

  test('moves a name from another image', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const first = await run(engine, building(project, directory))
    await engine.tagImage(present(first.id), `${project}-one`)
    expect(await imageId(engine, `${project}-one`)).toBe(first.id)
    await engine.writeFiles(directory, [file('app/more', 'x')])
    const second = await run(engine, building(project, directory))
    await engine.tagImage(present(second.id), `${project}-one`)
    expect(await imageId(engine, `${project}-one`)).toBe(second.id)
    const none = `sha256:${'0'.repeat(64)}`
    await expect(engine.tagImage(none, `${project}-one`)).rejects.toMatchObject({ status: 404 })
  })

  test('distinguishes an image name from an ID', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const { id } = await run(engine, building(project, directory))
    const name = `${project}-one:latest`
    await engine.tagImage(present(id), name)
    const { images } = await engine.resolve({
      networks: [],
      volumes: [],
      images: [name, present(id)],
    })
    expect([images[name]?.byId, images[present(id)]?.byId]).toEqual([undefined, true])
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

  test('builds an inline Dockerfile', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/a', 'x')])
    const inline = 'FROM busybox\nCOPY a /a\n'
    const { id } = await run(engine, building(project, directory, { inline }))
    expect(await imageId(engine, present(id))).toBe(id)
  })

  test('422: the context or the Dockerfile is not on the host', async () => {
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

  test('422: a secret is not on the host', async () => {
    const { engine, project, directory } = await newWorld()
    const secrets = [{ id: 'key', file: `${directory}/key` }]
    const build = building(project, directory, { secrets })
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\n')])
    await expect(run(engine, build)).rejects.toMatchObject({
      status: 422,
      message: `Building ${project}-one failed: the secret "key" is not a file of the host: ${directory}/key`,
    })
    await engine.writeFiles(directory, [file('key', 'x')])
    expect((await run(engine, build)).id).toMatch(/^sha256:/)
  })

  test('500: a command of the Dockerfile fails after the Engine responded with 200', async () => {
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
