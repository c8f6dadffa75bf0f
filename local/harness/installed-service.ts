import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { memoryOwnProcess } from '../../adapters/testing/memory/host-gauges.ts'
import { present } from '../../adapters/testing/present.ts'
import { storeFormat, version } from '../../functions/core/version.ts'
import { givenContainer, type World } from './world.ts'

const [major = 0, minor = 0] = version.split('.').map(Number)

/** The next minor version. */
export const nextVersion = `${major}.${minor + 1}.0`

/** The ID of the image of the next version. */
export const nextImageId = 'sha256:aa11'

/** Returns the labels of an image of the service. */
export const serviceLabels = (of: string, formats = storeFormat) => ({
  'org.opencontainers.image.title': 'Container Stacks',
  'org.opencontainers.image.version': of,
  'container-stacks.store-format.reads': String(formats.reads),
  'container-stacks.store-format.writes': String(formats.writes),
})

/**
 * Puts the service into a container of a compose project, and adds a newer image of it. Returns the
 * ID of the container.
 *
 * @param container what the process thinks it runs in; undefined: the container
 */
export async function installService(here: World, container?: string): Promise<string> {
  const { state } = here.engine
  const id = await givenContainer(here, 'service-1', {
    hostConfig: { Binds: ['stacks_data:/data'] },
    labels: {
      'com.docker.compose.project': 'stacks',
      'com.docker.compose.project.working_dir': '/srv/stacks',
    },
  })
  present(state.containers.get(id)).imageId = present(state.images.get('busybox:latest'))
  nameImage(state, `busybox:${nextVersion}`, nextImageId)
  state.imageLabels.set(nextImageId, serviceLabels(nextVersion))
  const place = { ...memoryOwnProcess.place, container: container ?? id }
  Object.assign(here.ports, { ownProcess: { ...memoryOwnProcess, place } })
  return id
}
