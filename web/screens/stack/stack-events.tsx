import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { openFeed } from '../../data/feeds.ts'
import { inNextFrame } from '../../data/frame-queue.ts'
import type { HostId } from '../../data/host-ids.ts'
import type { Problem as Why } from '../../data/problem.ts'
import type { Column } from '../../parts/columns.ts'
import { Empty } from '../../parts/empty.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { isEcho, isOfStack, matches, type ShownEvent, withEvents } from './event-log.ts'
import { factWordsOf, wordsOf } from './event-words.ts'

interface StackEventsProps {
  name: string
  host: HostId
  filter: string
}

/** How far back the service keeps events. Milliseconds. */
const past = 24 * 3_600_000
/** Milliseconds without an event after which the list counts as empty. */
const emptyAfter = 1500
const rowsMax = 100

/** The events of a stack in the last day, newest first. */
export function StackEvents({ name, host, filter }: StackEventsProps) {
  const { events, isLoaded, problem } = useEvents(name, host)
  const shown = events.value.filter((event) => matches(event, filter, wordsOf(event)))
  if (problem.value) return <Problem title={t.stack.noEvents} {...problem.value} />
  if (!isLoaded.value && events.value.length === 0) return <Skeleton what={t.stack.theEvents} />
  if (events.value.length === 0)
    return <Empty title={t.stack.eventsEmpty}>{t.stack.eventsEmptyNext}</Empty>
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
    </>
  )
}

/** Follows the events of a stack, with those of the last day. */
function useEvents(name: string, host: HostId) {
  const events = useSignal<readonly ShownEvent[]>([])
  const isLoaded = useSignal(false)
  const problem = useSignal<Why | undefined>(undefined)
  useEffect(() => {
    const owner = {}
    let queue: ShownEvent[] = []
    const take = (data: string | ArrayBuffer) => {
      const message = JSON.parse(data as string) as ShownEvent | { gap: object }
      if ('gap' in message || !isOfStack(message, name) || isEcho(message)) return
      queue.push(message)
      inNextFrame(owner, () => {
        events.value = withEvents(events.value, queue)
        queue = []
      })
    }
    const since = new Date(Date.now() - past).toISOString()
    const feed = openFeed('/ws/events', { host, since }, take)
    const timer = setTimeout(() => {
      isLoaded.value = true
    }, emptyAfter)
    const stop = feed.problem.subscribe((why) => {
      problem.value = why
    })
    return () => {
      clearTimeout(timer)
      stop()
      feed.close()
    }
  }, [name, host])
  return { events, isLoaded, problem }
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
