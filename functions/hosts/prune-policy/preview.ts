import type { z } from 'zod'
import { invalid } from '../../core/errors.ts'
import { getHost } from '../../core/hosts/target.ts'
import { nothingSeen } from '../../core/images/unused-since.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { previewPrune } from '../../core/prune-policies/preview-prune.ts'
import type { PrunePolicy } from '../../core/records/prune-policy.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { HostPath } from '../schema.ts'
import { daysProblem, PrunePreview, PrunePreviewQuery } from './schema.ts'
import { previewView } from './view.ts'

export default endpoint({
  summary: 'Preview the scheduled prune of a host',
  description:
    'What the next run of the policy would remove, which images wait, and which stay. With `what` it shows a policy that need not be saved. Removes nothing.',
  access: 'images:read',
  atService: true,
  path: HostPath,
  query: PrunePreviewQuery,
  returns: PrunePreview,
  errors: { 404: 'No host has that id' },

  async run(
    { path, query, caller },
    ports: Needs<'clock' | 'deployments' | 'engines' | 'hosts' | 'prunePolicies' | 'stacks'>,
  ) {
    const { id } = await getHost(path.id, ports)
    const policy = await ports.prunePolicies.find(id)
    const terms = previewed(policy, query)
    const preview = await previewPrune(id, terms, await ports.engines.on(id), ports)
    return previewView(preview, caller.permissions.has('stacks:read'))
  },
})

/** Returns the policy that a request asks about. */
function previewed(
  policy: PrunePolicy | undefined,
  { what = policy?.what, unused_days }: z.output<typeof PrunePreviewQuery>,
) {
  if (what === undefined) throw invalid('query.what: is required: no policy was saved for the host')
  const saved = policy?.what === what ? policy.unusedDays : null
  const unusedDays = unused_days ?? saved
  const problem = daysProblem(what, unusedDays)
  if (problem) throw invalid(`query.unused_days: ${problem}`)
  const { seen = nothingSeen, nextRunAt = null } = policy ?? {}
  return { what, unusedDays, seen, nextRunAt }
}
