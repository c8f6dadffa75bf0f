import { z } from 'zod'
import { reachOf } from '../core/access/reach.ts'
import { type DirectoryEvidence, directoryRefusal } from '../core/adopt/check-directory.ts'
import { projectsOn } from '../core/adopt/find-running.ts'
import { listOverHosts } from '../core/hosts/fan-out.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host } from '../core/records/host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { cappedOverHosts, unreachable_hosts } from '../kit/host-list.ts'
import { HostsQuery } from '../kit/params.ts'
import { ComposeProject } from './schema.ts'

const items = z.array(ComposeProject).max(200)

export default endpoint({
  summary: 'List running compose projects',
  description:
    'Managed stacks and projects that can be adopted, sorted by name. Containers whose labels come from their image, ' +
    'such as those of a build, are not projects.',
  access: 'stacks:read',
  atService: true,
  query: HostsQuery,
  returns: z.union([
    items,
    z.object({ items: items.describe('What the other hosts have'), unreachable_hosts }),
  ]),
  errors: { 404: 'No host has that id or name' },

  async run({ query, caller }, ports: Needs<'hosts' | 'engines' | 'clock' | 'stacks'>) {
    const stacks = await ports.stacks.list()
    const reach = reachOf(caller)
    const found = await listOverHosts(query.host, caller, ports, async (engine, host) =>
      (await projectsOn(engine)).map((project) => view({ project, host, stacks, reach }, host)),
    )
    return cappedOverHosts(found, 200)
  },
})

function view(evidence: DirectoryEvidence, host: Host) {
  const { project, stacks } = evidence
  const managed = stacks.some(({ id, hostId }) => id === project.name && hostId === host.id)
  return {
    name: project.name,
    host_id: host.id,
    host_name: host.name,
    working_dir: project.workingDir,
    config_files: project.configFiles,
    services: project.services.map(({ name, containerId, image, state }) => ({
      name,
      image,
      state,
      container_id: containerId,
    })),
    managed,
    refusal: managed ? null : (directoryRefusal(evidence)?.message ?? null),
  }
}
