import './terminals.css'
import { effect, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { loadAgain } from '../../browser/load-again.ts'
import { NotLoaded } from '../../frame/not-loaded.tsx'
import { Button } from '../../parts/button.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { t } from '../../text/text.ts'
import type { Ended, ExecSession, TerminalSize } from './exec-session.ts'
import type { Handlers, TerminalPane } from './terminal-pane.ts'

type Start = (size: TerminalSize, onOutput: (bytes: Uint8Array) => void) => ExecSession

interface TerminalProps {
  /** Starts what runs in the terminal. After its end Enter starts it again. */
  start: Start
  isShown: boolean
  /** The reader leaves it by the keyboard: focuses something else. */
  onLeave: () => void
}

/** A terminal with a program of a container. It ends when the component goes. */
export function Terminal({ start, isShown, onLeave }: TerminalProps) {
  const hint = useId()
  const place = useRef<HTMLDivElement>(null)
  const pane = useSignal<TerminalPane | undefined>(undefined)
  const failure = useSignal<string | undefined>(undefined)
  useEffect(() => {
    if (!place.current) return undefined
    const onOpen = (opened: TerminalPane) => {
      pane.value = opened
    }
    const onFail = (error: unknown) => {
      failure.value = String(error)
    }
    return runIn(place.current, start, { hint, onLeave }, { onOpen, onFail })
  }, [])
  useEffect(() => {
    if (!isShown) return
    pane.value?.fit()
    pane.value?.focus()
  }, [isShown, pane.value])
  return (
    <div class="terminal-tab" hidden={!isShown}>
      {failure.value && <NotLoaded detail={failure.value} />}
      {!pane.value && !failure.value && <Skeleton what={t.container.terminalWhat} />}
      <div ref={place} class="terminal-place" />
      <p id={hint} class="terminal-hint">
        {t.container.leaveTerminal}
      </p>
      <PhoneKeys pane={pane.value} />
    </div>
  )
}

interface Opening {
  onOpen: (pane: TerminalPane) => void
  /** The terminal itself could not be loaded. */
  onFail: (error: unknown) => void
}

/** Opens the terminal and runs the program in it. Returns a function that ends both. */
function runIn(
  place: HTMLElement,
  start: Start,
  way: Pick<Handlers, 'hint' | 'onLeave'>,
  { onOpen, onFail }: Opening,
): () => void {
  let isOver = false
  let pane: TerminalPane | undefined
  let session: ExecSession | undefined
  let stop: (() => void) | undefined
  const begin = () => {
    if (!pane) return
    stop?.()
    session?.close()
    const opened = pane
    session = start(opened, (bytes) => opened.write(bytes))
    const { ended } = session
    stop = effect(() => {
      if (ended.value) opened.say(lastLine(ended.value))
    })
  }
  const onInput = (bytes: Uint8Array) => {
    if (!session?.ended.peek()) session?.send(bytes)
    else if (bytes[0] === enter) begin()
  }
  const onSize = (columns: number, rows: number) => session?.resize(columns, rows)
  void loadAgain(() => import('./terminal-pane.ts'))
    .then(({ openTerminal }) => openTerminal(place, { onInput, onSize, ...way }))
    .then((opened) => {
      if (isOver) return opened.close()
      pane = opened
      onOpen(opened)
      begin()
    })
    .catch(onFail)
  return () => {
    isOver = true
    stop?.()
    session?.close()
    pane?.close()
  }
}

const enter = 13

const lastLine = (ended: Ended): string =>
  'code' in ended ? t.container.exited(ended.code) : t.container.cut(ended.why ?? t.parts.cut)

const phoneKeys = [
  { name: 'Esc', keys: '\u001b' },
  { name: 'Tab', keys: '\t' },
  { name: 'Ctrl C', keys: '\u0003' },
  { name: 'Ctrl D', keys: '\u0004' },
  { name: '↑', keys: '\u001b[A' },
  { name: '↓', keys: '\u001b[B' },
]

/** Keys that the keyboard of a phone does not have. */
function PhoneKeys({ pane }: { pane: TerminalPane | undefined }) {
  return (
    <fieldset class="terminal-keys" aria-label={t.container.keys}>
      {phoneKeys.map(({ name, keys }) => (
        <Button
          key={name}
          onClick={() => {
            pane?.type(keys)
            pane?.focus()
          }}
        >
          {name}
        </Button>
      ))}
    </fieldset>
  )
}
