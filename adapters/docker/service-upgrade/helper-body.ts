import { posix } from 'node:path'
import { conflict } from '../../../functions/core/errors.ts'
import type { CopiedContainer } from './new-container.ts'
import { mountLike, type SeenMount } from './new-mounts.ts'

/** The command of the helper in the image of the service. */
const helperCommand = ['container-stacks', '--upgrade-helper']

/** Paths in the container of the service that the helper needs too. */
export interface HelperPaths {
  dataDirectory: string
  /** The Engine's socket. */
  socket: string
}

/**
 * Returns the body of the helper container. It has the user, groups and limits of the service, the
 * directory with the journal and the Engine's socket, and no network. The Engine always starts it
 * again, so that it survives a restart of the machine.
 *
 * @throws 409 if the service has no mount for one of the paths
 */
export function helperBody(
  service: CopiedContainer,
  imageId: string,
  { dataDirectory, socket }: HelperPaths,
): Record<string, unknown> {
  const { Config, HostConfig, Mounts } = service
  const { GroupAdd, SecurityOpt, UsernsMode } = HostConfig
  const mounts = [mountAt(dataDirectory, Mounts), mountAt(socket, Mounts)]
  return {
    Image: imageId,
    Cmd: helperCommand,
    User: Config.User,
    Env: [`SERVICE_DATA_DIR=${dataDirectory}`, `DOCKER_HOST=unix://${socket}`],
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      GroupAdd,
      SecurityOpt,
      UsernsMode,
      CapDrop: ['ALL'],
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': '' },
      NetworkMode: 'none',
      Mounts: [...new Set(mounts)].map(mountLike),
      RestartPolicy: { Name: 'always', MaximumRetryCount: 0 },
    },
  }
}

/** Returns the mount that a path of the container is in. */
function mountAt(path: string, mounts: readonly SeenMount[]): SeenMount {
  const wanted = posix.normalize(path)
  const [found] = mounts
    .filter(({ Destination }) => `${wanted}/`.startsWith(`${Destination}/`.replace('//', '/')))
    .sort((left, right) => right.Destination.length - left.Destination.length)
  if (found?.Type === 'volume' || found?.Type === 'bind') return found
  throw conflict(
    `the container of the service has no volume or directory of the host at ${path}: upgrade it as docs/upgrading.md says`,
  )
}
