import { endpoint, networkKeys } from '../../compose/create/endpoints.ts'
import { containerName } from '../../compose/create/labels.ts'
import type { PrivilegedUse } from '../../compose/load/loaded-project.ts'
import { networkOf, serviceOf } from '../../compose/lookup.ts'
import { parentServices } from '../../compose/plan/order.ts'
import type { Project } from '../../compose/project.ts'
import { ignoreError } from '../ignore-error.ts'
import { imageUse, imageUsesOf } from '../images/image-access.ts'
import { useName } from '../owners/check-references.ts'
import { joinedUse } from '../owners/taken-names.ts'
import { aliasesIn } from '../owners/used-by-container.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import { lastDeploy } from '../stacks/last-deploy.ts'
import { type LoadPorts, loadFiles } from '../stacks/load-project.ts'
import { linksOf } from '../stacks/texts.ts'
import { linkUse } from './refuse-tree-links.ts'

/**
 * Returns what the last deploy of the whole stack used: names as `volume:x`, `network:y`,
 * `container:z`, `joined:z`, `image:i` and `name:app@y`, links, and what needs `stacks:privileged`;
 * see `privilegedUse`. Nothing if there was none or its files no longer load. What a stack used
 * before a right was needed, it may go on using. Files that were only written or imported since
 * then prove nothing.
 */
export async function usedNames(
  stack: StackRecord,
  ports: LoadPorts & Needs<'deployments'>,
): Promise<ReadonlySet<string>> {
  const deployed = await lastDeployed(stack, ports)
  if (!deployed) return new Set()
  const { files, environment, profiles } = deployed
  const reading = { environment, profiles, reach: 'host' as const, listsPrivileged: true }
  const loaded = await loadFiles(stack, files, reading, ports).catch(
    ignoreError('load the files of the last deploy'),
  )
  if (!loaded) return new Set()
  const { references, project, texts, privileged = [] } = loaded
  const services = Object.keys(project.services)
  return new Set([
    ...references.map(useName),
    ...services.map((service) => `container:${containerName(project, service, 1)}`),
    ...services.flatMap((service) =>
      parentServices(serviceOf(project, service)).map(
        (parent) => `joined:${containerName(project, parent, 1)}`,
      ),
    ),
    ...services.flatMap((service) => namesIn(project, service)),
    ...imageUsesOf(project).map(({ reference }) => imageUse(reference)),
    ...Object.entries(linksOf(texts.tree)).map(([path, target]) => linkUse(path, target).key),
    ...privileged.map((use) => privilegedUse(use).key),
  ])
}

/** Returns the name by which a privileged attribute is known, and accepted: its path. */
export const privilegedUse = ({ path, detail }: PrivilegedUse) => ({
  name: path,
  key: `${path}: ${detail}`,
})

const namesIn = (project: Project, service: string): string[] =>
  networkKeys(serviceOf(project, service)).flatMap((key) => {
    const aliases = aliasesIn(endpoint(project, key, { service, number: 1 }))
    const network = networkOf(project, key).name
    return aliases.map((alias) => joinedUse({ alias, network }))
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
