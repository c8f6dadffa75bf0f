import { volumeHash } from '../hash/hash.ts'
import { volumeOf } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { EngineBody } from '../step.ts'
import { composeVersion, label } from './labels.ts'

/** Returns the body that creates a named volume of the project. */
export function volumeBody(project: Project, key: string): EngineBody {
  const volume = volumeOf(project, key)
  return {
    Name: volume.name,
    Driver: volume.driver,
    DriverOpts: volume.driver_opts,
    Labels: {
      ...volume.labels,
      [label.project]: project.name,
      [label.volume]: key,
      [label.version]: composeVersion,
      [label.configHash]: volumeHash(volume),
    },
  }
}
