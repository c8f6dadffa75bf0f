import { disallowedVolumeOption } from '../../compose/policy/driver-options.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerAccess } from '../records/container.ts'
import { refusedAdoption } from './check-directory.ts'
import { containerReach } from './container-reach.ts'
import type { RunningProject } from './projects.ts'

/**
 * Checks a running project against the policy for callers without `stacks:privileged`: its
 * directory must not be a link, and its containers must not access anything beyond it.
 *
 * @throws 403 if it does not pass
 */
export async function checkRunning(project: RunningProject, engine: Engine): Promise<void> {
  const { name, workingDir } = project
  if (!(await engine.isRealDirectory(workingDir))) {
    throw refusedAdoption(name, `${workingDir} is a link or not a directory on the host`)
  }
  const accesses = await Promise.all(
    project.services.map(({ containerId }) => engine.access(containerId)),
  )
  const containers = new Set(accesses.flatMap((access) => [access.id, access.name]))
  for (const access of accesses) {
    const [reached] = containerReach(access, { directory: workingDir, containers })
    if (reached) throw refusedAdoption(name, `the container ${access.name} has ${reached}`)
  }
  await checkVolumes(name, accesses, engine)
}

/** Checks the driver options of volumes, which can turn a volume into a directory of the host. */
async function checkVolumes(name: string, accesses: ContainerAccess[], engine: Engine) {
  const volumes = accesses.flatMap(({ mounts }) =>
    mounts.flatMap((mount) => (mount.type === 'volume' ? mount.name : [])),
  )
  if (volumes.length === 0) return
  const names = { networks: [], images: [], volumes: [...new Set(volumes)] }
  const resolved = await engine.resolve(names)
  for (const { name: volume, options = {} } of Object.values(resolved.volumes)) {
    const key = disallowedVolumeOption(options)
    if (key) throw refusedAdoption(name, `the volume ${volume} has the driver option ${key}`)
  }
}
