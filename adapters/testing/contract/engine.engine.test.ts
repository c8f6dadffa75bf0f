import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, onTestFinished } from 'vitest'
import { dockerGate } from '../../../local/harness/docker-gate.ts'
import { dockerEngine } from '../../docker/engine.ts'
import { transportFrom } from '../../docker/transport/connect.ts'
import { memoryEngine } from '../memory/engine.ts'
import { engineArchivesContract } from './engine-archives.ts'
import { engineBuildsContract } from './engine-builds.ts'
import { cleanEngine, removeImages } from './engine-clean.ts'
import { engineContainerFilesContract } from './engine-container-files.ts'
import { engineContainersContract } from './engine-containers.ts'
import { engineExecContract } from './engine-exec.ts'
import { engineFilesContract } from './engine-files.ts'
import { engineImagesContract } from './engine-images.ts'
import { engineStatesContract } from './engine-states.ts'
import { engineStepsContract } from './engine-steps.ts'
import { engineStreamsContract } from './engine-streams.ts'
import { engineWaitsContract } from './engine-waits.ts'
import type { NewEngineWorld } from './engine-world.ts'

const newProject = () => `contract-${randomBytes(4).toString('hex')}`

const inMemory: NewEngineWorld = async () => ({
  engine: memoryEngine(),
  project: newProject(),
  directory: '/opt/stacks/one',
})

const stacksDirectory = await mkdtemp('/tmp/contract-stacks-')
const transport = transportFrom(process.env)
const docker = dockerEngine({
  transport,
  host: 'local',
  stacksDirectory,
})
afterAll(async () => {
  await docker.close()
  await rm(stacksDirectory, { recursive: true })
})

const onDocker: NewEngineWorld = async () => {
  const project = newProject()
  onTestFinished(async () => {
    await cleanEngine(docker, project)
    await removeImages(transport, project)
  })
  return { engine: docker, project, directory: join(stacksDirectory, project) }
}

/** An Engine on which a prune removes only images of the project. */
const onOwnDocker: NewEngineWorld = async () => {
  const project = newProject()
  const gate = await dockerGate({ label: `com.docker.compose.project=${project}` })
  const engine = dockerEngine({ transport: gate.transport, host: 'local', stacksDirectory })
  onTestFinished(async () => {
    await cleanEngine(docker, project)
    await removeImages(transport, project)
    await engine.close()
    await gate.close()
  })
  return { engine, project, directory: join(stacksDirectory, project) }
}

describe.each([
  ['memory', inMemory, inMemory],
  ['Docker', onDocker, onOwnDocker],
])('an Engine in %s', (_name, newWorld, newOwnWorld) => {
  describe('steps', () => engineStepsContract(newWorld))
  describe('waits', () => engineWaitsContract(newWorld))
  describe('containers', () => engineContainersContract(newWorld))
  describe('files of containers', () => engineContainerFilesContract(newWorld))
  describe('states', () => engineStatesContract(newWorld))
  describe('streams', () => engineStreamsContract(newWorld))
  describe('commands', () => engineExecContract(newWorld))
  describe('builds', () => engineBuildsContract(newWorld))
  describe('images', () => engineImagesContract(newOwnWorld))
  describe('archives', () => engineArchivesContract(newWorld))
  describe('files', () => engineFilesContract(newWorld))
})
