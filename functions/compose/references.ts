import { networkOf, volumeOf } from './lookup.ts'
import type { Project } from './project.ts'
import { isNamedNetwork, usedNetworks, usedVolumes } from './used-resources.ts'
import type { Path } from './yaml/tree.ts'

/** A volume or network that a project uses by its name on the Engine. */
export interface Reference {
  kind: 'volume' | 'network'
  /** The Engine's name for it. */
  name: string
  /** Its path in the compose file. */
  path: Path
  /** Its key in the project; null for a network that a service names in `network_mode`. */
  key: string | null
  /**
   * `own`: created by this project under the name that docker compose gives it. `named`: created by
   * this project, if missing, under a name that the file sets. `external`: never created.
   */
  declared: 'own' | 'named' | 'external'
}

/**
 * A reference and its place in the file, as a prefix of messages: `compose.yaml:7:5: volumes.v: `.
 */
export type PlacedReference = Reference & { place: string }

/**
 * Returns the volumes and networks that the services of a project use, with how each is declared.
 */
export function referencesOf(project: Project): Reference[] {
  const { name: stack, services } = project
  const named = (
    key: string,
    { name, external }: { name: string; external?: true },
  ): Pick<Reference, 'name' | 'declared'> => ({
    name,
    declared: external ? 'external' : name === `${stack}_${key}` ? 'own' : 'named',
  })
  const found: Reference[] = [
    ...usedVolumes(project).map((key) => ({
      kind: 'volume' as const,
      key,
      path: ['volumes', key],
      ...named(key, volumeOf(project, key)),
    })),
    ...usedNetworks(project).map((key) => ({
      kind: 'network' as const,
      key,
      path: ['networks', key],
      ...named(key, networkOf(project, key)),
    })),
  ]
  for (const [service, { network_mode: mode }] of Object.entries(services)) {
    if (mode === undefined || !isNamedNetwork(mode)) continue
    const path = ['services', service, 'network_mode']
    found.push({ kind: 'network', key: null, path, name: mode, declared: 'external' })
  }
  return found
}
