import { compact } from '../../create/container-body.ts'
import { label } from '../../create/labels.ts'
import { volumeBody } from '../../create/volume-body.ts'
import { unprocessable } from '../../errors.ts'
import { volumeHash } from '../../hash/hash.ts'
import { ownEntry, volumeOf } from '../../lookup.ts'
import { usedVolumes } from '../../used-resources.ts'
import { addStep } from '../plan-steps.ts'
import type { Planning } from './planning-state.ts'

/**
 * Adds a step for each missing volume. A volume whose configuration has changed is kept, with a
 * warning, because recreating it would lose its data.
 *
 * @throws 422 if an external volume does not exist
 */
export function planVolumes(planning: Planning): void {
  const { plan, project, snapshot, resolved, volumes } = planning
  for (const key of usedVolumes(project)) {
    const config = volumeOf(project, key)
    const { name } = config
    const own = snapshot.volumes.find((volume) => volume.name === name)
    const found = own ?? ownEntry(resolved.volumes, name)
    if (config.external) {
      if (!found) throw unprocessable(`volumes.${key}: external volume ${name} is not on the host`)
    } else if (!found) {
      const body = compact(volumeBody(project, key))
      const call = { action: 'create', kind: 'volume', name, body } as const
      volumes.set(key, addStep(plan, { reason: 'no volume' }, call))
    } else if (found.labels[label.project] !== project.name) {
      plan.warnings.push(`volume ${name} was not created by this project and is used unchanged`)
    } else if ((found.labels[label.configHash] ?? volumeHash(config)) !== volumeHash(config)) {
      plan.warnings.push(`volume ${name} has changed, but is not recreated: its data would be lost`)
    }
  }
}
