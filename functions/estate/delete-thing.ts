import removeChannel from '../alert-channels/remove.ts'
import removeRule from '../alert-rules/remove.ts'
import removeJob from '../backup-jobs/remove.ts'
import { conflict } from '../core/errors.ts'
import type { EstateKey, EstateSection } from '../core/records/estate.ts'
import { entityTag } from '../kit/entity-tag.ts'
import removeRegistry from '../registries/remove.ts'
import removeRole from '../roles/remove.ts'
import removeSource from '../sources/remove.ts'
import removeStack from '../stacks/remove.ts'
import resetPolicy from '../stacks/update-policy/remove.ts'
import removeInherited from '../update-policies/remove.ts'
import type { PortsOf } from './do-steps.ts'
import { type FoundThing, findThing } from './found-things.ts'
import type { ReadPorts } from './read-records.ts'
import type { Send } from './send-request.ts'

/** The ports of all endpoints that delete things. */
export type DeletePorts = PortsOf<typeof removeChannel> &
  PortsOf<typeof removeRule> &
  PortsOf<typeof removeJob> &
  PortsOf<typeof removeRegistry> &
  PortsOf<typeof removeRole> &
  PortsOf<typeof removeSource> &
  PortsOf<typeof removeStack> &
  PortsOf<typeof resetPolicy> &
  PortsOf<typeof removeInherited>

/**
 * Deletes a thing by its own endpoint. Returns what that warns of, such as a volume that stays. A
 * thing that is gone already needs nothing.
 *
 * @param createdAt when the thing was made that is to be deleted. Milliseconds since the epoch
 * @throws 409 if it was made again since, and what the endpoint throws
 */
export async function deleteThing(
  key: EstateKey,
  createdAt: number,
  send: Send<DeletePorts>,
  ports: ReadPorts,
): Promise<string[]> {
  const found = await findThing(key, ports)
  if (!found) return []
  if (found.createdAt !== createdAt) {
    throw conflict('it was deleted and created again since an apply of the file made it: it stays')
  }
  const response = (await deleters[key.section](found, send)) as Warned | undefined
  return response?.warnings ?? []
}

/** The response of a deletion that leaves something. */
interface Warned {
  warnings: string[]
}

type Delete = (found: FoundThing, send: Send<DeletePorts>) => Promise<unknown>

/** Volumes of a stack stay: its endpoint deletes them only if the query says so. */
const deleters: Readonly<Record<EstateSection, Delete>> = {
  registries: ({ id, edition }, send) =>
    send('DELETE /registries/{id}', removeRegistry, { path: { id }, ...matching(edition) }),
  roles: ({ id: name, edition }, send) =>
    send('DELETE /roles/{name}', removeRole, { path: { name }, ...matching(edition) }),
  channels: ({ id, edition }, send) =>
    send('DELETE /alert-channels/{id}', removeChannel, { path: { id }, ...matching(edition) }),
  sources: ({ id: name, edition }, send) =>
    send('DELETE /sources/{name}', removeSource, { path: { name }, ...matching(edition) }),
  stacks: ({ id: name, edition }, send) =>
    send('DELETE /stacks/{name}', removeStack, { path: { name }, ...matching(edition) }),
  backup_jobs: ({ id, edition }, send) =>
    send('DELETE /backup-jobs/{id}', removeJob, { path: { id }, ...matching(edition) }),
  stack_policies: ({ id: name, edition }, send) => {
    const route = 'DELETE /stacks/{name}/update-policy'
    return send(route, resetPolicy, { path: { name }, ...matching(edition) })
  },
  update_policies: ({ id: name }, send) =>
    send('DELETE /update-policies/{name}', removeInherited, { path: { name } }),
  alert_rules: ({ id, edition }, send) =>
    send('DELETE /alert-rules/{id}', removeRule, { path: { id }, ...matching(edition) }),
}

/** Between the look at a thing and its deletion, it could be deleted and made again. */
const matching = (edition: FoundThing['edition']) =>
  edition === undefined ? {} : { ifMatch: entityTag('0', edition) }
