import './updates.css'
import { serviceTime } from '../../data/clock.ts'
import {
  deployNewerHref,
  hasProposals,
  releaseNotesOf,
  type Update,
} from '../../data/newer-images.ts'
import { can } from '../../data/session.ts'
import type { Column } from '../../parts/columns.ts'
import { ImageName } from '../../parts/image-name.tsx'
import { Link, LinkButton } from '../../parts/link.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { newerTagsText } from './newer-tags.ts'
import { hasNext, NextStep, nextText } from './next-step.tsx'

const stackHref = ({ stack }: Update) => `/stacks/${stack}`

export function UpdateTable({ rows }: { rows: readonly Update[] }) {
  return (
    <Table
      label={t.frame.updates}
      columns={columnsOf(rows)}
      rows={rows}
      rowKey={({ stack, service }) => `${stack}/${service}`}
      href={stackHref}
      actionsWidth="104px"
      actions={can('stacks:deploy') ? (update) => <Deploy of={update} /> : undefined}
    />
  )
}

/** Leads to the plan of a deploy that takes the newer image. */
function Deploy({ of: { stack, state } }: { of: Update }) {
  if (state !== 'newer') return null
  return (
    <LinkButton href={deployNewerHref(stack)} kind="quiet">
      {t.updates.deploy}
      <span class="hidden-text"> {stack}</span>
    </LinkButton>
  )
}

const shapes: Readonly<Record<Update['state'], StateName>> = {
  newer: 'attention',
  current: 'running',
  unknown: 'unknown',
  not_checked: 'stopped',
}

const order = Object.keys(shapes)

/** Returns the columns that have something to say of these rows. */
function columnsOf(rows: readonly Update[]): Column<Update>[] {
  const hasSeveralHosts = new Set(rows.map(({ host_id }) => host_id)).size > 1
  return [
    ...columns(),
    ...(rows.some(hasNext) ? [next()] : []),
    ...(rows.some(({ newer }) => newer) ? newerColumns() : []),
    ...(rows.some(({ newer }) => newer) ? [] : [looked()]),
    ...(hasSeveralHosts ? [hosts()] : []),
  ]
}

const columns = (): Column<Update>[] => [
  {
    key: 'stack',
    label: t.stacks.stack,
    width: '128px',
    sort: ({ stack }) => stack,
    cell: (update) => (
      <Link href={stackHref(update)} kind="strong">
        {update.stack}
      </Link>
    ),
  },
  {
    key: 'service',
    label: t.updates.service,
    width: '112px',
    isMinor: true,
    sort: ({ service }) => service,
    cell: ({ service }) => service,
  },
  {
    key: 'state',
    label: t.updates.state,
    width: '136px',
    sort: ({ state }) => order.indexOf(state),
    cell: ({ state }) => <State of={shapes[state]} word={t.updates.states[state]} />,
  },
  {
    key: 'tag',
    label: t.images.image,
    isMinor: true,
    sort: ({ image }) => image,
    cell: (update) => (
      <span class="update-image">
        <ImageName of={update.image} /> <More of={update} />
      </span>
    ),
  },
]

const next = (): Column<Update> => ({
  key: 'next',
  label: t.updates.whatNext,
  isMinor: true,
  sort: (update) => nextText(update, serviceTime()) ?? update.reason ?? undefined,
  cell: (update) => <NextStep of={update} />,
})

const newerColumns = (): Column<Update>[] => [
  {
    key: 'since',
    label: t.updates.since,
    width: '112px',
    align: 'end',
    isMinor: true,
    sort: ({ newer }) => newer?.seen_at,
    cell: ({ newer }) => newer && <Time at={newer.seen_at} />,
  },
]

/** What there is to read about an image, and its newer versions. */
function More({ of }: { of: Update }) {
  const href = releaseNotesOf(of)
  if (href === null && !hasProposals(of)) return null
  return (
    <span class="more-of-image quiet-text">
      {href !== null && (
        <Link href={href}>
          {t.updates.notes}
          <span class="hidden-text">{t.updates.notesOf(of.image)}</span>
        </Link>
      )}
      {hasProposals(of) && (
        <span title={t.updates.newerTagsNext}>{t.updates.newerTags(newerTagsText(of))}</span>
      )}
    </span>
  )
}

const looked = (): Column<Update> => ({
  key: 'looked',
  label: t.updates.looked,
  width: '128px',
  align: 'end',
  isMinor: true,
  sort: ({ checked_at }) => checked_at ?? undefined,
  cell: ({ checked_at }) => checked_at !== null && <Time at={checked_at} />,
})

const hosts = (): Column<Update> => ({
  key: 'host',
  label: t.hosts.host,
  width: '96px',
  isMinor: true,
  sort: ({ host_name }) => host_name,
  cell: ({ host_name }) => host_name,
})
