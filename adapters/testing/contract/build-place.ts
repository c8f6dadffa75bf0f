import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { dockerEngine } from '../../docker/engine.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { docker } from '../docker.ts'
import { present } from '../present.ts'
import { removeImages } from './engine-clean.ts'

/** Sets up builds on a real Engine for a test file, and removes their images after its tests. */
export function buildPlace(name: string) {
  const transport = transportFrom(process.env)
  const stacksDirectory = mkdtempSync(`/tmp/build-${name}-`)
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory })
  const project = `${name}-${randomBytes(4).toString('hex')}`
  afterAll(async () => {
    await engine.close()
    await removeImages(transport, project)
    rmSync(stacksDirectory, { recursive: true })
  })
  return {
    transport,
    engine,
    project,
    /** Returns a new directory of the project. */
    newDirectory: () => mkdtempSync(join(stacksDirectory, 'one-')),
  }
}

/** Returns the output of a command in an image. */
export const inImage = (id: string | undefined, script: string): string =>
  docker('run', '--rm', '--network', 'none', present(id), 'sh', '-c', script)
