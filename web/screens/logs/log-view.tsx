import './log-view.css'
import { useComputed, useSignal } from '@preact/signals'
import { ArrowDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useQuery } from '../../frame/address.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { t } from '../../text/text.ts'
import { logDisplay } from './log-display.ts'
import type { LogFeed, LogSource } from './log-feed.ts'
import { LogModel, type ReadPast } from './log-model.ts'
import { LogPane } from './log-pane.ts'
import { markMatches } from './log-search.ts'
import { LogToolbar } from './log-toolbar.tsx'

interface LogViewProps {
  /** Whose log it is: "Log of shop". */
  label: string
  /** What to follow. Other sources begin a new log. */
  sources: readonly LogSource[]
  /** The name of a download, without its ending. */
  file: string
  /** Shows what wrote each line. */
  hasSources?: boolean
  /** When the container was started, if it runs. A log that has ended goes on with the next run. */
  run?: string | undefined
  /** Reads the lines that are there first, where they have more exact times than in the feed. */
  past?: ReadPast
  /** Beside the search, such as the choice of services. */
  filter?: ComponentChildren
}

/** The log viewer: it follows, searches, copies and saves logs of any rate. */
export function LogView(props: LogViewProps) {
  const { label, sources, file, hasSources = false, run, past, filter } = props
  const model = useMemo(() => new LogModel(), [])
  const scroller = useRef<HTMLDivElement>(null)
  const key = JSON.stringify(sources)
  usePane(model, scroller)
  useEffect(() => model.open(sources, run, past), [key])
  useEffect(() => () => model.close(), [model])
  const isEnded = model.feed.value?.state.value === 'ended'
  useEffect(() => {
    if (isEnded) model.resume(sources, run)
  }, [run, isEnded])
  useSearch(model)
  const { wrap, times } = logDisplay.value
  const names = ['log-scroller', wrap && 'wrap', times && 'times', hasSources && 'sourced']
  return (
    <section class="log" aria-label={label}>
      <LogToolbar model={model} file={file} filter={filter} />
      <div class="log-place">
        <div
          ref={scroller}
          class={names.filter(Boolean).join(' ')}
          role="log"
          aria-live="off"
          aria-label={label}
          tabIndex={0}
        >
          <div class="log-lines" />
        </div>
        <Overlay model={model} hasSources={sources.length > 0} />
      </div>
      <Announcer model={model} />
    </section>
  )
}

function usePane(model: LogModel, scroller: { current: HTMLDivElement | null }): void {
  const display = logDisplay.value
  useLayoutEffect(() => {
    if (!scroller.current) return undefined
    const pane = new LogPane(model.ring, scroller.current, logDisplay.peek())
    model.pane = pane
    pane.onPaint = () => {
      model.count.value = model.ring.end
      model.search.update()
      const { expression } = model.search
      markMatches(pane.pool.texts(), expression, model.current.peek())
    }
    // Its rows count letters, which have another width before the font is there.
    void document.fonts.load('12px "JetBrains Mono"').then(() => pane.setDisplay(logDisplay.peek()))
    return () => {
      pane.close()
      model.pane = undefined
    }
  }, [model])
  useLayoutEffect(() => model.pane?.setDisplay(display), [display])
}

/** Searches for what the address says. */
function useSearch(model: LogModel): void {
  const [text] = useQuery('find')
  const [kind] = useQuery('as')
  useEffect(() => {
    model.current.value = undefined
    const isExpression = kind.includes('regex')
    model.search.start({ text, isExpression, isExact: kind.includes('case') })
    model.pane?.changed()
  }, [model, text, kind])
}

/** The layer over the lines: why there are none yet, and the button back to the end. */
function Overlay({ model, hasSources }: { model: LogModel; hasSources: boolean }) {
  const feed = model.feed.value
  const isEmpty = useComputed(() => model.count.value === 0).value
  const isFollowing = model.pane?.following.value ?? true
  if (isEmpty && hasSources) return <NoLines feed={feed} />
  if (isFollowing) return null
  return (
    <div class="log-follow">
      <Button kind="primary" icon={ArrowDown} onClick={() => model.pane?.follow()}>
        {t.logs.follow}
      </Button>
    </div>
  )
}

/** Why there are no lines: they load, the log cannot be read, or there are none so far. */
function NoLines({ feed }: { feed: LogFeed | undefined }) {
  const ended = feed?.problem.value
  const cut = feed?.cut.value
  const isRead = feed !== undefined && ['live', 'ended'].includes(feed.state.value)
  return (
    <div class="log-none">
      <Loaded
        of={{
          value: { value: isRead && !ended ? [] : undefined },
          problem: { value: ended ?? cut },
          ...(cut && feed && { reload: feed.retry }),
        }}
        what={t.logs.what}
        failed={cut ? t.logs.notConnected : t.logs.failed}
        empty={<Empty title={t.logs.none} />}
      >
        {() => null}
      </Loaded>
    </div>
  )
}

/** Tells every five seconds how many lines came in. */
function Announcer({ model }: { model: LogModel }) {
  const words = useSignal('')
  useEffect(() => {
    let before = model.ring.end
    const timer = setInterval(() => {
      const more = model.ring.end - before
      before = model.ring.end
      if (more > 0) words.value = t.logs.more(more)
    }, 5000)
    return () => clearInterval(timer)
  }, [model, words])
  return (
    <p role="status" class="hidden-text">
      {words.value}
    </p>
  )
}
