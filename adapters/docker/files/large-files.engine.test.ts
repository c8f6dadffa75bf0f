import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileBytesMax } from '../../../functions/core/ports/engine.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from '../transport/connect.ts'

const transport = transportFrom(process.env)
const stacksDirectory = mkdtempSync('/tmp/large-files-')
const engine = dockerEngine({ transport, host: 'local', stacksDirectory })

afterAll(async () => {
  await engine.close()
  rmSync(stacksDirectory, { recursive: true })
})

/**
 * Returns a directory with a sparse file of 100 GB, which takes no disk space. No test could read
 * all of it in its time.
 */
function withLarge(path: string): string {
  const directory = mkdtempSync(join(stacksDirectory, 'one-'))
  mkdirSync(join(directory, 'app'))
  writeFileSync(join(directory, path), '')
  truncateSync(join(directory, path), 100e9)
  return directory
}

test('reads a 100 GB file up to the limit and no further', async () => {
  const directory = withLarge('compose.yaml')
  const [file] = await engine.readFiles(directory, ['compose.yaml'])
  expect(file?.content).toHaveLength(fileBytesMax + 1)
})

test('reads files next to a 100 GB file without reading that one', async () => {
  const directory = withLarge('a-large-one')
  for (const name of ['compose.yaml', '.env']) writeFileSync(join(directory, name), name)
  const files = await engine.readFiles(directory, ['compose.yaml', '.env', 'missing'])
  expect(files.map(({ content }) => content.toString())).toEqual(['compose.yaml', '.env'])
})

test.each(['app/Dockerfile', 'app/.dockerignore'])(
  '422: a build whose %s has 100 GB',
  async (path) => {
    const directory = withLarge(path)
    if (!path.endsWith('Dockerfile'))
      writeFileSync(join(directory, 'app/Dockerfile'), 'FROM busybox\n')
    const built = run(engine, building('large', directory, {}))
    await expect(built).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(
        `"${path.slice('app/'.length)}" in the build context is longer than 1 MiB`,
      ),
    })
  },
)
