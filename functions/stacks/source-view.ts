import type { z } from 'zod'
import { instant, instantOrNull } from '../core/access/fields.ts'
import type { Caller } from '../core/records/account.ts'
import type { Source } from '../core/records/source.ts'
import type { StackRecord } from '../core/records/stack.ts'
import {
  type StackSource as Binding,
  type DeployedSource as DeployedRecord,
  type SourceState,
  toldToAll,
  unreadText,
} from '../core/records/stack-source.ts'
import { aboutView } from '../kit/about-fields.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'
import type { DeployedSource, StackSource } from './source-schema.ts'

/** Syncs change the record too, but not the edition. */
export function bindingEdition({
  createdAt,
  source,
}: Pick<StackRecord, 'createdAt' | 'source'>): Edition {
  if (!source) return editionOf([createdAt])
  const { source: name, path, also, onChange, overwrite, boundAt, actsAs } = source
  return editionOf([createdAt, name, path, also, onChange, overwrite, boundAt, actsAs.accountId])
}

const stateView = ({ revision, treeId, ...about }: SourceState) => ({
  revision,
  tree_id: treeId,
  ...aboutView(about),
})

/** Returns what a deployment took from a source in the API's form. */
export const deployedSourceView = (deployed: DeployedRecord): z.input<typeof DeployedSource> => ({
  source: deployed.source,
  trigger: deployed.trigger,
  ...stateView(deployed),
})

/**
 * Returns how a stack follows a source in the API's form. Why a source cannot be read is for those
 * who manage sources: it names servers and accounts.
 *
 * @param found the source with this name, if there is one
 */
export function bindingView(
  binding: Binding,
  found: Source | undefined,
  caller: Pick<Caller, 'permissions' | 'scopeTags'>,
): z.input<typeof StackSource> {
  const source = found?.createdAt === binding.sourceCreatedAt ? found : undefined
  const { synced, waiting } = binding
  return {
    source: binding.source,
    path: binding.path,
    also: binding.also,
    on_change: binding.onChange,
    overwrite: binding.overwrite,
    acts_as: binding.actsAs.username,
    bound_at: instant(binding.boundAt),
    kept: binding.kept,
    synced: synced?.treeId ? { ...stateView(synced), synced_at: instant(synced.at) } : null,
    waiting: waiting && stateView(waiting),
    is_waiting: binding.askedAt !== null || binding.deploys !== null,
    last_looked_at: instantOrNull(source?.look.askedAt ?? null),
    next_look_at: instantOrNull(source?.look.nextAt ?? null),
    last_error: errorView(binding, source, caller),
  }
}

/** A sync has nothing to take while looks at the source fail. */
function errorView(
  { problem, begun }: Binding,
  source: Source | undefined,
  { permissions, scopeTags }: Pick<Caller, 'permissions' | 'scopeTags'>,
): z.input<typeof StackSource>['last_error'] {
  const isTold = permissions.has('registries:manage') && scopeTags.length === 0
  if (problem) {
    const { reason, nextAt } = problem
    const message = isTold ? problem.message : toldToAll(problem)
    return { reason, message, next_at: instant(nextAt), deployment_id: null }
  }
  if (begun && begun.error !== null) {
    const reason = 'deployment-failed'
    return { reason, message: begun.error, next_at: null, deployment_id: begun.id }
  }
  const look = source?.look
  if (!look?.problem) return null
  const { reason } = look.problem
  const message = isTold ? look.problem.message : unreadText
  return { reason, message, next_at: instantOrNull(look.nextAt), deployment_id: null }
}
