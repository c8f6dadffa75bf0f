import { useResource } from '../../data/cache.ts'
import { hasChanges } from '../../data/has-changes.ts'
import { can } from '../../data/session.ts'
import type { StackDetails } from '../../data/stack-operations.ts'
import { Badge } from '../../parts/badge.tsx'
import { Link, LinkButton } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { DeploymentState } from './deployment-state.tsx'
import { useTargetRevision } from './use-target-revision.ts'
import { resultWords } from './what-changed.ts'

/** What changed last, and by whom: the last operation, and the files. */
export function LastChanges({ stack }: { stack: StackDetails }) {
  const { name, last_deployment: last } = stack
  return (
    <Panel title={t.stack.lastChanges}>
      <div class="last-changes">
        {last ? (
          <LastDeployment name={name} last={last} />
        ) : (
          <p class="quiet-text">{t.stack.neverDeployed(name)}</p>
        )}
        <LastFiles stack={stack} />
      </div>
    </Panel>
  )
}

interface LastDeploymentProps {
  name: string
  last: NonNullable<StackDetails['last_deployment']>
}

/** The last operation: how it ended, when, who asked for it and what it changed. */
function LastDeployment({ name, last }: LastDeploymentProps) {
  const { id, kind, status, finished_at } = last
  const { value } = useResource('/stacks/{name}/deployments/{id}', { name, id })
  const record = value.value
  const target = useTargetRevision(name, record ?? { rolled_back_to: null })
  const at = record?.started_at ?? finished_at
  return (
    <section class="last-change" aria-label={t.stack.lastDeployment}>
      <p class="last-change-head">
        <Link href={`/stacks/${encodeURIComponent(name)}/deployments/${id}`} kind="strong">
          {t.stack.kinds[kind]}
        </Link>
        <DeploymentState of={record?.status ?? status} />
        {record?.cause && <Badge>{t.stack.causes[record.cause]}</Badge>}
      </p>
      {/* Their lines are there before the record is. */}
      <p class="last-change-what">{(record && resultWords(record, target)) || ' '}</p>
      <p class="quiet-text">
        {at !== null && <Time at={at} />}
        {record && ` · ${t.stack.byUser(record.by)} · ${t.stack.revision(record.revision)}`}
      </p>
    </section>
  )
}

/** The last change of the files, and whether it is deployed. */
function LastFiles({ stack }: { stack: StackDetails }) {
  const { name, revision, updated_at, saved_by, deployed_revision, operation } = stack
  const at = `/stacks/${encodeURIComponent(name)}`
  const isPending = hasChanges(stack)
  const isDeployed = operation === null && deployed_revision === revision
  return (
    <section class="last-change" aria-label={t.stack.lastFiles}>
      <p class="last-change-head">
        <Link href={`${at}/files`} kind="strong">
          {t.stack.filesAt(revision)}
        </Link>
        {isPending ? (
          <State of="attention" word={t.stack.changed} />
        ) : (
          isDeployed && <State of="running" word={t.stack.isDeployed} />
        )}
      </p>
      <p class="quiet-text">
        <Time at={updated_at} />
        {saved_by !== null && ` · ${t.stack.byUser(saved_by)}`}
      </p>
      {isPending && can('stacks:deploy') && (
        <p>
          <LinkButton href={`${at}/deploy`}>{t.stack.showPlan(name)}</LinkButton>
        </p>
      )}
    </section>
  )
}
