import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { fileBytesMax } from '../../../functions/core/ports/engine.ts'
import { building } from '../../testing/contract/engine-builds.ts'
import { run } from '../../testing/contract/engine-world.ts'
import { dockerEngine } from '../engine.ts'
import { transportFrom } from '../transport/connect.ts'

vi.setConfig({ testTimeout: 30_000 })

const transport = transportFrom(process.env)
const stacksDirectory = mkdtempSync('/tmp/large-files-')
const engine = dockerEngine({ transport, host: 'local', stacksDirectory })

afterAll(async () => {
  await engine.close()
  rmSync(stacksDirectory, { recursive: true })
})

/** Returns a directory with a sparse file of 100 GB, which takes no disk space. */
function withLarge(path: string): string {
  const directory = mkdtempSync(join(stacksDirectory, 'one-'))
  mkdirSync(join(directory, 'app'))
  writeFileSync(join(directory, path), '')
  truncateSync(join(directory, path), 100e9)
  return directory
}

/** Returns the bytes by which the process's memory grew during `work`. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  await work().finally(() => clearInterval(timer))
  return most - before
}

test('reads a 100 GB file up to the limit in little time and memory', async () => {
  const directory = withLarge('compose.yaml')
  const grown = await growth(async () => {
    const [file] = await engine.readFiles(directory, ['compose.yaml'])
    expect(file?.content).toHaveLength(fileBytesMax + 1)
  })
  expect(grown).toBeLessThan(200e6)
})

test('reads files next to a 100 GB file in little time', async () => {
  const directory = withLarge('a-large-one')
  for (const name of ['compose.yaml', '.env']) writeFileSync(join(directory, name), name)
  const files = await engine.readFiles(directory, ['compose.yaml', '.env', 'missing'])
  expect(files.map(({ content }) => content.toString())).toEqual(['compose.yaml', '.env'])
})

test.each(['app/Dockerfile', 'app/.dockerignore'])(
  '422: a build whose %s has 100 GB, in little memory',
  async (path) => {
    const directory = withLarge(path)
    if (!path.endsWith('Dockerfile'))
      writeFileSync(join(directory, 'app/Dockerfile'), 'FROM busybox\n')
    const grown = await growth(() =>
      expect(run(engine, building('large', directory, {}))).rejects.toMatchObject({ status: 422 }),
    )
    expect(grown).toBeLessThan(200e6)
  },
)
