import { useSignal } from '@preact/signals'
import { Undo2 } from 'lucide'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import type { Deployment } from '../../data/stack-operations.ts'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { now } from '../../parts/clock.ts'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../parts/link.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { DeploymentState } from './deployment-state.tsx'
import { durationText } from './duration-text.ts'
import { takenText } from './followed-words.ts'
import { isSuccessfulDeploy } from './is-successful-deploy.ts'
import { RollBack } from './roll-back.tsx'
import { useTargetRevision } from './use-target-revision.ts'
import { resultWords } from './what-changed.ts'

/** Rows of a page; older ones are behind a button. */
const rowsMax = 100

/** The deployments of a stack, newest first, with a way back to each. */
export function DeploymentList({ name }: { name: string }) {
  const [until] = useQuery('until')
  const read = useResource('/stacks/{name}/deployments', { name, ...(until && { until }) })
  return (
    <Loaded
      of={read}
      what={t.stack.theDeployments}
      failed={t.stack.noDeployments}
      empty={<Empty title={t.stack.neverDeployed(name)}>{t.stack.neverDeployedNext}</Empty>}
    >
      {(all) => <Deployments name={name} of={all} />}
    </Loaded>
  )
}

function Deployments({ name, of: all }: { name: string; of: readonly Deployment[] }) {
  const [until, setUntil] = useQuery('until')
  const toRollBackTo = useSignal<Deployment | undefined>(undefined)
  const rows = all.slice(0, rowsMax)
  const last = rows.at(-1)
  return (
    <>
      <Table
        label={t.stack.deployments}
        columns={columnsOf(name, all)}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => hrefOf(name, id)}
        actions={(row) =>
          can('stacks:deploy') &&
          isSuccessfulDeploy(row) &&
          row.id !== all[0]?.id && (
            <IconButton
              icon={Undo2}
              label={t.stack.rollBackTo(t.stack.revision(row.revision))}
              onClick={() => {
                toRollBackTo.value = row
              }}
            />
          )
        }
      />
      <p class="pager">
        {until && <Button onClick={() => setUntil('')}>{t.stack.newest}</Button>}
        {all.length > rowsMax && last && (
          <Button onClick={() => setUntil(last.started_at)}>{t.stack.older}</Button>
        )}
      </p>
      {toRollBackTo.value && (
        <RollBack
          name={name}
          to={toRollBackTo.value}
          onClose={() => {
            toRollBackTo.value = undefined
          }}
        />
      )}
    </>
  )
}

const hrefOf = (name: string, id: string) => `/stacks/${encodeURIComponent(name)}/deployments/${id}`

const columnsOf = (name: string, all: readonly Deployment[]): Column<Deployment>[] => [
  {
    key: 'kind',
    label: t.stack.operation,
    width: '152px',
    sort: ({ kind }) => kind,
    cell: ({ id, kind }) => (
      <Link href={hrefOf(name, id)} kind="strong">
        {t.stack.kinds[kind]}
      </Link>
    ),
  },
  {
    key: 'status',
    label: t.stack.state,
    width: '128px',
    sort: ({ status }) => status,
    cell: ({ status }) => <DeploymentState of={status} />,
  },
  {
    key: 'what',
    label: t.stack.what,
    isMinor: true,
    cell: (row) => <What name={name} of={row} among={all} />,
  },
  {
    key: 'revision',
    label: t.stack.revisionShort,
    width: '80px',
    align: 'end',
    isMinor: true,
    sort: ({ revision }) => revision,
    cell: ({ revision }) => revision,
  },
  {
    key: 'by',
    label: t.stack.by,
    width: '112px',
    isMinor: true,
    sort: ({ by }) => by,
    cell: ({ by }) => by,
  },
  {
    key: 'took',
    label: t.stack.took,
    width: '72px',
    align: 'end',
    isMinor: true,
    cell: (row) =>
      row.status === 'succeeded' && row.steps.length === 0 ? '' : durationText(row, now.value),
  },
  {
    key: 'started',
    label: t.stack.startedAt,
    width: '128px',
    align: 'end',
    sort: ({ started_at }) => started_at,
    cell: ({ started_at }) => <Time at={started_at} />,
  },
]

interface WhatProps {
  name: string
  of: Deployment
  /** The deployments in the list. */
  among: readonly Deployment[]
}

function What({ name, of, among }: WhatProps) {
  const { cause, environment, source } = of
  const result = resultWords(of, useTargetRevision(name, of, among))
  const text = [source && takenText(source), result].filter(Boolean).join(' · ')
  return (
    <span title={text}>
      {cause && <Badge>{t.stack.causes[cause]}</Badge>}{' '}
      {environment !== null && <Badge>{environment}</Badge>} {text}
    </span>
  )
}
