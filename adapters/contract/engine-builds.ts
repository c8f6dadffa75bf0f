import { expect, test } from 'vitest'
import type { ImageBuild } from '../../functions/core/compose/step.ts'
import type { Engine } from '../../functions/core/engine/engine.ts'
import { labels, type NewEngineWorld, run, step } from './engine-world.ts'

const file = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: 0o644 })

/** The step that builds a context of the project. */
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
        ...build,
        options: {
          t: [`${project}-one`],
          rm: true,
          forcerm: true,
          labels: labels(project),
          ...build.options,
        },
      },
    },
    'one',
  )

/** What the Engine port promises about builds. */
export function engineBuildsContract(newWorld: NewEngineWorld) {
  async function imageId(engine: Engine, name: string) {
    const { images } = await engine.resolve({ networks: [], volumes: [], images: [name] })
    return images[name]?.id
  }

  test('an image is built of a directory of the host, named, and the same the next time', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/Dockerfile', 'FROM busybox\nCOPY . /app\n')])
    const options = { t: [`${project}-one`, `${project}-two:1`] }
    const { id } = await run(engine, building(project, directory, { options }))
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(await imageId(engine, `${project}-one`)).toBe(id)
    expect(await imageId(engine, `${project}-two:1`)).toBe(id)
    expect((await run(engine, building(project, directory, { options }))).id).toBe(id)
    await engine.writeFiles(directory, [file('app/more', 'x')])
    expect((await run(engine, building(project, directory, { options }))).id).not.toBe(id)
  })

  test('a Dockerfile that stands in the compose file', async () => {
    const { engine, project, directory } = await newWorld()
    await engine.writeFiles(directory, [file('app/a', 'x')])
    const inline = 'FROM busybox\nCOPY a /a\n'
    const { id } = await run(engine, building(project, directory, { inline }))
    expect(await imageId(engine, `${project}-one`)).toBe(id)
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
