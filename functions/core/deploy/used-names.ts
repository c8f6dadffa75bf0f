import { endpoint, networkKeys } from '../../compose/create/endpoints.ts'
import { containerName } from '../../compose/create/labels.ts'
import { networkOf, serviceOf } from '../../compose/lookup.ts'
import type { Project } from '../../compose/project.ts'
import { ignoreError } from '../ignore-error.ts'
import { aliasesIn } from '../owners/used-by-container.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import { lastDeploy } from '../stacks/last-deploy.ts'
import { type LoadPorts, loadFiles } from '../stacks/load-project.ts'

/**
 * Returns what the last deploy of the whole stack used by name, as `volume x`, `network y`,
 * `container z` and `name app in y`: nothing if there was none or its files no longer load. What a
 * stack used before a right was needed, it may go on using. Files that were only written or
 * imported since then prove nothing.
 */
export async function usedNames(
  stack: StackRecord,
  ports: LoadPorts & Needs<'deployments'>,
): Promise<ReadonlySet<string>> {
  const deployed = await lastDeployed(stack, ports)
  if (!deployed) return new Set()
  const { files, environment, profiles } = deployed
  const reading = { environment, profiles, reach: 'host' as const }
  const loaded = await loadFiles(stack, files, reading, ports).catch(
    ignoreError('load the files of the last deploy'),
  )
  if (!loaded) return new Set()
  const { references, project } = loaded
  const services = Object.keys(project.services)
  return new Set([
    ...references.map(({ kind, name }) => `${kind} ${name}`),
    ...services.map((service) => `container ${containerName(project, service, 1)}`),
    ...services.flatMap((service) => namesIn(project, service)),
  ])
}

const namesIn = (project: Project, service: string): string[] =>
  networkKeys(serviceOf(project, service)).flatMap((key) => {
    const aliases = aliasesIn(endpoint(project, key, { service, number: 1 }))
    return aliases.map((alias) => `name ${alias} in ${networkOf(project, key).name}`)
  })

async function lastDeployed(
  { id, adopted, recordsOwners, files, contentRevision, earlier = [] }: StackRecord,
  ports: Needs<'deployments'>,
): Promise<Pick<Deployment, 'files' | 'environment' | 'profiles'> | undefined> {
  const last = await lastDeploy(id, 'whole', ports)
  if (last || !adopted || recordsOwners) return last
  // An adoption checks the files of the project that ran, which are the first revision.
  const first = [{ revision: contentRevision, files }, ...earlier].find(
    ({ revision }) => revision === 1,
  )
  return first && { files: first.files, environment: null }
}
