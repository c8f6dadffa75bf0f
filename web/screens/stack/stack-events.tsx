import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { serviceTime } from '../../data/clock.ts'
import { openFeed } from '../../data/feeds.ts'
import { inNextFrame } from '../../data/frame-queue.ts'
import type { Loadable } from '../../data/loadable.ts'
import type { Problem } from '../../data/problem.ts'
import { Loaded } from '../../frame/loaded.tsx'
import type { HostId } from '../../host-ids.ts'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { exactTime } from '../../parts/format-time.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import {
  type EventLog,
  type EventMessage,
  matches,
  type ShownEvent,
  withMessages,
} from './event-log.ts'
import { factWordsOf, wordsOf } from './event-words.ts'

interface StackEventsProps {
  name: string
  host: HostId
  filter: string
}

/** How far back the service keeps events. Milliseconds. */
const past = 24 * 3_600_000
const rowsMax = 100

/** The events of a stack in the last day, newest first. */
export function StackEvents({ name, host, filter }: StackEventsProps) {
  const log = useEventLog(name, host)
  return (
    <Loaded
      of={log}
      what={t.stack.theEvents}
      failed={t.stack.noEvents}
      isEmpty={({ events }) => events.length === 0}
      empty={<None until={log.value.value?.missingUntil} />}
    >
      {(value) => <Events of={value} filter={filter} />}
    </Loaded>
  )
}

function None({ until }: { until: string | undefined }) {
  if (until === undefined)
    return <Empty title={t.stack.eventsEmpty}>{t.stack.eventsEmptyNext}</Empty>
  return (
    <Empty title={t.stack.eventsEmptySince(exactTime(new Date(until)))}>{t.stack.eventsLost}</Empty>
  )
}

function Events({ of: { events, missingUntil }, filter }: { of: EventLog; filter: string }) {
  const shown = events.filter((event) => matches(event, filter, wordsOf(event)))
  if (shown.length === 0) return <Empty title={t.parts.noRows} />
  return (
    <>
      <Table
        label={t.stack.events}
        columns={columnsOf()}
        rows={shown.slice(0, rowsMax)}
        rowKey={({ id }) => id}
      />
      {shown.length > rowsMax && (
        <p class="quiet-text">{t.stack.eventsMore(rowsMax, shown.length)}</p>
      )}
      {missingUntil && (
        <p class="quiet-text">{t.stack.eventsMissing(exactTime(new Date(missingUntil)))}</p>
      )}
    </>
  )
}

/** Follows the events of a stack. Those of the last day are known once all of them were sent. */
function useEventLog(name: string, host: HostId): Loadable<EventLog> {
  const log = useSignal<EventLog>({ events: [], isComplete: false })
  const problem = useSignal<Problem | undefined>(undefined)
  useEffect(() => {
    const owner = {}
    let queue: EventMessage[] = []
    const since = new Date(serviceTime() - past).toISOString()
    const take = (data: string | ArrayBuffer) => {
      queue.push(JSON.parse(data as string) as EventMessage)
      inNextFrame(owner, () => {
        log.value = withMessages(log.value, queue, name, since)
        queue = []
      })
    }
    const feed = openFeed('/ws/events', { host, since, caught_up: true }, take)
    const stop = feed.problem.subscribe((why) => {
      problem.value = why
    })
    return () => {
      stop()
      feed.close()
      log.value = { events: [], isComplete: false }
    }
  }, [name, host])
  return {
    value: useComputed(() =>
      log.value.isComplete || log.value.events.length > 0 ? log.value : undefined,
    ),
    problem,
  }
}

const columnsOf = (): Column<ShownEvent>[] => [
  {
    key: 'time',
    label: t.stack.when,
    width: '128px',
    cell: ({ time }) => <Time at={time} />,
  },
  {
    key: 'kind',
    label: t.stack.event,
    width: '216px',
    cell: (event) => <span title={event.kind}>{wordsOf(event)}</span>,
  },
  {
    key: 'subject',
    label: t.stack.what,
    width: '200px',
    isMinor: true,
    cell: ({ subject }) => subject && <span title={subject.id}>{subject.name ?? subject.id}</span>,
  },
  {
    key: 'by',
    label: t.stack.by,
    width: '104px',
    isMinor: true,
    cell: ({ by }) => by,
  },
  {
    key: 'facts',
    label: t.stack.facts,
    isMinor: true,
    cell: (event) => <Facts of={event} />,
  },
]

function Facts({ of: event }: { of: ShownEvent }) {
  const text = factWordsOf(event)
  return <span title={text}>{text}</span>
}
