import './log-text.css'
import './log-view.css'
import { useComputed, useSignal } from '@preact/signals'
import { ArrowDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { serviceTime } from '../../data/clock.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { t } from '../../text/text.ts'
import { logDisplay } from './log-display.ts'
import type { LogSource } from './log-feed.ts'
import { LogHead } from './log-head.tsx'
import { LogModel } from './log-model.ts'
import { LogPane } from './log-pane.ts'
import { rangeOf } from './log-range.ts'
import type { LogLine } from './log-ring.ts'
import { markMatches } from './log-search.ts'
import { LogToolbar } from './log-toolbar.tsx'
import { moreClass } from './shown-line.ts'
import { useLogQuery } from './use-log-query.ts'
import { WholeLine } from './whole-line.tsx'
import { wholeLineAt } from './whole-text.ts'

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
  /** Beside the search, such as the choice of services. */
  filter?: ComponentChildren
}

/** The log viewer: it follows, reads back, searches, filters, copies and saves logs of any rate. */
export function LogView(props: LogViewProps) {
  const { label, sources, file, hasSources = false, run, filter } = props
  const model = useMemo(() => new LogModel(), [])
  const scroller = useRef<HTMLDivElement>(null)
  const whole = useSignal<LogLine | undefined>(undefined)
  const query = useLogQuery()
  usePane(model, scroller)
  const range = JSON.stringify(query.range)
  useEffect(
    () => void model.open(sources, run, rangeOf(query.range, serviceTime())),
    [JSON.stringify(sources), range],
  )
  useEffect(() => () => model.close(), [model])
  const isEnded = model.feed.value?.state.value === 'ended'
  useEffect(() => {
    if (isEnded) model.resume(sources, run)
  }, [run, isEnded])
  useFilter(model)
  const onClick = ({ target }: MouseEvent) => {
    const sequence = model.pane?.pool.lineAt(target as Node)
    if (sequence === undefined) return
    if ((target as Element).closest(`.${moreClass}`))
      whole.value = wholeLineAt(model.ring, sequence)
    else if (query.isOnlyMatches && getSelection()?.isCollapsed !== false) {
      model.current.value = sequence
      query.showAll()
    }
  }
  const { wrap, times } = logDisplay.value
  const isHit = query.isOnlyMatches && query.text !== ''
  const names = ['log-scroller', wrap && 'wrap', times && 'times', hasSources && 'sourced']
  return (
    <section class="log" aria-label={label}>
      <LogToolbar model={model} file={file} filter={filter} />
      <div class="log-place">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter and the toggle do it by keyboard */}
        <div
          ref={scroller}
          class={[...names, isHit && 'hits'].filter(Boolean).join(' ')}
          role="log"
          aria-live="off"
          aria-label={label}
          tabIndex={0}
          onClick={onClick}
        >
          <div class="log-lines">
            <LogHead model={model} />
            <div class="log-rows" />
          </div>
        </div>
        <Overlay model={model} hasSources={sources.length > 0} />
      </div>
      <Announcer model={model} />
      {whole.value && (
        <WholeLine
          line={whole.value}
          wanted={query.kind.includes('regex') ? undefined : model.search.expression}
          onClose={() => (whole.value = undefined)}
        />
      )}
    </section>
  )
}

function usePane(model: LogModel, scroller: { current: HTMLDivElement | null }): void {
  const display = logDisplay.value
  useLayoutEffect(() => {
    if (!scroller.current) return undefined
    const pane = new LogPane(model.ring, scroller.current, logDisplay.peek())
    model.pane = pane
    pane.onUpdate = (anchor) => model.update(anchor)
    pane.onPaint = () => {
      const { expression, found } = model.search
      markMatches(pane.pool.texts(), { expression, found: found.peek() }, model.current.peek())
    }
    pane.onBegin = () => {
      // Where that failed, the reader tries again.
      if (!model.history.problem.peek()) void model.loadOlder()
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

/** Searches for what the address says, and hides what it says. */
function useFilter(model: LogModel): void {
  const { text, kind, levels, isOnlyMatches } = useLogQuery()
  const isOnly = isOnlyMatches && text !== ''
  useEffect(() => {
    model.search.start({
      text,
      isExpression: kind.includes('regex'),
      isExact: kind.includes('case'),
    })
    return () => {
      model.current.value = undefined
    }
  }, [model, text, kind])
  useEffect(() => {
    const { pane } = model
    model.filter.set(levels, isOnly, pane?.following.peek() ? undefined : pane?.firstInSight())
    pane?.refiltered()
    model.reveal(model.current.peek())
  }, [model, text, kind, levels.join(), isOnly])
}

/** The layer over the lines: why there are none yet, and the button back to the end. */
function Overlay({ model, hasSources }: { model: LogModel; hasSources: boolean }) {
  const isEmpty = useComputed(() => model.count.value === 0).value
  const isFollowing = model.pane?.following.value ?? true
  if (isEmpty && hasSources) return <NoLines model={model} />
  if (isFollowing) return null
  return (
    <div class="log-follow">
      <Button kind="primary" icon={ArrowDown} onClick={() => model.pane?.follow()}>
        {model.history.range.until === undefined ? t.logs.follow : t.logs.toEnd}
      </Button>
    </div>
  )
}

/** Why there are no lines: they load, the log cannot be read, or there are none so far. */
function NoLines({ model }: { model: LogModel }) {
  const { range } = useLogQuery()
  const feed = model.feed.value
  const { state, problem } = model.history
  const ended = feed?.problem.value
  const cut = feed?.cut.value
  const unread = feed ? undefined : problem.value
  const isRead = feed
    ? ['live', 'ended'].includes(feed.state.value) && !problem.value
    : state.value !== 'loading'
  const why = ended ?? cut ?? unread ?? problem.value
  const reload = cut && feed ? feed.retry : why && !ended && (() => void model.loadOlder())
  const isRange = range.last !== '' || range.from !== '' || range.to !== ''
  return (
    <div class="log-none">
      <Loaded
        of={{
          value: { value: isRead && !why ? [] : undefined },
          problem: { value: why },
          ...(reload && { reload }),
        }}
        what={t.logs.what}
        failed={cut ? t.logs.notConnected : t.logs.failed}
        empty={<Empty title={isRange ? t.logs.noneInRange : t.logs.none} />}
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
