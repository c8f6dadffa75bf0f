import { readFileSync } from 'node:fs'
import { present } from '../../adapters/testing/present.ts'
import {
  acceptedHashes,
  configHash,
  networkHash,
  volumeHash,
} from '../../functions/compose/hash/hash.ts'
import { load } from '../../functions/compose/load/load.ts'
import type { Project } from '../../functions/compose/project.ts'

/**
 * A compose file with the config hashes that two versions of docker compose compute for its
 * services.
 */
interface Hashes {
  project: string
  working_dir: string
  'compose.yaml': string
  services: Record<string, { head: string; v2_26_1: string }>
  resources_head: Record<string, { hash: string }>
}

/**
 * Compares the config hashes of a file. Returns one line for each that differs from the recorded
 * one.
 */
export function compareHashes(file: string): { passed: number; failures: string[] } {
  const hashes: Hashes = JSON.parse(readFileSync(file, 'utf8'))
  const project = loadProject(hashes)
  const failures: string[] = []
  let passed = 0
  const check = (name: string, equal: boolean) => {
    if (equal) passed += 1
    else failures.push(`${name}: a different hash`)
  }
  for (const [name, recorded] of Object.entries(hashes.services)) {
    const service = present(project.services[name])
    check(`service ${name}`, configHash(service) === recorded.head)
    check(`service ${name} as 2.26`, acceptedHashes(service).has(recorded.v2_26_1))
  }
  for (const [name, { hash }] of Object.entries(hashes.resources_head)) {
    check(name, resourceHash(project, name) === hash)
  }
  return { passed, failures }
}

function loadProject(hashes: Hashes): Project {
  return load({
    name: hashes.project,
    directory: hashes.working_dir,
    composeFiles: ['compose.yaml'],
    files: { 'compose.yaml': hashes['compose.yaml'] },
    environment: {},
    profiles: ['*'],
    reach: 'host',
  }).project
}

/** Returns the hash of `network x` or `volume x`. */
function resourceHash(project: Project, name: string): string | undefined {
  const [kind, key] = name.split(' ') as [string, string]
  const network = project.networks[key]
  if (kind === 'network') return network && networkHash(network)
  const volume = project.volumes[key]
  return volume && volumeHash(volume)
}
